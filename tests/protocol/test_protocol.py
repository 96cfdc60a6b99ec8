"""The protocol's structs, their strictness, and that its reference page names everything."""

import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from karma import protocol
from karma.protocol import codes, messages
from karma.protocol.schema import schema

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
EXAMPLE = {"type": "act", "id": "a1", "game": 1, "ply": 17, "moves": ["7x2"]}


def test_a_message_survives_the_wire() -> None:
    act = protocol.decode_client(msgspec.json.encode(EXAMPLE))
    assert act == messages.Act(id="a1", game=1, ply=17, moves=["7x2"])
    assert protocol.decode_client(protocol.encode(act)) == act


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
        protocol.decode_client(msgspec.json.encode({**EXAMPLE, **change}))


def test_the_schema_names_every_message() -> None:
    definitions = schema()["$defs"]
    for message in (*get_args(messages.FromClient), *get_args(messages.FromServer)):
        assert message.__name__ in definitions


@pytest.mark.parametrize(
    "words",
    [codes.ErrorCode, codes.NoticeCode, codes.Phrase],
    ids=["errors", "notices", "phrases"],
)
def test_the_reference_explains_every_code(words: object) -> None:
    written = set(re.findall(r"`([a-z_]+)`", PAGE[PAGE.index("## Codes") :]))
    assert set(get_args(words)) <= written


def test_the_reference_explains_every_message() -> None:
    for message in (*get_args(messages.FromClient), *get_args(messages.FromServer)):
        assert f"`{message.__struct_config__.tag}`" in PAGE
