"""TableState: what a table is after the entries of its log: its seats, its settings, its games.

`apply` is the only way to change one, and depends on nothing but the log, so that replaying it
gives the same table again. What each entry does is beside the entry. Who is connected is not part
of the state.
"""

from collections import deque
from copy import copy
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from karma.editions import LEAST_PLAYERS, Rules, edition
from karma.game import Game
from karma.protocol.codes import Cover, MoveClock, TablePhase
from karma.protocol.state import Happening, Portrait, Settings
from karma.store import Finished, Listing
from karma.table.log.choices import FaceUpChoices
from karma.table.log.deal import Deal
from karma.table.log.entry import Step
from karma.view import View

if TYPE_CHECKING:
    from karma.table.log.envelope import Envelope

MOVE_SECONDS: dict[MoveClock, int | None] = {"none": None, "relaxed": 90, "fast": 20, "days": None}
DAY = 24 * 60 * 60
REMEMBERED_STEPS = 128
REMEMBERED_REQUESTS = 64
COVER_LEVEL = "greedy"
"""Whose moves a seat gets while, or since, its person is away."""


class Chair(Struct, gc=False):
    """A seat and who sits in it: a person (`player`), or a bot of some level."""

    name: str
    player: str | None = None
    portrait: Portrait | None = None
    """How the person wants to be drawn."""
    bot: str | None = None
    covered: Cover | None = None
    failed: bool = False
    rematch: bool = False
    missed: int = 0
    offered: bool = False
    """The host lets somebody take this seat over in the running game."""
    taken_over: bool = False
    """Somebody did, and keeps it for this game."""
    stand_in: str | None = None
    """The level of the bot whose seat this was, which plays again when its person goes."""

    @property
    def level(self) -> str:
        """Of which level a bot is that moves for this seat."""
        return self.bot or self.stand_in or COVER_LEVEL

    @property
    def moved_by_bot(self) -> bool:
        """Does a bot decide for this seat at the moment?"""
        return self.player is None or self.covered is not None


class Tally(Struct, gc=False):
    """One player's evening."""

    name: str
    played: int = 0
    lost: int = 0


class TableState(Struct):
    """A table as its log has made it."""

    id: str
    version: int = 0
    settings: Settings = field(default_factory=Settings)
    phase: TablePhase = "lobby"
    chairs: list[Chair] = field(default_factory=list)
    host: str | None = None
    invite: str = ""
    spectators: dict[str, str] = field(default_factory=dict)
    banned: set[str] = field(default_factory=set)
    given_up: list[int] = field(default_factory=list)
    """The games that were begun and given up, their deals included."""
    sat: dict[str, int] = field(default_factory=dict)
    """Who has had which seat in the present game, and so has seen its hand."""
    paused_at: int | None = None
    number: int = 0
    dealer: int | None = None
    game: Game | None = None
    choosing: FaceUpChoices | None = None
    deal: Deal | None = None
    practice: bool = False
    seed: int | None = None
    """What the present game was dealt from, where that is no fair deal."""
    asked_at: int = 0
    """When the present decision began."""
    undone: int = 0
    """How often moves were taken back: tells two decisions at one ply apart."""
    tallies: dict[str, Tally] = field(default_factory=dict)
    steps: deque[Happening] = field(default_factory=lambda: deque(maxlen=REMEMBERED_STEPS))
    done: dict[tuple[str, str], int] = field(default_factory=dict)
    """The last requests that were done, and the versions of which they are part."""
    views: dict[int | None, View] = field(default_factory=dict)
    """What has been looked at since the last entry: everybody is told of the same view."""

    # ---- asking ---------------------------------------------------------------------------------

    @property
    def paused(self) -> bool:
        return self.paused_at is not None

    @property
    def rules(self) -> Rules:
        """The rules of the present game, or of the next one with the present seats."""
        if self.game is not None and self.phase == "playing":
            return self.game.rules
        return rules_for(self.settings, max(len(self.chairs), LEAST_PLAYERS))

    @property
    def ply(self) -> int:
        return self.game.ply if self.game is not None else 0

    @property
    def between_games(self) -> bool:
        return self.phase in ("lobby", "over")

    @property
    def move_seconds(self) -> int | None:
        if self.settings.clock == "days":
            return self.settings.days * DAY
        return MOVE_SECONDS[self.settings.clock]

    @property
    def people(self) -> list[int]:
        """The seats in which people sit who have not gone away."""
        return [i for i, c in enumerate(self.chairs) if c.player and c.covered != "left"]

    def seat_of(self, player: str) -> int | None:
        """A player's seat; None without one."""
        for seat, chair in enumerate(self.chairs):
            if chair.player == player:
                return seat
        return None

    def asked(self) -> list[int]:
        """The seats that have to decide something now."""
        if self.phase != "playing" or self.game is None or self.game.actor is None:
            return []
        if self.choosing is not None:
            return [s for s in range(len(self.chairs)) if not self.choosing.chosen(s)]
        return [self.game.actor]

    def view(self, seat: int | None) -> View | None:
        """What a seat, or the audience, sees of the game; None before the first deal."""
        if self.game is None:
            return None
        if self.choosing is not None and seat is not None:
            return self.choosing.view(seat)
        if seat not in self.views:
            self.views[seat] = self.game.view(seat)
        return self.views[seat]

    def listing(self) -> Listing:
        """What is kept of a table beside its log."""
        settings = self.settings
        chairs = [self.chairs[seat] for seat in self.asked()]
        people = [(chair.player, seat) for seat, chair in enumerate(self.chairs) if chair.player]
        return Listing(
            phase=self.phase,
            public=settings.privacy == "public",
            edition=settings.edition,
            rules=settings.rules,
            clock=settings.clock,
            invite=self.invite,
            names=tuple([chair.name for chair in self.chairs]),
            players=(*people, *[(player, None) for player in self.spectators]),
            asked=tuple([c.player for c in chairs if c.player and not c.moved_by_bot]),
            most_players=self.rules.most_players,
            spectators=settings.spectators != "none",
        )

    # ---- changing -------------------------------------------------------------------------------

    def copy(self) -> "TableState":
        """The same table, to go on with on its own."""
        after = copy(self)
        after.chairs = [replace(chair) for chair in self.chairs]
        after.spectators = dict(self.spectators)
        after.banned = set(self.banned)
        after.sat = dict(self.sat)
        after.given_up = list(self.given_up)
        after.tallies = {key: replace(tally) for key, tally in self.tallies.items()}
        after.steps = self.steps.copy()
        after.done = dict(self.done)
        after.views = {}
        after.deal = self.deal.copy() if self.deal is not None else None
        if self.game is not None:
            after.game = self.game.copy()
            if self.choosing is not None:
                after.choosing = self.choosing.copy(after.game)
        return after

    def apply(self, envelope: "Envelope") -> tuple[Happening, Finished | None]:
        """Takes the next entry of the log; tells what happened, and the game that ended by it."""
        step = Step(envelope.at, envelope.date or envelope.at)
        envelope.entry.apply(self, step)
        self.views.clear()
        self.version += 1
        happening = Happening(
            version=self.version,
            at=step.at,
            game=self.number,
            ply=self.ply,
            events=step.events,
            notices=step.notices,
        )
        self.steps.append(happening)
        if envelope.player is not None and envelope.action is not None:
            self.done[envelope.player, envelope.action] = self.version
            if len(self.done) > REMEMBERED_REQUESTS * max(1, len(self.chairs)):
                del self.done[next(iter(self.done))]
        return happening, step.finished


def rules_for(settings: Settings, players: int) -> Rules:
    """The rules of these settings; a game that goes round ends, unless the host says otherwise."""
    rules = edition(settings.edition, **settings.rules)
    return rules.for_table(players, chosen=settings.rules)
