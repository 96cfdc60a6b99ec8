"""TableState: what a table is after the entries of its log: its seats, its settings, its games.

`apply` is the only way to change one, and depends on nothing but the log, so that replaying it
gives the same table again. Who is connected is not part of it.
"""

import dataclasses
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from karma import fair
from karma.editions import Rules, edition
from karma.game import Game
from karma.moves import Move
from karma.protocol.codes import Clock, Cover, NoticeCode, Parameter, TablePhase
from karma.protocol.state import Happening, Notice, Settings
from karma.record import Record
from karma.store import Finished
from karma.table.log import entries
from karma.table.log.choices import FaceUpChoices
from karma.table.log.deal import Deal
from karma.view import View

MOVE_SECONDS: dict[Clock, int | None] = {"none": None, "relaxed": 90, "fast": 20, "days": None}
DAY = 24 * 60 * 60
QUIET_TURNS_A_PLAYER = 40
MISSED_BEFORE_COVER = 3
REMEMBERED_STEPS = 128
REMEMBERED_ACTIONS = 64
LEAST_PLAYERS = 2
COVER_LEVEL = "greedy"
"""Whose moves a seat gets while, or since, its person is away."""


@dataclass
class Chair:
    """A seat and who sits in it: a person (`player`), or a bot of some level."""

    name: str
    player: str | None = None
    bot: str | None = None
    covered: Cover | None = None
    failed: bool = False
    rematch: bool = False
    missed: int = 0

    @property
    def moved_by_bot(self) -> bool:
        """Does a bot decide for this seat at the moment?"""
        return self.player is None or self.covered is not None


@dataclass
class Tally:
    """One player's evening."""

    name: str
    played: int = 0
    lost: int = 0


@dataclass(frozen=True)
class Step:
    """What one entry brought about."""

    happening: Happening
    finished: Finished | None


@dataclass
class TableState:
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
    """The last actions, and the versions of which they are part."""

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
        return self.game.view(seat)

    # ---- changing -------------------------------------------------------------------------------

    def copy(self) -> "TableState":
        """The same table, to go on with on its own."""
        copy = TableState.__new__(TableState)
        copy.__dict__.update(self.__dict__)
        copy.chairs = [Chair(**vars(chair)) for chair in self.chairs]
        copy.spectators = dict(self.spectators)
        copy.banned = set(self.banned)
        copy.tallies = {key: Tally(**vars(tally)) for key, tally in self.tallies.items()}
        copy.steps = self.steps.copy()
        copy.done = dict(self.done)
        copy.deal = self.deal.copy() if self.deal is not None else None
        if self.game is not None:
            copy.game = self.game.copy()
            if self.choosing is not None:
                copy.choosing = self.choosing.copy(copy.game)
        return copy

    def apply(self, line: entries.Line) -> Step:
        """Takes the next entry of the log, and tells what it brought about."""
        self._notices: list[Notice] = []
        self._events: list[Any] = []
        self._finished: Finished | None = None
        self._at = line.at
        _APPLY[type(line.entry)](self, line.entry)
        self.version += 1
        happening = Happening(
            version=self.version,
            at=line.at,
            game=self.number,
            ply=self.ply,
            events=self._events,
            notices=self._notices,
        )
        self.steps.append(happening)
        if line.player is not None and line.action is not None:
            self.done[line.player, line.action] = self.version
            if len(self.done) > REMEMBERED_ACTIONS * max(1, len(self.chairs)):
                del self.done[next(iter(self.done))]
        return Step(happening, self._finished)

    def _notice(self, code: NoticeCode, **parameters: Parameter) -> None:
        self._notices.append(Notice(code, parameters))

    def _notice_of(self, code: NoticeCode, seat: int, **parameters: Parameter) -> None:
        self._notice(code, seat=seat, name=self.chairs[seat].name, **parameters)

    # ---- people and bots ------------------------------------------------------------------------

    def _opened(self, entry: entries.Opened) -> None:
        self.settings, self.invite = entry.settings, entry.invite
        self.chairs = [Chair(entry.name, player=entry.player)]
        self.host = entry.player
        self._notice("opened")

    def _joined(self, entry: entries.Joined) -> None:
        self.spectators.pop(entry.player, None)
        if entry.seat == len(self.chairs):
            self.chairs.append(Chair(self._free_name(entry.name)))
            self._put_away()
        chair = self.chairs[entry.seat]
        if chair.player != entry.player:
            chair.name = self._free_name(entry.name, but=entry.seat)
        chair.player, chair.bot, chair.covered, chair.missed = entry.player, None, None, 0
        if self.host is None:
            self.host = entry.player
        self._notice_of("player_joined", entry.seat)

    def _free_name(self, name: str, but: int | None = None) -> str:
        taken = {chair.name for seat, chair in enumerate(self.chairs) if seat != but}
        free, number = name, 2
        while free in taken:
            free, number = f"{name} {number}", number + 1
        return free

    def _watching(self, entry: entries.Watching) -> None:
        self.spectators[entry.player] = entry.name

    def _left(self, entry: entries.Left) -> None:
        seat = self.seat_of(entry.player)
        if seat is None:
            self.spectators.pop(entry.player, None)
            return
        self._notice_of("player_left", seat)
        if self.between_games:
            self._remove(seat)
        else:
            self.chairs[seat].covered = "left"
        self._find_host()

    def _kicked(self, entry: entries.Kicked) -> None:
        chair = self.chairs[entry.seat]
        assert chair.player is not None
        self.banned.add(chair.player)
        self._notice_of("player_kicked", entry.seat)
        if self.between_games:
            self._remove(entry.seat)
        else:
            chair.player, chair.covered, chair.bot = None, None, COVER_LEVEL
        self._find_host()

    def _remove(self, seat: int) -> None:
        del self.chairs[seat]
        if self.dealer is not None and seat <= self.dealer:
            self.dealer -= 1
        self._put_away()

    def _put_away(self) -> None:
        """A finished game is put away once the table's seats are not the game's any more."""
        if self.phase == "over":
            self.game = None
            self.phase = "lobby"

    def _find_host(self) -> None:
        """The host's place goes to the next person when the host is gone."""
        seat = self.seat_of(self.host) if self.host is not None else None
        if seat is not None and seat in self.people:
            return
        people = self.people
        self.host = self.chairs[people[0]].player if people else None
        if people:
            self._notice_of("host_changed", people[0])

    def _bot_seated(self, entry: entries.BotSeated) -> None:
        if entry.seat == len(self.chairs):
            self.chairs.append(Chair(""))
            self._put_away()
        chair = self.chairs[entry.seat]
        chair.name = self._free_name(entry.level, but=entry.seat)
        chair.bot = entry.level
        self._notice_of("bot_added", entry.seat, level=entry.level)

    def _seat_removed(self, entry: entries.SeatRemoved) -> None:
        self._notice_of("seat_removed", entry.seat)
        self._remove(entry.seat)

    def _seat_moved(self, entry: entries.SeatMoved) -> None:
        chair = self.chairs[entry.seat]
        old, chair.player = chair.player, entry.player
        if self.host == old:
            self.host = entry.player
        self.spectators.pop(entry.player, None)
        if old in self.tallies:
            self.tallies[entry.player] = self.tallies.pop(old)
        self._notice_of("seat_moved", entry.seat)

    def _covered(self, entry: entries.Covered) -> None:
        self.chairs[entry.seat].covered = entry.why
        self._notice_of("player_covered", entry.seat, why=entry.why)

    def _returned(self, entry: entries.Returned) -> None:
        chair = self.chairs[entry.seat]
        chair.covered, chair.missed = None, 0
        self._notice_of("player_returned", entry.seat)

    # ---- the host's rights ----------------------------------------------------------------------

    def _changed(self, entry: entries.Changed) -> None:
        self.settings = entry.settings
        if entry.settings.spectators == "none":
            self.spectators.clear()
        self._notice("settings_changed")

    def _rotated(self, entry: entries.Rotated) -> None:
        self.invite = entry.invite
        self._notice("invite_rotated")

    def _handed_over(self, entry: entries.HandedOver) -> None:
        self.host = self.chairs[entry.seat].player
        self._notice_of("host_changed", entry.seat)

    def _paused(self, entry: entries.Paused) -> None:
        self.paused_at = self._at
        self._notice("paused")

    def _resumed(self, entry: entries.Resumed) -> None:
        assert self.paused_at is not None
        self.asked_at += self._at - self.paused_at
        self.paused_at = None
        self._notice("resumed")

    def _closed(self, entry: entries.Closed) -> None:
        if self.phase in ("deal", "playing"):
            self._give_up()
        self.phase = "closed"
        self._notice("table_closed")

    # ---- games ----------------------------------------------------------------------------------

    def _rematch_wanted(self, entry: entries.RematchWanted) -> None:
        self.chairs[entry.seat].rematch = True
        self._notice_of("rematch_wanted", entry.seat)

    def _shuffling(self, entry: entries.Shuffling) -> None:
        self._begin()
        self.phase = "deal"
        self.practice = False
        self.game = None
        self.deal = Deal(
            table=self.id,
            game=self.number,
            seats=len(self.chairs),
            people=self.people,
            asked=entry.seats,
            secret=bytes.fromhex(entry.secret),
            at=self._at,
        )
        self._notice("shuffling", game=self.number)
        if self.deal.ready:
            self._deal_out()

    def _begin(self) -> None:
        self.number += 1
        self.seed = None
        seats = len(self.chairs)
        self.dealer = seats - 1 if self.dealer is None else (self.dealer + 1) % seats
        for chair in self.chairs:
            chair.failed, chair.rematch, chair.missed = False, False, 0

    def _committed(self, entry: entries.Committed) -> None:
        assert self.deal is not None
        self.deal.commit(entry.seat, bytes.fromhex(entry.commitment), self._at)

    def _seed_shown(self, entry: entries.SeedShown) -> None:
        assert self.deal is not None
        self.deal.show(entry.seat, bytes.fromhex(entry.seed))
        if self.deal.ready:
            self._deal_out()

    def _seeds_closed(self, entry: entries.SeedsClosed) -> None:
        assert self.deal is not None
        self.deal.close(self._at)
        if self.deal.ready:
            self._deal_out()

    def _deal_out(self) -> None:
        assert self.deal is not None
        self.deal.finish()
        for seat in self.deal.missing:
            self._notice_of("seed_missing", seat)
        rules = rules_for(self.settings, len(self.chairs))
        deck = fair.deal(rules, self.id, self.number, self.deal.secret, self.deal.seeds)
        names = [chair.name for chair in self.chairs]
        self._play(Game(rules, names, deck=deck, dealer=self.dealer))

    def _play(self, game: Game) -> None:
        self.game = game
        self.phase = "playing"
        self.asked_at = self._at
        self.choosing = FaceUpChoices(game) if game.phase == "choose" else None
        self._notice("dealt", game=self.number, dealer=game.dealer, seed=self.seed)

    def _dealt(self, entry: entries.Dealt) -> None:
        self._begin()
        self.practice, self.deal, self.seed = False, None, entry.seed
        rules = rules_for(self.settings, len(self.chairs))
        names = [chair.name for chair in self.chairs]
        self._play(Game(rules, names, deck=entry.deck, dealer=self.dealer))

    def _forked(self, entry: entries.Forked) -> None:
        self._begin()
        self.chairs.insert(entry.seat, self.chairs.pop(0))
        record = dataclasses.replace(
            Record.loads(entry.record), players=tuple(chair.name for chair in self.chairs)
        )
        game = record.deal()
        for text in record.moves[: entry.ply]:
            game.push(text)
        if game.phase == "choose":  # half-made choices cannot be asked for again
            game = record.deal()
        self.practice = True
        self.deal = None
        self.dealer = game.dealer
        self._play(game)

    def _made(self, entry: entries.Made) -> None:
        assert self.game is not None
        chair = self.chairs[entry.seat]
        moves = [Move(text) for text in entry.moves]
        if self.choosing is not None:
            self.choosing.choose(entry.seat, moves)
            if self.choosing.complete:
                self._events += self.choosing.play()
                self.choosing = None
                self.asked_at = self._at
        else:
            (move,) = moves
            self._events += self.game.push(move)
            self.asked_at = self._at
        if entry.by == "person":
            chair.missed = 0
        elif entry.by == "safe":
            chair.failed = True
            self._notice_of("bot_failed", entry.seat, why=entry.why)
        elif entry.by == "clock":
            self._ran_out(entry.seat)
        if self.game.over:
            self._end()

    def _ran_out(self, seat: int) -> None:
        chair = self.chairs[seat]
        self._notice_of("clock_ran_out", seat)
        chair.missed += 1
        if chair.missed >= MISSED_BEFORE_COVER and chair.covered is None:
            chair.covered = "clock"
            self._notice_of("player_covered", seat, why="clock")

    def _undone(self, entry: entries.Undone) -> None:
        assert self.game is not None
        while self.game.ply > entry.ply:
            self.game.pop()
        self.practice = True
        self.undone += 1
        self.asked_at = self._at
        self._notice("undone", ply=entry.ply)

    def _end(self) -> None:
        assert self.game is not None and self.game.outcome is not None
        loser = self.game.outcome.loser
        self._notice("game_over", game=self.number, loser=loser)
        if not self.practice:
            for seat, chair in enumerate(self.chairs):
                tally = self.tallies.setdefault(chair.player or f"bot {chair.name}", Tally(""))
                tally.name = chair.name
                tally.played += 1
                tally.lost += seat == loser
        self._put_down(complete=True)

    def _given_up(self, entry: entries.GivenUp) -> None:
        self._give_up()

    def _give_up(self) -> None:
        self._notice("game_stopped", game=self.number)
        if self.game is None:
            self.phase = "lobby"
            if self.deal is not None:
                self.deal.publish()
        else:
            self._put_down(complete=False)

    def _put_down(self, *, complete: bool) -> None:
        """The game has ended: its secret is published, its record is kept, the gone are gone."""
        assert self.game is not None
        extra: dict[str, Any] = {"date": self._at}
        if self.deal is not None:
            self.deal.publish()
            extra["fair"] = self.deal.record()
        if self.seed is not None:
            extra["seed"] = self.seed
        if self.practice:
            extra["practice"] = True
        self._finished = Finished(
            game=self.number,
            record=Record.of(self.game, **extra),
            players=tuple(chair.player for chair in self.chairs),
            rated=self.settings.rated and complete and not self.practice,
            complete=complete,
        )
        self.phase = "over"
        self.choosing = None
        self.paused_at = None
        for chair in self.chairs:
            if chair.covered == "left":
                chair.player, chair.covered, chair.bot = None, None, COVER_LEVEL


_APPLY: dict[type[entries.Entry], Any] = {
    entries.Opened: TableState._opened,
    entries.Joined: TableState._joined,
    entries.Watching: TableState._watching,
    entries.Left: TableState._left,
    entries.Kicked: TableState._kicked,
    entries.BotSeated: TableState._bot_seated,
    entries.SeatRemoved: TableState._seat_removed,
    entries.SeatMoved: TableState._seat_moved,
    entries.Covered: TableState._covered,
    entries.Returned: TableState._returned,
    entries.Changed: TableState._changed,
    entries.Rotated: TableState._rotated,
    entries.HandedOver: TableState._handed_over,
    entries.Paused: TableState._paused,
    entries.Resumed: TableState._resumed,
    entries.RematchWanted: TableState._rematch_wanted,
    entries.Shuffling: TableState._shuffling,
    entries.Committed: TableState._committed,
    entries.SeedShown: TableState._seed_shown,
    entries.SeedsClosed: TableState._seeds_closed,
    entries.Forked: TableState._forked,
    entries.Dealt: TableState._dealt,
    entries.Made: TableState._made,
    entries.Undone: TableState._undone,
    entries.GivenUp: TableState._given_up,
    entries.Closed: TableState._closed,
}


def rules_for(settings: Settings, players: int) -> Rules:
    """The rules of these settings; a game that goes round ends, unless the host says otherwise."""
    rules = edition(settings.edition, **settings.rules)
    if "stall_limit" in settings.rules:
        return rules
    return rules.replace(stall_limit=QUIET_TURNS_A_PLAYER * players)
