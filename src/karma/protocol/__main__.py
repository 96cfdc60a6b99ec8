"""`python -m karma.protocol`: print the JSON Schema of the protocol."""

import sys

import msgspec

from karma.protocol.schema import schema

sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(schema()), indent=2) + b"\n")
