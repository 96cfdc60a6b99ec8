"""Letters for a terminal that is not UTF-8: what it cannot show is written in letters it has."""

import codecs
import sys
import unicodedata

HANDLER = "karma-plain-letters"
LETTERS = str.maketrans(
    {
        "…": "...",
        "×": "x",
        "–": "-",
        "—": "-",
        "≤": "<=",
        "’": "'",
        "“": '"',
        "”": '"',
        "„": '"',
        "«": '"',
        "»": '"',
        "·": "-",
        "ß": "ss",
        "→": "->",
    }
)


def plain_letters(error: UnicodeError) -> tuple[str, int]:
    """What stands for the characters that could not be written.

    >>> plain_letters(UnicodeEncodeError("ascii", "7×2 …", 1, 2, ""))
    ('x', 2)
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = unicodedata.normalize("NFKD", error.object[error.start : error.end].translate(LETTERS))
    kept = "".join(letter for letter in text if not unicodedata.combining(letter))
    return kept.encode("ascii", "replace").decode(), error.end


def use_plain_letters() -> None:
    """Lets standard output and standard error write anything, whatever their encoding is.

    What is typed and makes no sense in it is nonsense, not a failure.
    """
    codecs.register_error(HANDLER, plain_letters)
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors=HANDLER)


def is_utf8() -> bool:
    """Can standard output show every character?"""
    try:
        return codecs.lookup(sys.stdout.encoding or "ascii").name == "utf-8"
    except LookupError:
        return False
