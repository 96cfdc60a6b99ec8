"""What is kept on this machine between games: preferences, the table to go on at, the records.

Files are replaced whole and at once, so that a killed terminal leaves either the old or the new.
Where nothing can be written, nothing is kept.
"""

from __future__ import annotations

import getpass
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from platformdirs import user_data_path

from karma.editions import Rules, edition
from karma.texts import LANGUAGES, Texts

if TYPE_CHECKING:
    from karma.record import Record

try:
    import fcntl
except ImportError:  # where there is no such lock, two terminals are two terminals
    fcntl = None  # type: ignore[assignment]

SPEEDS = ("off", "fast", "normal", "slow")
LOG, GAMES, PREFERENCES = "table.jsonl", "games.jsonl", "preferences.json"
NO_NAMES = {Texts(language)("text_you") for language in LANGUAGES}
"""What earlier versions called a player without a name."""
TOKENS, LOCK = "servers.json", "table.lock"


@dataclass
class Plan:
    """A game to be set up: its rules, and who plays."""

    edition: str = "classic"
    options: dict[str, Any] = field(default_factory=dict)
    name: str = ""
    bots: list[str] = field(default_factory=lambda: ["greedy", "greedy", "greedy"])
    seed: int | None = None

    @property
    def rules(self) -> Rules:
        """The rules that were asked for."""
        return edition(self.edition, **self.options)


@dataclass
class Preferences:
    """What the player chose last."""

    language: str = ""
    speed: str = "normal"
    confirm: bool = False
    bell: bool = True
    memory_aid: bool = True
    plan: Plan = field(default_factory=Plan)


class Home:
    """The folder of this player's files."""

    def __init__(self, folder: Path | None = None, *, games: Path | None = None) -> None:
        self.folder = folder or user_data_path("karma", appauthor=False)
        self.games = games or self.folder / GAMES
        self._lock: int | None = None

    @cached_property
    def writable(self) -> bool:
        """Can anything be kept here?"""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            return False
        return os.access(self.folder, os.W_OK)

    # ---- preferences ----------------------------------------------------------------------------

    def preferences(self) -> Preferences:
        """What was chosen last; what cannot be read counts as not chosen."""
        try:
            data = json.loads((self.folder / PREFERENCES).read_text(encoding="utf-8"))
            plan = Plan(**_known(Plan, data.pop("plan", {})))
            plan.rules.check_players(len(plan.bots) + 1)
            if plan.name in NO_NAMES:
                plan.name = ""
            return Preferences(plan=plan, **_known(Preferences, data))
        except (OSError, ValueError, TypeError, AttributeError):
            return Preferences()

    @property
    def player_name(self) -> str:
        """The name that was given last, or the login's."""
        return self.preferences().plan.name or login_name()

    def keep_preferences(self, preferences: Preferences) -> None:
        """Writes down what was chosen."""
        if self.writable:
            text = json.dumps(asdict(preferences), ensure_ascii=False, indent=2)
            self._replace(PREFERENCES, text)

    # ---- the table to go on at ------------------------------------------------------------------

    @property
    def log(self) -> Path:
        """The log of the table that was sat at last."""
        return self.folder / LOG

    @property
    def has_log(self) -> bool:
        """Was a table left behind?"""
        return (self.folder / LOG).exists()

    def claim(self) -> bool:
        """Makes the log ours, unless another terminal plays at that table."""
        if not self.writable:
            return False
        if self._lock is None and fcntl is not None:
            lock = os.open(self.folder / LOCK, os.O_WRONLY | os.O_CREAT)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(lock)
                return False
            self._lock = lock
        return True

    def release(self) -> None:
        """Lets other terminals have the log."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def forget(self) -> None:
        """There is no game to go on with any more."""
        (self.folder / LOG).unlink(missing_ok=True)

    # ---- servers --------------------------------------------------------------------------------

    def token(self, server: str) -> str | None:
        """The secret by which a server knows this player."""
        token = self._tokens().get(server)
        return token if isinstance(token, str) else None

    def keep_token(self, server: str, token: str) -> None:
        """Keeps a secret, for this user's eyes only."""
        if self.writable:
            tokens = {**self._tokens(), server: token}
            self._replace(TOKENS, json.dumps(tokens, indent=2), mode=0o600)

    def _tokens(self) -> dict[str, Any]:
        try:
            tokens = json.loads((self.folder / TOKENS).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return tokens if isinstance(tokens, dict) else {}

    # ---- records --------------------------------------------------------------------------------

    @property
    def keeps_games(self) -> bool:
        """Is there a place for records?"""
        return self.games.parent != self.folder or self.writable

    def keep(self, record: Record) -> None:
        """Adds the record of a game to the others, if there is a place for them."""
        if not self.keeps_games:
            return
        self.games.parent.mkdir(parents=True, exist_ok=True)
        record.dump(self.games)

    def records(self) -> Iterator[Record]:
        """The games kept so far; lines that are no records are passed over."""
        from karma.record import Record, RecordError

        try:
            lines = self.games.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            return
        for line in lines:
            try:
                yield Record.loads(line)
            except RecordError:
                continue

    def _replace(self, name: str, text: str, mode: int = 0o644) -> None:
        new = self.folder / f"{name}.new"
        new.unlink(missing_ok=True)
        with open(os.open(new, os.O_WRONLY | os.O_CREAT, mode), "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, self.folder / name)


def login_name() -> str:
    """What this machine calls its user."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError, ImportError):
        name = "player"
    return name[:1].upper() + name[1:24]


def _known(kind: type, data: dict[str, Any]) -> dict[str, Any]:
    names = {each.name for each in fields(kind)}
    return {key: value for key, value in data.items() if key in names}
