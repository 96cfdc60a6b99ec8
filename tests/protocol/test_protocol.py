"""The protocol's structs, their strictness, and that its reference page names everything."""

import inspect
import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from karma import protocol
from karma.protocol import codes
from karma.protocol.kinds import kinds
from karma.protocol.messages import FromClient, FromServer
from karma.protocol.reference import renewed
from karma.protocol.schema import schema
from karma.server.openapi import PAGES
from karma.table import requests

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
MESSAGES = (*get_args(requests.ANY), *kinds(FromServer))
EXAMPLE = {"type": "act", "id": "a1", "game": 1, "ply": 17, "moves": ["7x2"]}


def test_a_message_survives_the_wire() -> None:
    act = requests.decode(msgspec.json.encode(EXAMPLE))
    assert act == requests.game.Act(id="a1", game=1, ply=17, moves=["7x2"])
    assert requests.decode(protocol.encode(act)) == act


@pytest.mark.parametrize(
    "change",
    [
        {"extra": 1},
        {"type": "fly"},
        {"id": ""},
        {"id": "x" * 65},
        {"id": "a b"},
        {"ply": -1},
        {"ply": "17"},
        {"moves": []},
        {"moves": ["7"] * 4},
        {"moves": ["7" * 6]},
    ],
)
def test_a_message_that_does_not_fit_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        requests.decode(msgspec.json.encode({**EXAMPLE, **change}))


def test_the_schema_names_every_message() -> None:
    assert len(MESSAGES) > 30
    definitions = schema()["$defs"]
    for message in MESSAGES:
        assert message.__name__ in definitions


@pytest.mark.parametrize(
    "words",
    [codes.ErrorCode, codes.NoticeCode, codes.Phrase],
    ids=["errors", "notices", "phrases"],
)
def test_the_reference_explains_every_code(words: object) -> None:
    written = set(re.findall(r"`([a-z_]+)`", PAGE[PAGE.index("## Codes") :]))
    assert set(get_args(words)) <= written


def test_the_tables_of_the_reference_are_those_of_the_code() -> None:
    """`python -m karma.protocol docs/protocol.md` writes them."""
    assert renewed(PAGE) == PAGE
    for message in MESSAGES:
        assert f"| `{message.__struct_config__.tag}` |" in PAGE


def test_every_message_is_told_apart_and_explained() -> None:
    for base in (FromClient, FromServer):
        tags = [kind.__struct_config__.tag for kind in kinds(base)]
        assert len(tags) == len(set(tags))
        assert all(inspect.getdoc(kind) for kind in kinds(base))


def test_the_page_names_every_http_request() -> None:
    named = set(re.findall(r"^\| `([A-Z]+) (/api/[^?`]*)[^`]*` \|", PAGE, re.MULTILINE))
    told = {(method.upper(), path) for path, method, *_ in PAGES}
    assert named - {("GET", "/api/tables/{table}/socket")} == told
