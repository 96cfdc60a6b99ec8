"""The keys of a seat at a table: a few to show, and all of them for the page of help."""

from __future__ import annotations

from karma.texts import Texts
from karma.tui.mirror import Mirror

Key = tuple[str, str, str]
"""A key's name, what it does, and its action."""


def short_keys(mirror: Mirror, say: Texts, *, far: bool) -> list[Key]:
    """The keys that do something now, for the foot of the screen."""
    table, you = mirror.table, mirror.you
    last = [("q", say("tui_key_quit"), "leave"), ("?", say("tui_key_help"), "help")]
    people = [("m", say("tui_key_menu"), "menu"), ("y", say("tui_key_talk"), "talk")] if far else []
    if mirror.view is None:
        host = you is not None and you.host and table is not None and table.phase == "lobby"
        return [*([("⏎", say("deal"), "decide")] if host else []), *people, *last]
    rules = ("r", say("tui_key_rules"), "rules")
    if mirror.view.phase == "over":
        return [("e", say("tui_to_end"), "end"), *people, rules, *last]
    if mirror.view.seat is None:
        return [*people, rules, *last]
    helped = table is not None and table.hints
    return [
        ("←→", say("tui_key_card"), "step(1)"),
        ("↑↓", say("tui_key_more"), "more(1)"),
        ("⏎", say("tui_key_play"), "decide"),
        ("p", say("tui_key_pick_up"), "pick_up"),
        *([("h", say("tui_key_hint"), "hint")] if helped else []),
        *people,
        rules,
        *([("u", say("tui_key_undo"), "undo")] if helped else []),
        *last,
    ]


def seat_keys(say: Texts, *, far: bool) -> list[Key]:
    """What every key does for somebody in a seat."""
    return [
        ("← →", say("tui_long_card"), "step(1)"),
        ("1…16 g f t b", say("tui_long_type"), "help"),
        ("↑ ↓", say("tui_long_more"), "more(1)"),
        ("⏎ space", say("tui_long_play"), "decide"),
        ("p", say("tui_long_pick_up"), "pick_up"),
        ("d n", say("tui_long_draw"), "draw"),
        ("h", say("tui_long_hint"), "hint"),
        ("u", say("play_meaning_undo"), "undo"),
        ("a", say("play_meaning_hand"), "own_hand"),
        ("i", say("play_meaning_pile"), "own_pile"),
        ("o", say("play_meaning_counts"), "counts"),
        ("c", say("tui_long_confirm"), "confirm"),
        ("y", say("tui_long_talk"), "talk"),
        *([("m", say("tui_long_menu"), "menu")] if far else []),
    ]
