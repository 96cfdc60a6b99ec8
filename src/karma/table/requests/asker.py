"""Asker: who asks something of a table, and what several answers to that depend on."""

from collections.abc import Callable, Set
from typing import Any

from msgspec import Struct

from karma.editions import LEAST_PLAYERS, RulesError
from karma.protocol.state import Settings
from karma.refusals import Refusal
from karma.table.allowance import WINDOW, Allowance
from karma.table.bots.thoughts import Thoughts
from karma.table.clients.chat import Talk
from karma.table.clients.client import Client
from karma.table.log.entry import Entry
from karma.table.log.state import Chair, TableState, rules_for

Entries = list[Entry]


class Asker(Struct, frozen=True):
    """Who asks, of which table, and what of the world outside the log matters for the answer."""

    state: TableState
    player: str
    present: Set[str]
    """The players who are connected."""
    away_since: Callable[[str], int]
    """Since when the table has missed a player who is not."""
    levels: tuple[str, ...]
    """The levels of the bots there are."""
    secret: Callable[[int], bytes]
    """Where unguessable bytes come from."""
    thoughts: Thoughts
    talk: Talk
    allowance: Allowance
    now: int
    client: Client | None = None
    """The connection that the request came by, if it did."""
    ask_seeds: bool = True
    """Whether people are asked for seeds of the fair deal."""
    crowded: Callable[[], int | None] = lambda: None
    """How many seconds bots have to wait for each other, where no more work is to be theirs."""

    @property
    def connection(self) -> Client:
        """The connection that the request came by; refused without one."""
        if self.client is None:
            raise Refusal("hello_first")
        return self.client

    def needs_seat(self) -> int:
        """The asker's seat; refused without one."""
        seat = self.state.seat_of(self.player)
        if seat is None:
            raise Refusal("not_seated")
        return seat

    @property
    def seat(self) -> int:
        return self.needs_seat()

    @property
    def chair(self) -> Chair:
        return self.state.chairs[self.seat]

    def needs_host(self) -> None:
        """Refuses anybody but the host."""
        if self.state.seat_of(self.player) is None or self.state.host != self.player:
            raise Refusal("not_host")

    def needs_phase(self, *phases: str) -> None:
        """Refuses in other phases of the table."""
        if self.state.phase == "closed":
            raise Refusal("closed")
        if self.state.phase not in phases:
            raise Refusal("wrong_phase", phase=self.state.phase)

    def needs_allowance(self) -> None:
        """Refuses who has changed too much just now: each change is kept for good, and told."""
        if self.allowance.used_up(self.player, self.now):
            raise Refusal("too_fast", seconds=WINDOW // 1000)

    def chair_at(self, seat: int) -> Chair:
        """The chair of a seat; refused if there is none."""
        if seat >= len(self.state.chairs):
            raise Refusal("no_such_seat")
        return self.state.chairs[seat]


def needs_room_for_bots(asker: Asker) -> None:
    """Refuses more work for bots who have too much of it already."""
    seconds = asker.crowded()
    if seconds is not None:
        raise Refusal("too_fast", seconds=seconds)


def needs_level(asker: Asker, level: str) -> None:
    """Refuses a bot that does not exist."""
    if level not in asker.levels:
        raise Refusal("no_such_bot", levels=list(asker.levels))


def needs_rules(settings: Settings) -> Any:
    """The rules of these settings; refused if there are no such rules."""
    try:
        return rules_for(settings, LEAST_PLAYERS)
    except (RulesError, TypeError) as error:
        raise Refusal("bad_rules", reason=str(error)) from None


_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def new_code(secret: Callable[[int], bytes]) -> str:
    """A short code that can be read aloud: 40 random bits without letters that look alike."""
    number = int.from_bytes(secret(5), "big")
    letters = [_ALPHABET[number >> 5 * place & 31] for place in range(8)]
    return "".join(letters[:4]) + "-" + "".join(letters[4:])
