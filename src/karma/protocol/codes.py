"""The words that messages are made of: codes, never sentences.

A client translates them into its player's language; `parameters` beside a code fill the gaps of the
sentence. Each code's meaning and parameters are listed in docs/protocol.md.
"""

from typing import Literal

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
    "no_such_phrase",
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

NoticeCode = Literal[
    "bot_added",
    "bot_failed",
    "clock_ran_out",
    "dealt",
    "game_over",
    "game_stopped",
    "host_changed",
    "invite_rotated",
    "opened",
    "paused",
    "player_covered",
    "player_joined",
    "player_kicked",
    "player_left",
    "player_returned",
    "rematch_wanted",
    "resumed",
    "seat_moved",
    "seat_removed",
    "seed_missing",
    "settings_changed",
    "shuffling",
    "table_closed",
    "undone",
]

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
Clock = Literal["none", "relaxed", "fast", "days"]
Privacy = Literal["private", "public"]
Spectators = Literal["none", "live", "delayed"]
Cover = Literal["asked", "left", "absent", "clock"]
FairState = Literal["committing", "revealing", "dealt", "published"]

Parameter = str | int | list[str | int] | None
Parameters = dict[str, Parameter]
