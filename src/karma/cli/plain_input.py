"""What a player types in plain text: commands by letter or word, and moves."""

from collections.abc import Sequence

from karma.moves import InvalidMove, Move
from karma.refusals import why_not
from karma.text import refusal_text
from karma.texts import Texts
from karma.view import View

LETTERS = {
    "?": "help",
    "v": "state",
    "a": "hand",
    "l": "log",
    "i": "pile",
    "o": "counts",
    "h": "hint",
    "u": "undo",
    "m": "menu",
    "r": "rules",
    "q": "quit",
}
"""The keys of the table in the terminal; none of them is the text of a move."""


def commands(say: Texts) -> dict[str, str]:
    """Every letter and word that is a command, and which."""
    return {
        **LETTERS,
        **{name: name for name in LETTERS.values()},
        **{say(f"play_word_{name}"): name for name in LETTERS.values()},
    }


def move_texts(moves: Sequence[Move]) -> str:
    """Moves as they are typed."""
    return ", ".join(map(str, in_order(moves)))


def in_order(moves: Sequence[Move]) -> list[Move]:
    """Moves as a person would sort them: a 7 before a 10."""
    return sorted(moves, key=lambda move: move.number)


def read_move(entry: str, view: View, say: Texts) -> Move | str:
    """The legal move that was typed, or the sentence that says why there is none.

    The marks ``^``, ``>`` and ``?`` may be left out, and a player be given the pile by name.
    """
    text = "".join(entry.upper().split()).replace("Х", "X").replace("×", "X").replace("X", "x")
    seats = [f">{seat}" for seat, name in enumerate(view.players) if name.upper() == entry.upper()]
    legal = {move.text: move for move in view.legal}
    marks = sorted({move.text[0] for move in view.legal} & set("^>?"))
    candidates = [*(mark + text for mark in marks), *seats, text]
    for candidate in candidates:
        if candidate in legal:
            return legal[candidate]
    for candidate in candidates:
        try:
            return refusal_text(why_not(view, Move(candidate)), say)
        except InvalidMove:
            continue
    shown = entry if len(entry) <= 20 else entry[:20] + "…"
    return say("play_nonsense", entry=shown, moves=move_texts(view.legal))
