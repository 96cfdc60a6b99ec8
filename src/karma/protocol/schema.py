"""The JSON Schema of every message and body, from which other languages make their types."""

from typing import Any

import msgspec

from karma.protocol.bodies import ANSWERS, REQUESTS
from karma.protocol.kinds import union
from karma.protocol.messages import FromServer

_TEMPLATE = "#/$defs/{name}"


def schema() -> dict[str, Any]:
    """Return one JSON Schema document: `FromClient`, `FromServer`, and every body under `$defs`."""
    from karma.table import requests  # whatever may be asked is defined by then

    types = (requests.ANY, union(FromServer), *REQUESTS, *ANSWERS)
    (from_client, from_server, *_), definitions = msgspec.json.schema_components(
        types, ref_template=_TEMPLATE
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Karma protocol",
        "$defs": {**definitions, "FromClient": from_client, "FromServer": from_server},
    }
