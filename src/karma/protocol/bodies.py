"""The bodies of HTTP requests and answers."""

from typing import Annotated

from msgspec import Meta, Struct, field

from karma.events import AnyEvent
from karma.protocol.codes import ErrorCode, Parameters, TablePhase
from karma.protocol.state import (
    Counts,
    Name,
    Portrait,
    Seat,
    SeatNumber,
    Settings,
    TableInfo,
    ViewData,
)
from karma.review.facts import FactCode


class Body(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A body that a client sends."""


class Problem(Struct, frozen=True, kw_only=True):
    """The body of every answer with a status of 400 and above."""

    code: ErrorCode
    parameters: Parameters = field(default_factory=dict)


class Health(Struct, frozen=True, kw_only=True):
    """`GET /api/health`."""

    status: str
    version: str
    protocol: int
    tables: int
    sockets: int


class EditionInfo(Struct, frozen=True, kw_only=True):
    """An edition a table can play."""

    edition: str
    rules: dict[str, bool | int | str]
    least_players: int
    most_players: int


class OptionInfo(Struct, frozen=True, kw_only=True):
    """An option of the rules, with the values it can take."""

    option: str
    values: list[bool | int | str]


class About(Struct, frozen=True, kw_only=True):
    """`GET /api/about`: what this server offers."""

    version: str
    protocol: int
    editions: list[EditionInfo]
    options: list[OptionInfo]
    bots: list[str]
    """Levels, the weakest first."""
    phrases: list[str]
    clocks: dict[str, int | None]
    """Seconds for a decision, by clock."""
    public_url: str
    """The address under which friends reach this server."""
    secure: bool
    """False on plain http: cookies then travel readable by the network."""
    notices: list[str]
    """How players of games that last days can be told: `email`, `webhook`, `push`, or nothing."""
    push_key: str | None = None
    """The key by which push services know this server, for browsers that subscribe."""


class NewPlayer(Body, frozen=True, kw_only=True):
    """`POST /api/player`: a name to play under."""

    name: Name
    bearer: bool = False
    """For programs: the token comes in the answer instead of a cookie."""


class ChangePlayer(Body, frozen=True, kw_only=True):
    """`PUT /api/player`: another name, another portrait, or where notices go."""

    name: Name | None = None
    portrait: Portrait | None = None
    email: Annotated[str, Meta(max_length=254)] | None = None
    """Where to tell that it is your turn, in games that last days; a code is sent there first.
    Empty to stop."""
    code: Annotated[str, Meta(max_length=20)] | None = None
    """The code that was sent to a new address: with it, the address is yours."""


class SubscriptionKeys(Body, frozen=True, kw_only=True):
    """What a browser's push service gave it to have messages encrypted with."""

    p256dh: Annotated[str, Meta(max_length=100)]
    auth: Annotated[str, Meta(max_length=40)]


class Subscription(Body, frozen=True, kw_only=True):
    """`PUT /api/player/subscription`: a browser to be told of your turn in games that last days."""

    endpoint: Annotated[str, Meta(max_length=1000)]
    """The address that its push service gave it."""
    keys: SubscriptionKeys | None = None
    """Without them, the browser is told no more."""


class Statistics(Struct, frozen=True, kw_only=True):
    """One player's finished games of one edition."""

    edition: str
    played: int
    lost: int
    rated: int
    rating: float | None
    """An OpenSkill rating as shown (what the player is very likely to be worth); null if none."""


class OwnTable(Struct, frozen=True, kw_only=True):
    """A table at which a player has a part."""

    table: str
    seat: SeatNumber | None
    phase: TablePhase
    edition: str
    rules: dict[str, bool | int | str]
    """House rules: the options overridden."""
    names: list[str]
    people: list[SeatNumber]
    """The seats that are people's."""
    characters: list[int | None]
    """Which character the bot of each seat is; null for a person."""
    your_turn: bool
    waits_for: list[SeatNumber]
    """The people whose decision the table waits for."""
    changed: int
    """When something last happened there, in milliseconds since 1970."""


class Player(Struct, frozen=True, kw_only=True):
    """`GET /api/player`: who you are."""

    player: str
    """Your public id; it opens nothing."""
    name: str
    token: str | None = None
    """Only in the answer to a `POST` with `bearer`, and never again."""
    email: str | None = None
    portrait: Portrait = Portrait()
    tables: list[OwnTable] = field(default_factory=list)
    statistics: list[Statistics] = field(default_factory=list)


class Fork(Body, frozen=True, kw_only=True):
    """A position of a finished game to play on from."""

    table: str
    game: int
    ply: int
    seat: SeatNumber


class NewTable(Body, frozen=True, kw_only=True):
    """`POST /api/tables`: open a table; its maker is the host, in the first seat."""

    settings: Settings = field(default_factory=Settings)
    bots: Annotated[list[str], Meta(max_length=11)] = field(default_factory=list)
    """Levels of bots to seat at once."""
    start: bool = False
    """Begin at once, if there are enough players."""
    fork: Fork | None = None
    """Play on from a finished game's position, in the given seat, with bots in the others."""


class Joined(Struct, frozen=True, kw_only=True):
    """The answer when a table was opened or joined."""

    table: str
    seat: SeatNumber | None
    invite: str | None
    link: str | None
    """The address to give to friends."""


class TableSummary(Struct, frozen=True, kw_only=True):
    """A line of the public lobby."""

    table: str
    edition: str
    rules: dict[str, bool | int | str]
    phase: TablePhase
    clock: str
    names: list[str]
    characters: list[int | None]
    """Which character the bot of each seat is; null for a person."""
    people: int
    most_players: int
    spectators: bool
    """Whether one may watch."""


class Tables(Struct, frozen=True, kw_only=True):
    """`GET /api/tables`: the public tables."""

    tables: list[TableSummary]


class Look(Struct, frozen=True, kw_only=True):
    """`GET /api/tables/{table}` and `GET /api/invites/{code}`: a table before joining it."""

    table: TableInfo
    seats: list[Seat]
    you: SeatNumber | None = None
    """The seat you have there already."""


class Join(Body, frozen=True, kw_only=True):
    """`POST /api/tables/{table}/join`."""

    invite: Annotated[str, Meta(max_length=32)] | None = None
    """Needed at private tables."""
    seat: SeatNumber | None = None
    """A bot's seat to take over; null for the next free one."""
    spectate: bool = False


class TransferCode(Struct, frozen=True, kw_only=True):
    """A one-time code by which another device takes this seat."""

    code: str
    expires: int


class Transfer(Body, frozen=True, kw_only=True):
    """`POST /api/transfers`: take the seat that the code was made for."""

    code: Annotated[str, Meta(max_length=32)]


class GameSummary(Struct, frozen=True, kw_only=True):
    """A finished game of a table."""

    game: int
    edition: str
    players: list[str]
    loser: SeatNumber | None
    places: list[SeatNumber]
    plies: int
    ended: int
    """Milliseconds since 1970."""


class Games(Struct, frozen=True, kw_only=True):
    """`GET /api/tables/{table}/games`: the table's finished games."""

    games: list[GameSummary]


class OwnGame(Struct, frozen=True, kw_only=True):
    """A finished game of yours."""

    table: str
    game: int
    edition: str
    names: list[str]
    characters: list[int | None]
    """Which character the bot of each seat is; null for a person."""
    people: int
    """How many people played."""
    seat: SeatNumber
    place: int | None
    """From 1; null for who lost, and for those who were left when a game went round too long."""
    lost: bool
    complete: bool
    """False for a game that was given up."""
    ended: int
    """Milliseconds since 1970."""


class OwnGames(Struct, frozen=True, kw_only=True):
    """`GET /api/player/games`: your finished games, the newest first."""

    games: list[OwnGame]


class Shared(Struct, frozen=True, kw_only=True):
    """`GET /api/tables/{table}/games/{game}/share`, `GET /api/shared/{code}`: a game to show."""

    table: str
    game: int
    language: str
    link: str
    """The address to give away."""
    picture: str
    """The address of the picture, a PNG of 1200 by 630."""
    text: str
    """Words to go with it, which do not tell how the game ended."""
    alt: str
    """The picture in words."""


class Frame(Struct, frozen=True, kw_only=True):
    """One moment of a replay: a View, the move made from it, and what that brought about."""

    ply: int
    view: ViewData
    counts: Counts
    """What the rules count for the View."""
    hands: list[list[str]] | None
    """Every hand, if the replay was asked for with shown hands."""
    face_down: list[list[str | None]] | None
    """Every face-down card, likewise."""
    move: str | None
    events: list[AnyEvent]


class Replay(Struct, frozen=True, kw_only=True):
    """`GET /api/tables/{table}/games/{game}/replay`: a finished game, moment by moment."""

    game: int
    plies: int
    characters: list[int | None]
    """Which character the bot of each seat is; null for a person."""
    start: int
    frames: list[Frame]


class SeatLedger(Struct, frozen=True, kw_only=True):
    """What a seat's result is made of, in shares of not losing; null in a game without an end."""

    result: float
    baseline: float
    """What the seat could expect before the deal."""
    luck: dict[str, float]
    """`deal`, `own_draws`, `others_draws`, `flips`."""
    losses: float
    """Minus what its own decisions cost."""
    rest: float


class ShownCard(Struct, frozen=True, kw_only=True):
    """A card that chance showed, and what that gave every seat."""

    ply: int
    what: str
    """`draw` or `flip`."""
    seat: SeatNumber
    kind: str
    luck: list[float]


class ReviewedFact(Struct, frozen=True, kw_only=True):
    """A fact that tells two moves apart: its share of worlds, or how many cards."""

    fact: FactCode
    best: float
    made: float


class PunishingReply(Struct, frozen=True, kw_only=True):
    """What is answered to a move most often, and in which share of worlds."""

    seat: SeatNumber
    move: str
    share: float


class Mistake(Struct, frozen=True, kw_only=True):
    """A decision that cost something for sure, by what its maker knew."""

    ply: int
    seat: SeatNumber
    move: str
    best: str
    loss: float
    error: float
    """One standard error of the loss."""
    blunder: bool
    reasons: list[ReviewedFact]
    reply: PunishingReply | None
    losses: dict[str, float]
    """What each move would have cost: to try again."""


class GameReview(Struct, frozen=True, kw_only=True):
    """`GET /api/tables/{table}/games/{game}/review`: what was luck in a finished game, and what was
    not. It is worked out when it is first asked for; what is there so far comes at once."""

    game: int
    done: int
    total: int
    """So much of so much is worked out."""
    players: list[str]
    judge: str | None = None
    """Who says how good a position is; null until the ledger is there."""
    worlds: int = 0
    seats: list[SeatLedger] | None = None
    values: list[list[float]] = field(default_factory=list)
    """Every seat's chance not to lose, before each move and at the end."""
    deal: list[float] = field(default_factory=list)
    """The luck of the deal, by seat."""
    chance: list[ShownCard] = field(default_factory=list)
    movers: list[SeatNumber] = field(default_factory=list)
    """Who made each move."""
    mistakes: list[Mistake] | None = None
    """Null until all decisions are judged."""


class ReceivedLuck(Struct, frozen=True, kw_only=True):
    """What chance gave a player in the complete games of an edition, practice left out."""

    edition: str
    games: int
    luck: float
    """In shares of not losing: at every table all luck adds up to zero."""
    usual: float
    """So much luck, good or bad, is usual over so many games: one standard deviation."""


class PlayerLuck(Struct, frozen=True, kw_only=True):
    """`GET /api/player/luck`: what chance has given you at all your tables."""

    games: int
    luck: float
    usual: float
    luckier: float | None
    """The share of players with such games who had less luck; null for fewer than ten games."""
    editions: list[ReceivedLuck]


class Document(Struct, frozen=True, kw_only=True):
    """`GET /api/tables/{table}/rules`: the rules page of exactly this table."""

    language: str
    title: str
    markdown: str
    karma_cards: list[str]
    """The karma cards in the deck."""


class Standing(Struct, frozen=True, kw_only=True):
    """One line of the ratings."""

    player: str
    name: str
    rating: float
    played: int
    lost: int


class EditionStatistics(Struct, frozen=True, kw_only=True):
    """Finished games of one edition on this server."""

    edition: str
    games: int
    stalled: int
    mean_plies: float
    standings: list[Standing]


class ServerStatistics(Struct, frozen=True, kw_only=True):
    """`GET /api/statistics`."""

    editions: list[EditionStatistics]


REQUESTS: tuple[type[Body], ...] = (
    NewPlayer,
    ChangePlayer,
    Subscription,
    NewTable,
    Join,
    Transfer,
)
ANSWERS: tuple[type[Struct], ...] = (
    Problem,
    Health,
    About,
    Player,
    Joined,
    Tables,
    Look,
    TransferCode,
    Games,
    OwnGames,
    Shared,
    Replay,
    GameReview,
    PlayerLuck,
    Document,
    ServerStatistics,
)
