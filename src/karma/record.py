"""Record: a game written down as one line of JSON, which anyone can read, check and replay."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from karma.editions import Rules, edition
from karma.game import Game
from karma.moves import InvalidMove, Move
from karma.refusals import IllegalMove

VERSION = 1
_KEYS = ("karma", "edition", "rules", "players", "dealer", "deck", "moves", "result")
_remembered = lru_cache(typed=True)(edition)
"""An edition with its options: the games of a file mostly have the same."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")

MOST_REASON = 500
"""What is wrong may be as long as a file; what is told of it is not."""


class RecordError(ValueError):
    """A record that breaks a rule: its line in the file and the ply, as far as known, and why."""

    def __init__(self, reason: str, *, line: int | None = None, ply: int | None = None) -> None:
        reason = reason if len(reason) <= MOST_REASON else f"{reason[:MOST_REASON]}…"
        super().__init__(reason, line, ply)
        self.reason = reason
        self.line = line
        self.ply = ply

    def __str__(self) -> str:
        where = "" if self.line is None else f"line {self.line}: "
        when = "" if self.ply is None else f"ply {self.ply}: "
        return where + when + self.reason


@dataclass(frozen=True)
class Record:
    """A game written down. `extra` keeps the keys that other programs added.

    >>> from karma import MINI, Game, Record
    >>> record = Record.of(Game(MINI, players=["Ana", "Bo"], seed=7), event="tea time")
    >>> Record.loads(record.dumps()) == record
    True
    """

    rules: Rules
    players: tuple[str, ...]
    dealer: int
    deck: tuple[str, ...]
    moves: tuple[str, ...]
    result: Mapping[str, Any]
    extra: Mapping[str, Any] = field(default_factory=dict)
    line: int | None = field(default=None, compare=False)  # where it stood in a file

    @classmethod
    def of(cls, game: Game, **extra: Any) -> Record:
        """The record of a game as far as it has been played."""
        if game.seed is not None:
            extra.setdefault("seed", game.seed)
        return cls(
            rules=game.rules,
            players=game.players,
            dealer=game.dealer,
            deck=game.deck,
            moves=tuple(map(str, game.moves)),
            result=_result(game),
            extra=extra,
        )

    def __hash__(self) -> int:
        return hash((self.rules, self.players, self.dealer, self.deck, self.moves))

    # ---- reading and writing --------------------------------------------------------------------

    def dumps(self) -> str:
        """The record as a line of JSON."""
        data = {
            "karma": VERSION,
            "edition": self.rules.edition,
            "rules": self.rules.overrides,
            "players": self.players,
            "dealer": self.dealer,
            "deck": self.deck,
            "moves": self.moves,
            "result": self.result,
            **self.extra,
        }
        return json.dumps(data, ensure_ascii=False)

    def dump(self, path: str | Path) -> None:
        """Adds the record to the end of a file."""
        with open(path, "a", encoding="utf-8") as file:
            file.write(self.dumps() + "\n")

    @classmethod
    def loads(cls, line: str | bytes) -> Record:
        """A record from its line of JSON; its moves are checked by `replay`."""
        try:
            text = line if isinstance(line, str) else line.decode()
            data = json.loads(text.strip(), parse_constant=_no_constant)
        except UnicodeDecodeError:
            raise RecordError("not UTF-8") from None
        except json.JSONDecodeError as error:
            where = f"{error.msg} at character {error.pos + 1}"
            raise RecordError(f"not a line of JSON: {where}") from None
        except (ValueError, RecursionError) as error:
            raise RecordError(f"not a line of JSON: {error}") from None
        if not isinstance(data, dict):
            raise RecordError("not a record: a record is a JSON object")
        version = data.get("karma")
        if version != VERSION or type(version) is not int:
            raise RecordError(
                f"the version of the record is {version!r}; this program reads {VERSION}"
            )
        for key in ("edition", "players", "deck", "moves", "result"):
            if key not in data:
                raise RecordError(f"the record has no {key!r}")
        players = _texts(data, "players")
        result = data["result"]
        if not isinstance(result, dict):
            raise RecordError("'result' has to be an object with 'loser' and 'places'")
        dealer = data.get("dealer", len(players) - 1)
        if type(dealer) is not int:
            raise RecordError(f"'dealer' is {dealer!r}; it has to be the number of a seat")
        return cls(
            rules=_rules(data),
            players=players,
            dealer=dealer,
            deck=_texts(data, "deck"),
            moves=_texts(data, "moves"),
            result=result,
            extra={key: value for key, value in data.items() if key not in _KEYS},
        )

    # ---- replaying ------------------------------------------------------------------------------

    def deal(self) -> Game:
        """The game before its first move."""
        try:
            return Game(self.rules, self.players, deck=self.deck, dealer=self.dealer)
        except ValueError as error:
            raise RecordError(str(error), line=self.line) from None

    def replay(self, before_move: Callable[[Game, Move], None] | None = None) -> Game:
        """Plays the game, and refuses it with the ply and the reason if it breaks a rule."""
        game = self.deal()
        try:
            if before_move is None:
                game.push_all(self.moves)
            else:
                for move in map(Move, self.moves):
                    if move in game.legal:
                        before_move(game, move)
                    game.push(move)
        except (IllegalMove, InvalidMove) as error:
            reason = "a move after the end of the game" if game.over else str(error)
            raise RecordError(reason, line=self.line, ply=game.ply) from None
        if dict(self.result) != _result(game):
            told = json.dumps(self.result, ensure_ascii=False)
            raise RecordError(
                f"the result is {told}, but the moves give {json.dumps(_result(game))}",
                line=self.line,
                ply=len(self.moves),
            )
        return game


def read(path: str | Path) -> Iterator[Record]:
    """The records of a file, one after another; a line that is none raises RecordError."""
    with open(path, "rb") as lines:
        for _, record in numbered(lines):
            yield record


def write(path: str | Path, records: Iterable[Record]) -> None:
    """Writes records into a file, a line each; what was in the file is lost."""
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(record.dumps() + "\n" for record in records)


def numbered(
    lines: Iterable[str | bytes], refused: Callable[[RecordError], None] | None = None
) -> Iterator[tuple[int, Record]]:
    """The records of a file's lines, each with the number of its game, empty lines not counted.

    A line that is not a record raises RecordError with its line; where `refused` is given, it is
    called with the error instead, and reading goes on.
    """
    game = -1
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        game += 1
        try:
            record = Record.loads(line)
        except RecordError as error:
            located = RecordError(error.reason, line=number, ply=error.ply)
            if refused is None:
                raise located from None
            refused(located)
            continue
        yield game, dataclasses.replace(record, line=number)


def _result(game: Game) -> dict[str, Any]:
    outcome = game.outcome
    return {"loser": outcome.loser if outcome else None, "places": list(game.places)}


def _rules(data: Mapping[str, Any]) -> Rules:
    overrides = data.get("rules", {})
    if not isinstance(overrides, dict):
        raise RecordError("'rules' has to be an object of options and values")
    with suppress(TypeError, ValueError):  # what cannot be, or cannot be remembered, is told below
        return _remembered(data["edition"], **overrides)
    try:
        return edition(data["edition"], **overrides)
    except (ValueError, TypeError) as error:
        raise RecordError(str(error)) from None


def _texts(data: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = data[key]
    if not isinstance(value, list) or not set(map(type, value)) <= {str}:
        raise RecordError(f"{key!r} has to be a list of texts")
    together = "".join(value)
    try:
        together.encode()
    except UnicodeEncodeError:
        raise RecordError(f"{key!r} has half a character, which no file can hold") from None
    if _CONTROL.search(together):
        raise RecordError(f"{key!r} has a control character, which a terminal would obey")
    return tuple(value)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
