"""What is trained, and how: one TOML file."""

from __future__ import annotations

from pathlib import Path

import msgspec

from karma.bots.choice import FOLDER
from karma.bots.encoding import GENERAL_WORDS, MOST_PLAYERS, words_for
from karma.core.layout import MOST_SEATS
from karma.editions import EDITIONS, Rules, RulesError

COPIES = 3  # of a kind, that a network which is not general can tell apart


class ConfigError(ValueError):
    """A configuration that cannot be used."""


class TrainingTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rules and a number of players to train for."""

    edition: str
    players: int
    options: dict[str, bool | int | str] = msgspec.field(
        default_factory=dict
    )  # that differ from it

    @property
    def rules(self) -> Rules:
        """The rules, with the limit on quiet turns that bots play with."""
        return EDITIONS[self.edition].replace(**self.options).for_table(self.players)

    def __str__(self) -> str:
        options = "".join(f" {name}={value}" for name, value in self.options.items())
        return f"{self.edition} {self.players}{options}"


class League(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whom the learner meets, by shares of the games; the rest it plays against itself."""

    older: float = 0.13  # earlier networks of the run, and the members, in turn
    policies: dict[str, float] = msgspec.field(
        default_factory=lambda: {"greedy": 0.1, "steady": 0.15, "casual": 0.02}
    )
    members: list[str] = []  # that never leave: networks of the package, or runs beside this one


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A training run; samples are decisions of the learner."""

    name: str
    tables: list[TrainingTable]
    general: bool = False  # sees all rules and up to twelve players
    at_once: int = 0  # tables of a chunk, in turn; 0: all of them
    drawn: int = 0  # tables of a chunk besides, with house rules drawn at random
    drawn_players: int = MOST_SEATS  # at most, at those
    drawn_fewest: int = 2  # players at those
    tested: list[TrainingTable] = msgspec.field(default_factory=list)  # in place of all tables
    league: League = msgspec.field(default_factory=League)
    guards: list[str] = msgspec.field(default_factory=lambda: ["random", "greedy", "steady"])
    begin_as: str = ""  # a network of the package, which may be smaller
    response_to: str = ""  # a network of the package: begin as it, and play against nobody else
    units: tuple[int, int] = (128, 32)
    seed: int = 1
    chunk: int = 65536  # samples between two updates of the playing network
    memory: int = 8  # chunks to learn from
    batch: int = 2048
    reuse: float = 1.5  # how often a sample is learned from
    warm_start: int = 2_000_000  # samples of games by greedy
    explore: tuple[float, float] = (0.07, 0.03)
    explore_until: int = 20_000_000  # samples
    rate: tuple[float, float] = (1e-3, 5e-5)  # of learning; it falls as 1 / (1 + samples / half)
    rate_half: int = 15_000_000
    shrink: float = 0.998  # what a win is worth for each decision still to come
    stalled: float = 1.0  # what a stalled game is worth, of the even share: less, and games end
    blend: float = 0.7  # lambda: how much of a worth is the game's, not the network's thought
    average: float = 0.9995  # of the weights, by step: the network that plays is the average
    snapshots: int = 6  # older networks kept as opponents
    test_every: int = 240  # seconds
    guard_blocks: int = 1000
    test_blocks: int = 6000  # at most, against the champion
    calibrate_on: int = 400_000  # decisions of a new champion, over all tables

    @property
    def most_players(self) -> int:
        """At the largest table."""
        most = max(table.players for table in self.tables)
        return max(most, self.drawn_players) if self.drawn else most

    @property
    def words(self) -> int:
        """How many words the network takes: those of its largest table."""
        return GENERAL_WORDS if self.general else words_for(self.most_players)

    @property
    def test_tables(self) -> list[TrainingTable]:
        """Where the network is measured."""
        return self.tested or self.tables


def load(path: Path) -> Config:
    """Reads a configuration; one that cannot be used is refused with the reason."""
    try:
        config = msgspec.toml.decode(path.read_bytes(), type=Config)
    except FileNotFoundError:
        raise ConfigError(f"there is no configuration {path}") from None
    except msgspec.MsgspecError as error:
        raise ConfigError(f"{path}: {error}") from None
    if config.drawn and not config.general:
        raise ConfigError(f"{path}: only a general network can learn house rules (drawn)")
    for table in [*config.tables, *config.tested]:
        if table.edition not in EDITIONS:
            raise ConfigError(f"{path}: no edition {table.edition!r}; there are {list(EDITIONS)}")
        try:
            seats = table.rules.can_seat(table.players)
        except RulesError as error:
            raise ConfigError(f"{path}: {error}") from None
        if not seats or (table.players > MOST_PLAYERS and not config.general):
            raise ConfigError(f"{path}: {table.edition} cannot be trained for {table.players}")
        if not config.general and table.rules.copies * table.rules.decks > COPIES:
            raise ConfigError(f"{path}: only a general network can count {table}'s cards")
    for name in filter(None, (config.begin_as, config.response_to)):
        if not (FOLDER / f"{name}.npz").exists():
            raise ConfigError(f"{path}: the package has no network {name!r}")
    for name in config.league.members:
        if not (FOLDER / f"{name}.npz").exists() and not checkpoint_beside(path, name).exists():
            raise ConfigError(f"{path}: {name!r} is no network of the package and no run beside it")
    return config


def checkpoint_beside(path: Path, name: str) -> Path:
    """Where another run keeps what it has learned."""
    return path.parent.parent / name / "checkpoint.npz"
