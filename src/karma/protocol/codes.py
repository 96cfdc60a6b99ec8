"""The words that messages are made of: codes, never sentences.

A client translates them into its player's language; `parameters` beside a code fill the gaps of the
sentence. Each code's meaning and parameters are listed in docs/protocol.md.
"""

from typing import TYPE_CHECKING, Literal, TypeAlias

from karma.refusals import Parameter as Parameter
from karma.refusals import Parameters as Parameters
from karma.refusals import RefusalCode

PROTOCOL = 1
"""The version of this protocol; a server refuses a client that speaks another."""

ErrorCode = RefusalCode
"""Why something asked is not done, or why a connection ends."""

NOTICES: dict[str, tuple[str, ...]] = {
    "bot_added": ("seat", "name", "level"),
    "bot_failed": ("seat", "name", "why"),
    "clock_ran_out": ("seat", "name"),
    "dealt": ("game", "dealer", "seed"),
    "game_over": ("game", "loser"),
    "game_stopped": ("game",),
    "host_changed": ("seat", "name"),
    "invite_rotated": (),
    "opened": (),
    "paused": (),
    "player_covered": ("seat", "name", "why"),
    "player_joined": ("seat", "name"),
    "player_kicked": ("seat", "name"),
    "player_left": ("seat", "name"),
    "player_returned": ("seat", "name"),
    "rematch_wanted": ("seat", "name"),
    "resumed": (),
    "seat_moved": ("seat", "name"),
    "seat_offered": ("seat", "name"),
    "seat_removed": ("seat", "name"),
    "seat_taken_over": ("seat", "name", "before"),
    "seat_withdrawn": ("seat", "name"),
    "seed_left_out": ("seat", "name"),
    "seed_missing": ("seat", "name"),
    "settings_changed": (),
    "shuffling": ("game",),
    "spectator_sent_away": ("name",),
    "table_closed": (),
    "undone": ("ply",),
}
"""Every notice, and its parameters."""

if TYPE_CHECKING:
    NoticeCode: TypeAlias = str
else:
    NoticeCode = Literal[tuple(NOTICES)]

Phrase = Literal[
    "hello",
    "good_luck",
    "well_played",
    "thanks",
    "sorry",
    "oops",
    "ouch",
    "laugh",
    "thinking",
    "hurry",
    "one_moment",
    "what_goes_around",
    "good_game",
    "bye",
]

TablePhase = Literal["lobby", "deal", "playing", "over", "closed"]
MoveClock = Literal["none", "relaxed", "fast", "days"]
Privacy = Literal["private", "public"]
Spectators = Literal["none", "live", "delayed"]
Cover = Literal["asked", "left", "absent", "clock"]
FairState = Literal["committing", "revealing", "dealt", "published"]
