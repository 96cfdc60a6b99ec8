"""Facts: what a person can see after a move, by which two moves are told apart."""

from typing import Literal, get_args

FactCode = Literal[
    "next_picks_up", "i_pick_up", "i_am_out", "set_falls", "cards_held", "karma_held"
]
FACTS: tuple[FactCode, ...] = get_args(FactCode)
