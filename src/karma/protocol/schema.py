"""The JSON Schema of every message and body, from which other languages make their types."""

from typing import Any

import msgspec

from karma.protocol.bodies import ANSWERS, REQUESTS
from karma.protocol.messages import FromClient, FromServer

_TEMPLATE = "#/$defs/{name}"


def schema() -> dict[str, Any]:
    """Return one JSON Schema document: `FromClient`, `FromServer`, and every body under `$defs`."""
    types = (FromClient, FromServer, *REQUESTS, *ANSWERS)
    (from_client, from_server, *_), definitions = msgspec.json.schema_components(
        types, ref_template=_TEMPLATE
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Karma protocol",
        "$defs": {**definitions, "FromClient": from_client, "FromServer": from_server},
    }
