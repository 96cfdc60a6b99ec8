"""ServerSettings: what an operator can set, once.

The flags of `karma serve`, its environment variables, its settings file and the table in
docs/server.md are all made from this class. `python -m karma.server.settings` prints the table.
"""

import ipaddress
import socket
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_type_hints
from unicodedata import category
from urllib.parse import urlsplit

PREFIX = "KARMA_"
MOST = 10**9
"""No number is larger: what is would overflow somewhere."""
MOST_SHOWN = 80
INTO_LOG = "log"
_SCHEMES = {
    "public_url": ("http://", "https://"),
    "webhook": ("http://", "https://"),
    "smtp": ("smtp://",),
    "tracing": ("http://", "https://"),
}
"""How settings that are addresses begin."""


class WrongSetting(ValueError):
    """A value that no setting takes; the line says where it came from, and what would be right."""


def about(what: str, *, least: float | None = None, most: float | None = None) -> dict[str, Any]:
    """What a setting is for, and its bounds."""
    return {"help": what, "least": least, "most": most}


@dataclass(frozen=True)
class ServerSettings:
    """How a server is run."""

    host: str = field(
        default="127.0.0.1", metadata=about("The address to listen on; 0.0.0.0 for all.")
    )
    port: int = field(
        default=8000, metadata=about("The port; 0 for any free one.", least=0, most=65535)
    )
    data: Path = field(
        default=Path("karma-data"), metadata=about("The folder for everything that is kept.")
    )
    database: str | None = field(
        default=None,
        metadata=about(
            "A PostgreSQL database instead of the folder's SQLite file:"
            " postgresql://user:password@host/name."
        ),
    )
    redis: str | None = field(
        default=None,
        metadata=about(
            "With a database: a Redis or Valkey by which its workers wake each other:"
            " redis://host:6379/0. Without it they look once a second."
        ),
    )
    workers: int = field(
        default=1,
        metadata=about("With a database: how many processes serve from this machine.", least=1),
    )
    thinkers: str | None = field(
        default=None,
        metadata=about(
            "A Redis or Valkey, private and for nothing else, by which other machines think for"
            " bots (karma think): redis://host:6379/1. What a seat knows passes through it."
        ),
    )
    public_url: str | None = field(
        default=None,
        metadata=about(
            "The address under which people reach the server. With https, cookies are secure;"
            " without this, any name that leads here is believed."
        ),
    )
    processes: int = field(default=1, metadata=about("Processes that think for bots.", least=1))
    milliseconds: int = field(
        default=1000, metadata=about("How long a bot may think about a move.", least=1)
    )
    pace: float = field(
        default=0.7, metadata=about("Seconds a bot waits, so that people can follow.", least=0)
    )
    bot: str | None = field(
        default=None,
        metadata=about(
            "Bots of other people, with commas between, that may be asked for by name:"
            " NAME=./bot.py:MyBot."
        ),
    )
    retention: int = field(
        default=0,
        metadata=about(
            "Days after which closed or forgotten tables are deleted; 0 keeps everything.", least=0
        ),
    )
    refuse_names: Path | None = field(
        default=None, metadata=about("A file of words, one a line, that no name may have.")
    )
    banned: Path | None = field(
        default=None,
        metadata=about(
            "A file of addresses, networks and players' ids, one a line, that are not let in;"
            " read again when it changes."
        ),
    )
    backups: Path | None = field(
        default=None,
        metadata=about("A folder for copies of everything, made while the server runs."),
    )
    backup_hours: float = field(
        default=24, metadata=about("Hours from one such copy to the next.", least=0.01)
    )
    backups_kept: int = field(default=7, metadata=about("How many such copies are kept.", least=1))
    webhook: str | None = field(
        default=None,
        metadata=about("An address that is told whose turn it is in games that last days."),
    )
    smtp: str | None = field(
        default=None,
        metadata=about("A mail server for the same: smtp://user:password@host:port."),
    )
    mail_from: str | None = field(default=None, metadata=about("The sender of such mail."))
    push: str = field(
        default="public",
        metadata=about(
            "Push services by which browsers may be told the same: public (any at a public https"
            " address), none, or addresses with commas between: https://push.example.org."
        ),
    )
    metrics_port: int | None = field(
        default=None,
        metadata=about(
            "Serve metrics on this port of the loopback address; off without it.",
            least=1,
            most=65535,
        ),
    )
    tracing: str | None = field(
        default=None,
        metadata=about(
            "Follow each request: log writes lines, http://host:4318 sends spans to an"
            " OpenTelemetry collector; off without it."
        ),
    )
    limits: bool = field(
        default=True, metadata=about("Limit what one address, player or socket may ask for.")
    )
    people_per_address: int = field(
        default=500,
        metadata=about(
            "How many people may be behind one address, a school's or an office's: what an address"
            " may ask for in a minute grows with it.",
            least=1,
        ),
    )
    proxies: str | None = field(
        default=None,
        metadata=about(
            "Addresses or networks of proxies in front, with commas between, that are believed"
            " when X-Forwarded-For says whom a request comes from."
        ),
    )

    @property
    def address(self) -> str:
        """The address to give to friends."""
        host = _own_address() if self.listens_everywhere else self.host
        return (self.public_url or f"http://{host}:{self.port}").rstrip("/")

    @property
    def listens_everywhere(self) -> bool:
        """Whether other devices reach the server, by the address this machine has among them."""
        return self.host in ("0.0.0.0", "::")

    @property
    def secure(self) -> bool:
        return self.address.startswith("https:")

    @property
    def origin(self) -> str | None:
        """The only origin that browsers may come from, if the public address is set."""
        if self.public_url is None:
            return None
        parts = urlsplit(self.public_url)
        return f"{parts.scheme}://{parts.netloc}".lower()

    def check(self) -> None:
        """Refuses what does not go together, what is no push service, and what is no proxy."""
        from karma.server.push_services import PushServices

        PushServices(self.push)
        for each in map(str.strip, (self.proxies or "*").split(",")):
            try:
                if each != "*":
                    ipaddress.ip_network(each)
            except ValueError as error:
                raise WrongSetting(f"{flag('proxies')}: {error}") from None
        for name, given in (("redis", self.redis is not None), ("workers", self.workers > 1)):
            if given and self.database is None:
                raise WrongSetting(
                    f"{flag(name)} needs {flag('database')}: a SQLite file has one process alone"
                )

    def register_bots(self) -> None:
        """Gives the bots of other people their names."""
        from karma.bots import BotError
        from karma.bots.registry import register, split

        try:
            for each in split(self.bot) if self.bot else ():
                name, equals, spec = each.partition("=")
                if not equals:
                    raise BotError(f"{each!r} is not NAME=./bot.py:MyBot")
                register(name, spec)
        except BotError as error:
            raise WrongSetting(f"{flag('bot')}: {error}") from None

    def refused_words(self) -> frozenset[str]:
        """The words that no name may have."""
        if self.refuse_names is None:
            return frozenset()
        lines = _text(self.refuse_names).splitlines()
        return frozenset(line.strip() for line in lines if line.strip())


def flag(name: str) -> str:
    """A setting as a flag of `karma serve`."""
    return "--" + name.replace("_", "-")


def variable(name: str) -> str:
    """A setting as an environment variable."""
    return PREFIX + name.upper()


def settle(
    flags: Mapping[str, Any], environment: Mapping[str, str], file: Path | None
) -> ServerSettings:
    """The settings: a flag is stronger than the environment, and that is stronger than the file."""
    values: dict[str, Any] = {}
    written = _file(file) if file is not None else {}
    for each in fields(ServerSettings):
        if flags.get(each.name) is not None:
            values[each.name] = _value(each, flags[each.name], flag(each.name))
        elif environment.get(variable(each.name)):
            values[each.name] = _value(each, environment[variable(each.name)], variable(each.name))
        elif each.name in written:
            values[each.name] = _value(each, written[each.name], f"{each.name} in {file}")
    return ServerSettings(**values)


def _file(path: Path) -> dict[str, Any]:
    try:
        values = tomllib.loads(_text(path))
    except (ValueError, RecursionError) as error:  # not TOML, or more than a settings file is
        raise WrongSetting(f"{path} is not TOML: {error}") from None
    known = [each.name for each in fields(ServerSettings)]
    for name in values:
        if name not in known:
            raise WrongSetting(f"{path} sets {name!r}, which is none of {', '.join(known)}")
    return values


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise WrongSetting(f"cannot read {path}: {reason}") from None


def kind(name: str) -> type:
    """What a setting is, given or not."""
    hint = get_type_hints(ServerSettings)[name]
    given: type = next((each for each in get_args(hint) if each is not type(None)), hint)
    return given


def _value(each: "Field[Any]", given: Any, source: str) -> Any:
    """A value as its setting takes it; the source is named if it does not."""
    least, most = each.metadata["least"], each.metadata["most"]
    wrong = f"{source} is {_shown(given)}; it has to"
    try:
        value = _READERS[kind(each.name)](given)
    except (TypeError, ValueError):
        raise WrongSetting(f"{wrong} be {_expected(each)}") from None
    if (least is not None and not value >= least) or (most is not None and value > most):
        raise WrongSetting(f"{wrong} be {_expected(each)}")
    if isinstance(value, int | float) and value > MOST:
        raise WrongSetting(f"{wrong} be {_expected(each)}, and {MOST} at most")
    schemes = _SCHEMES.get(each.name, ())
    into_log = each.name == "tracing" and value == INTO_LOG
    if schemes and not into_log and not value.startswith(schemes):
        raise WrongSetting(f"{wrong} begin with {' or '.join(schemes)}")
    return value


def _shown(given: Any) -> str:
    """A value as it is told, however long it is."""
    try:
        text = repr(given)
    except ValueError:  # Python writes no number of so many digits
        return "too large a number"
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"


def _expected(each: "Field[Any]") -> str:
    words = {int: "a whole number", float: "a number", bool: "yes or no"}
    what = words.get(kind(each.name), "a text without control characters")
    least, most = each.metadata["least"], each.metadata["most"]
    if most is not None:
        return f"{what} from {least} to {most}"
    return what if least is None else f"{what}, {least} or more"


def _whole(given: Any) -> int:
    if isinstance(given, bool | float):
        raise TypeError
    return int(given)


def _number(given: Any) -> float:
    if isinstance(given, bool):
        raise TypeError
    return float(given)


def _string(given: Any) -> str:
    if not isinstance(given, str):
        raise TypeError
    if any(category(char) in ("Cc", "Cs") for char in given):
        raise ValueError
    return given


def _yes_or_no(given: Any) -> bool:
    if isinstance(given, bool):
        return given
    word = _string(given).lower()
    if word not in ("yes", "true", "on", "1", "no", "false", "off", "0"):
        raise ValueError
    return word in ("yes", "true", "on", "1")


_READERS: dict[type, Callable[[Any], Any]] = {
    int: _whole,
    float: _number,
    str: _string,
    bool: _yes_or_no,
    Path: lambda given: Path(_string(given)),
}


def table() -> str:
    """The table of docs/server.md."""
    lines = ["| flag | variable | usual | what |", "|---|---|---|---|"]
    for each in fields(ServerSettings):
        usual = "" if each.default is None else "yes" if each.default is True else each.default
        name, what = each.name, each.metadata["help"]
        lines.append(f"| `{flag(name)}` | `{variable(name)}` | {usual} | {what} |")
    return "\n".join(lines)


@cache
def _own_address() -> str:
    """The address other devices in the house know this machine by; no packet is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address reserved for documentation
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


if __name__ == "__main__":
    print(table())
