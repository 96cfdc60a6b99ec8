"""Names, and lines of chat without what deceives the eye or breaks a screen."""

import json
import unicodedata
from functools import cache
from importlib.resources import files

NAME_LENGTH = 24
LINE_LENGTH = 300
_MARKS_IN_A_ROW = 2
_JOINERS = "\u200c\u200d"  # some scripts cannot be written without them
_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"  # letters and signs that show nothing
_VARIATIONS = {*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0), 0x034F}


def name(text: str) -> str:
    """A name as everybody will see it; empty if nothing visible is left.

    >>> name("  Ana\u202e   Maria ")
    'Ana Maria'
    """
    return line(text)[:NAME_LENGTH].strip()


def line(text: str) -> str:
    """A line of text without control and invisible characters and piles of accents."""
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", text):
        category = unicodedata.category(char)
        if ord(char) in _VARIATIONS:
            continue
        if category.startswith("M"):
            marks += 1
            if marks > _MARKS_IN_A_ROW or not kept:
                continue
        elif category.startswith("Z") or char in "\t\n\r" or char in _BLANKS:
            char, marks = " ", 0
        elif category.startswith("C") and not (char in _JOINERS and kept):
            continue
        else:
            marks = 0
        kept.append(char)
    words = " ".join("".join(kept).split())
    visible = any(unicodedata.category(char)[0] in "LNPS" for char in words)
    return words[:LINE_LENGTH] if visible else ""


def skeleton(text: str) -> str:
    """What a name looks like: two names with one skeleton cannot be told apart at a glance.

    >>> skeleton("Ana") == skeleton("\u0410\u200dn\u0430")
    True
    """
    alike = _alike()
    plain = unicodedata.normalize("NFD", text).translate(alike)
    plain = unicodedata.normalize("NFKD", plain).translate(alike).casefold().translate(alike)
    plain = plain.casefold().replace("i", "l").replace("vv", "w")
    return "".join(
        char for char in plain if unicodedata.category(char)[0] in "LNPS" and char not in _BLANKS
    )


@cache
def _alike() -> dict[int, str]:
    """What every letter that looks like another looks like (`workshop/lookalikes.py`)."""
    text = files("karma.table").joinpath("lookalikes.json").read_text("ascii")
    return {ord(char): looks for looks, chars in json.loads(text).items() for char in chars}
