"""Ports: what a server asks of its store, each named after what it is for."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from karma.protocol.state import Portrait
from karma.record import Record
from karma.store import Listing, LogPort


@dataclass(frozen=True)
class Person:
    """A person, or a program, with a name. The id is public and opens nothing."""

    id: str
    name: str
    email: str | None
    portrait: Portrait | None = None


class PlayersPort(Protocol):
    """People, and the hashes of the tokens that open their seats."""

    async def add(self, person: Person, token_hash: bytes) -> None:
        """Keeps a new person with a first token."""

    async def by_token(self, token_hash: bytes) -> Person | None:
        """The person whom a token belongs to."""

    async def change(self, person: Person) -> None:
        """Keeps another name, address or portrait of a person."""

    async def forget(self, player: str) -> None:
        """Deletes a person: tokens, name, address, portrait, ratings, the list of games.

        The games stay with those who played them, under the name of then."""

    async def has_token(self, player: str) -> bool:
        """Whether any token opens this person's seats."""


class NoticesPort(Protocol):
    """Whom to tell that it is their turn."""

    async def recipient(self, player: str) -> Person | None:
        """The person of this id, with the address for notices."""


@dataclass(frozen=True)
class KeptSubscription:
    """A browser that wants to be told, by its push service."""

    endpoint: str
    player: str
    p256dh: str
    """The browser's public key."""
    auth: str
    """What only the browser and this server know."""


@dataclass(frozen=True)
class KeyPair:
    """A key of the server's own."""

    secret: str
    public: str


class SubscriptionsPort(Protocol):
    """The browsers that want to be told when it is their player's turn."""

    async def key(self, made: KeyPair | None = None) -> KeyPair | None:
        """The key by which push services know this server; if there is none, the given one."""

    async def keep(self, subscription: KeptSubscription, most: int) -> None:
        """Keeps a browser; of more than so many of one person, the newest."""

    async def of_player(self, player: str) -> list[KeptSubscription]:
        """A person's browsers, the newest first."""

    async def forget(self, endpoint: str, player: str) -> None:
        """Forgets a person's browser."""


@dataclass(frozen=True)
class ListedTable:
    """A table as lists show it."""

    id: str
    listing: Listing
    touched: int
    """When something last happened there, in milliseconds since 1970."""
    seat: int | None = None
    """Where the person has a part whose list it is; None for watching."""


class TablesPort(Protocol):
    """What is known of tables without replaying their logs."""

    async def count_open(self, player: str) -> int:
        """At how many tables that are not closed a person has a part."""

    async def by_invite(self, invite: str) -> str | None:
        """The open table that an invite is for."""

    async def public(self, most: int) -> list[ListedTable]:
        """The open tables that everybody may see, the newest first."""

    async def of_player(self, player: str, most: int) -> list[ListedTable]:
        """The tables at which a person has a part, the newest first."""

    async def running_for_days(self) -> list[str]:
        """The tables whose clocks run while nobody is there."""

    async def delete_untouched(self, before: int, but: Collection[str]) -> None:
        """Deletes what was not touched since a time, with everything that hangs on it."""


@dataclass(frozen=True)
class KeptGame:
    """A finished game as lists show it."""

    table: str
    game: int
    edition: str
    players: tuple[str, ...]
    """Names, by seat."""
    people: tuple[str | None, ...]
    """The public ids of the people, by seat; None for bots."""
    loser: int | None
    places: tuple[int, ...]
    plies: int
    complete: bool
    """False for a game that was given up."""
    ended: int
    """Milliseconds since 1970."""


class GamesPort(Protocol):
    """Finished games, and their records."""

    async def all(self) -> list[KeptGame]:
        """Every game, the newest last."""

    async def of_table(self, table: str) -> list[KeptGame]:
        """A table's games in order."""

    async def of_player(self, player: str, most: int | None = None) -> list[tuple[KeptGame, int]]:
        """A person's games, the newest first, each with the seat."""

    async def record(self, table: str, game: int) -> Record | None:
        """The record of a game; None if there is no such finished game."""

    async def records(self, table: str | None = None) -> list[tuple[int, str]]:
        """The number and the line of each record, of one table or of all, the newest last."""


@dataclass(frozen=True)
class EditionTotals:
    """All complete games of an edition."""

    edition: str
    games: int
    stalled: int
    mean_plies: float


@dataclass(frozen=True)
class PlayerTotals:
    """A person's complete games of an edition, and the rating they give."""

    player: str
    name: str
    edition: str
    played: int
    lost: int
    rated: int
    rating: float | None
    """What the person is very likely to be worth; None without a rated game."""


class RatingsPort(Protocol):
    """What finished games say of people; counted as each game is kept."""

    async def of_player(self, player: str) -> list[PlayerTotals]:
        """One person's games, by edition."""

    async def editions(self) -> list[EditionTotals]:
        """All games, by edition."""

    async def best(self, edition: str, most: int) -> list[PlayerTotals]:
        """The people of the highest rating in an edition."""


@dataclass(frozen=True)
class KeptReview:
    """A review as it is shown, and who judged."""

    judge: str
    review: str


@dataclass(frozen=True)
class LuckTotals:
    """What chance has given a person in the complete games of an edition."""

    edition: str
    games: int
    luck: float
    squares: float
    """The sum of the squares of each game's."""


class ReviewsPort(Protocol):
    """What was found out about finished games."""

    async def of_game(self, table: str, game: int) -> KeptReview | None:
        """The review of a game, if there is one."""

    async def keep(self, table: str, game: int, kept: KeptReview) -> None:
        """Keeps the review of a game whose luck was counted, in the place of an older one."""

    async def count_luck(self, table: str, game: int, judge: str, luck: Sequence[float]) -> None:
        """Adds what chance gave the seats of a game to its people's totals, once for good.

        Nothing is counted for practice, for which no luck is given.
        """

    async def uncounted(self, most: int) -> list[tuple[str, int]]:
        """Some complete games whose luck has not been counted."""

    async def luck_of(self, player: str) -> list[LuckTotals]:
        """What a person has received, by edition."""


class ArchivePort(LogPort, Protocol):
    """The logs of all tables, to look through."""

    async def tables(self) -> list[str]:
        """The ids of all tables that have a log."""

    async def broken_links(self) -> list[tuple[str, int]]:
        """The entries, as table and number, at which a log is not what was written."""

    async def cut_off(self) -> list[tuple[str, int]]:
        """The tables whose newest entries are gone, with the number of the last that should be."""


@dataclass(frozen=True)
class SeatCode:
    """The seat that a one-time code is for."""

    table: str
    seat: int
    owner: str
    expires: int
    """Milliseconds since 1970."""


class CodesPort(Protocol):
    """The one-time codes by which another device takes over a seat."""

    async def keep(self, code_hash: bytes, code: SeatCode, now: int, most: int) -> bool:
        """Keeps a code, which voids an older one for its seat; False if there are too many."""

    async def take(self, code_hash: bytes) -> SeatCode | None:
        """What a code is for, once."""


Place = tuple[str, str]
"""A table, and a player at it."""


@dataclass
class Elsewhere:
    """A table as other workers know it."""

    version: int = 0
    """The number of its newest entry."""
    present: dict[str, str] = field(default_factory=dict)
    """Who is connected to it, and through which worker."""
    said: dict[str, bytes] = field(default_factory=dict)
    """What was said there lately through others, by an id."""


class WorkersPort(Protocol):
    """What the workers of one database have to know of each other."""

    async def renew(self, worker: str) -> None:
        """Keeps a worker, its leases and the presence of its people for a while longer."""

    async def retire(self, worker: str) -> None:
        """Ends a worker: its tables are anybody's at once."""

    async def bury(self) -> None:
        """Clears away what workers left that are gone."""

    async def take(self, worker: str, tables: Collection[str]) -> set[str]:
        """Takes the leases that nobody holds; returns all that the worker holds now."""

    async def release(self, worker: str, tables: Collection[str]) -> None:
        """Gives leases back."""

    async def unowned_for_days(self) -> list[str]:
        """The tables whose clocks run while nobody is there, and which no worker looks after."""

    async def note(self, worker: str, came: Collection[Place], went: Collection[Place]) -> None:
        """Notes who is connected through this worker, not any other, and who is not any more."""

    async def forget(self, player: str) -> list[str]:
        """Notes that somebody is connected nowhere any more; returns the tables where they were."""

    async def say(self, worker: str, table: str, id: str, body: bytes) -> None:
        """Passes on what somebody said."""

    async def look(self, worker: str, tables: Collection[str]) -> dict[str, Elsewhere]:
        """How far tables are, who is connected to them through whom, what was said elsewhere."""


class Store(Protocol):
    """Everything that a server keeps, wherever that is."""

    @property
    def log(self) -> ArchivePort: ...

    @property
    def players(self) -> PlayersPort: ...

    @property
    def notices(self) -> NoticesPort: ...

    @property
    def tables(self) -> TablesPort: ...

    @property
    def games(self) -> GamesPort: ...

    @property
    def ratings(self) -> RatingsPort: ...

    @property
    def reviews(self) -> ReviewsPort: ...

    @property
    def codes(self) -> CodesPort: ...

    @property
    def subscriptions(self) -> SubscriptionsPort: ...

    @property
    def workers(self) -> WorkersPort | None:
        """None where no other process can be."""

    @property
    def failing(self) -> bool:
        """Whether the last attempt to write failed."""

    @property
    def errors(self) -> int:
        """How many attempts have failed since the start."""

    async def damage(self) -> list[str]:
        """What is wrong with the whole of what is kept; nothing, if all is well."""

    def close(self) -> None:
        """Finishes what waits, and lets go of what is kept."""
