"""The words that messages are made of: codes, never sentences.

A client translates them into its player's language; `parameters` beside a code fill the gaps of the
sentence. Each code's meaning and parameters are listed in docs/protocol.md.
"""

from typing import TYPE_CHECKING, Literal, TypeAlias

PROTOCOL = 1
"""The version of this protocol; a server refuses a client that speaks another."""

ErrorCode = Literal[
    "already_chosen",
    "already_seated",
    "bad_commitment",
    "bad_message",
    "bad_name",
    "bad_rules",
    "bad_seed",
    "bad_settings",
    "chat_off",
    "closed",
    "code_expired",
    "hello_first",
    "illegal_move",
    "kicked",
    "muted",
    "name_refused",
    "no_hints",
    "no_rating",
    "no_spectators",
    "no_such_bot",
    "no_such_game",
    "no_such_page",
    "no_such_seat",
    "no_such_table",
    "not_allowed",
    "not_covered",
    "not_host",
    "not_json",
    "not_over",
    "not_paused",
    "not_seated",
    "not_stored",
    "not_your_turn",
    "paused",
    "replaced",
    "seat_moved",
    "seat_taken",
    "server_error",
    "stale_game",
    "stale_ply",
    "stopped",
    "stopping",
    "table_full",
    "too_few_players",
    "too_fast",
    "too_large",
    "too_many_tables",
    "too_slow",
    "unknown_token",
    "wrong_invite",
    "wrong_method",
    "wrong_origin",
    "wrong_phase",
    "wrong_protocol",
]

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
    "seat_removed": ("seat", "name"),
    "seed_missing": ("seat", "name"),
    "settings_changed": (),
    "shuffling": ("game",),
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

Parameter = str | int | list[str | int] | None
Parameters = dict[str, Parameter]
