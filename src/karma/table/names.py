"""Names, and lines of chat without what deceives the eye or breaks a screen."""

import unicodedata

NAME_LENGTH = 24
LINE_LENGTH = 300
_MARKS_IN_A_ROW = 2
_JOINERS = "\u200c\u200d"  # some scripts cannot be written without them


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
        if category.startswith("M"):
            marks += 1
            if marks > _MARKS_IN_A_ROW or not kept:
                continue
        elif category.startswith("Z") or char in "\t\n\r":
            char, marks = " ", 0
        elif category.startswith("C") and not (char in _JOINERS and kept):
            continue
        else:
            marks = 0
        kept.append(char)
    words = " ".join("".join(kept).split())
    visible = any(unicodedata.category(char)[0] in "LNPS" for char in words)
    return words[:LINE_LENGTH] if visible else ""
