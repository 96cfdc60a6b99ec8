"""News: what happened at a table, as sentences for somebody who sits there or watches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from karma.advice import advice_text
from karma.events import AnyEvent, Chose, Drew, Event
from karma.moves import Move
from karma.protocol.messages import Advice
from karma.protocol.state import Happening, Notice
from karma.review.facts import facts_text
from karma.text import error_text, event_text
from karma.texts import Texts
from karma.tui.mirror import Mirror
from karma.view import View

DULL = ("opened", "shuffling", "seed_missing", "bot_added", "game_over", "settings_changed")
"""Notices that are no news to somebody at the table."""


def events_of(happened: Sequence[Happening]) -> list[Event]:
    """The game's events in what happened."""
    return [msgspec.convert(event, AnyEvent) for step in happened for event in step.events]


def lines(happened: Sequence[Happening], mirror: Mirror, say: Texts) -> list[str]:
    """What happened, a sentence a thing; what everybody does at every turn is no news."""
    found: list[str] = []
    for step in happened:
        found += notice_lines(step.notices, mirror, say)
        if mirror.view is not None:
            found += event_lines(events_of([step]), mirror.view, say)
    return found


def lines_of_this_game(happened: Sequence[Happening], mirror: Mirror, say: Texts) -> list[str]:
    """What happened in the present game, for somebody who comes back to it."""
    number = mirror.table.game if mirror.table is not None else 0
    return lines([step for step in happened if step.game == number], mirror, say)


def hint_text(advice: Advice, view: View, say: Texts) -> str:
    """What was advised, why, and the numbers where there are some."""
    told = advice_text([Move(text) for text in advice.moves], advice.reasons, view, say)
    if advice.instead is None:
        return told
    return f"{told} {facts_text(Move(advice.instead), advice.facts, view, say)}"


def event_lines(events: Sequence[Event], view: View, say: Texts) -> list[str]:
    """The game's events as sentences."""
    news = [event for event in events if not isinstance(event, (Chose, Drew))]
    return [event_text(event, view.players, view.seat, say) for event in news]


def notice_lines(notices: Sequence[Notice], mirror: Mirror, say: Texts) -> list[str]:
    """The table's notices as sentences."""
    return [
        line
        for notice in notices
        if notice.code not in DULL
        for line in _notice_lines(notice, mirror, say)
    ]


def _notice_lines(notice: Notice, mirror: Mirror, say: Texts) -> list[str]:
    values = {key: value for key, value in notice.parameters.items() if value is not None}
    own = mirror.you is not None and values.get("seat") == mirror.you.seat is not None
    if notice.code == "dealt":
        return _dealt_lines(values, mirror, say)
    if notice.code == "rematch_wanted" and own:
        return []
    return [say(f"notice_{notice.code}", who="you" if own else "other", **values)]


def _dealt_lines(values: Mapping[str, object], mirror: Mirror, say: Texts) -> list[str]:
    dealer = int(str(values["dealer"]))
    names = [seat.name for seat in mirror.seats]
    name = names[dealer] if dealer < len(names) else ""
    told = [say("notice_dealt", name=name)]
    if "seed" in values:
        told.append(say("news_seed", seed=values["seed"]))
    return told


def told_error(code: str, parameters: Mapping[str, object], say: Texts) -> str:
    """Why something was not done, or the table is gone; newer servers may have other codes."""
    if f"error_{code}" not in say:
        return say("error_unknown", code=code)
    return error_text(code, parameters, say)
