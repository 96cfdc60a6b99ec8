"""Reference: the tables of the protocol page, made from the messages themselves.

`python -m karma.protocol docs/protocol.md` writes them anew, between the page's marks.
"""

import inspect
import re
from collections.abc import Iterable

from msgspec import Struct

from karma.protocol.codes import NOTICES
from karma.protocol.kinds import kinds
from karma.protocol.messages import FromClient, FromServer
from karma.refusals import MOVE_CODES, PARAMETERS, TABLE_CODES, RefusalCode
from karma.texts import catalogue, sentences

_PART = re.compile(r"(<!-- made from the code: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def renewed(page: str) -> str:
    """The page with its tables as the code has them."""
    return _PART.sub(lambda part: f"{part[1]}\n{_TABLES[part[2]]()}\n{part[3]}", page)


def _requests() -> str:
    from karma.table import requests  # whatever may be asked is defined by then

    assert requests.ANY
    rows = (
        (_tag(kind), _code(kind.__struct_fields__), getattr(kind, "who", "all"), _meaning(kind))
        for kind in kinds(FromClient)
    )
    return _table(("`type`", "fields", "who", "meaning"), rows)


def _updates() -> str:
    rows = (
        (_tag(kind), _code(kind.__struct_fields__), _meaning(kind)) for kind in kinds(FromServer)
    )
    return _table(("`type`", "fields", "meaning"), rows)


def _notices() -> str:
    rows = ((f"`{code}`", _code(parameters)) for code, parameters in NOTICES.items())
    return _table(("notice", "parameters"), rows)


def _refusals(codes: Iterable[RefusalCode]) -> str:
    rows = (
        (
            f"`{code}`",
            _code(PARAMETERS.get(code, ())),
            sentences(catalogue("en")[f"error_{code}"])[-1],
        )
        for code in codes
    )
    return _table(("code", "parameters", "what people read"), rows)


_TABLES = {
    "requests": _requests,
    "updates": _updates,
    "errors": lambda: _refusals(TABLE_CODES),
    "moves": lambda: _refusals(MOVE_CODES),
    "notices": _notices,
}


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = (head, ("---",) * len(head), *rows)
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _tag(kind: type[Struct]) -> str:
    return f"`{kind.__struct_config__.tag}`"


def _code(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _meaning(kind: type[Struct]) -> str:
    """A message's docstring, as a cell of a table."""
    return " ".join((inspect.getdoc(kind) or "").split()).removesuffix(".")
