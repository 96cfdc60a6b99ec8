"""Lookalikes: which letters look the same, for `karma.table.names`, from confusable_homoglyphs.

That package (not needed to play) carries the confusables of Unicode's technical standard 39:

    python -m pip install confusable_homoglyphs
    python -m workshop.lookalikes
"""

import json
import unicodedata
from pathlib import Path

FILE = Path(__file__).parents[1] / "src/karma/table/lookalikes.json"


def lookalikes() -> dict[str, str]:
    """What letters look like, and all the letters that look so."""
    from confusable_homoglyphs.confusables import confusables_data  # type: ignore

    alike = {
        _plain(text): [_plain(other["c"]) for other in others]
        for text, others in confusables_data.items()
    }
    found: dict[str, str] = {}
    for letter in sorted(text for text in alike if len(text) == 1):
        first, *more = alike[letter]
        if more or (len(alike.get(first, ())) == 1 and letter < first):
            continue  # others look like this one
        if _decomposed(letter) != _decomposed(first):  # or Python knows it by itself
            found[first] = found.get(first, "") + letter
    return dict(sorted(found.items()))


def _decomposed(text: str) -> str:
    return unicodedata.normalize("NFKD", text)


def _plain(text: str) -> str:
    """Without the marks of direction that the package puts around some."""
    return text.strip("\u200e\u200f")


if __name__ == "__main__":
    text = json.dumps(lookalikes(), ensure_ascii=True, indent=0)
    FILE.write_text(text + "\n", encoding="ascii")
