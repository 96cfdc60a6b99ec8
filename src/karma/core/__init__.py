"""The rules of Karma, as compiled functions on plain records.

The kernels `deal`, `legal`, `apply`, `observe`, `prepare` and `determinize` are for other kernels;
the entry points `start`, `step`, `play_moves`, `legal_moves`, `look`, `in_a_row` and `imagine` are
for Python.
"""

from karma.core.entries import (
    REFUSED,
    imagine,
    in_a_row,
    is_legal,
    legal_moves,
    look,
    play_moves,
    start,
    step,
)
from karma.core.layout import LARGE_STATE, RULES, SMALL_STATE, VIEW, new_log, new_view
from karma.core.rules import apply, deal, fill_deck, legal
from karma.core.views import determinize, observe, prepare

__all__ = [
    "LARGE_STATE",
    "REFUSED",
    "RULES",
    "SMALL_STATE",
    "VIEW",
    "apply",
    "deal",
    "determinize",
    "fill_deck",
    "imagine",
    "in_a_row",
    "is_legal",
    "legal",
    "legal_moves",
    "look",
    "new_log",
    "new_view",
    "observe",
    "play_moves",
    "prepare",
    "start",
    "step",
]
