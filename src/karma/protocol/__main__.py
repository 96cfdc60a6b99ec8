"""`python -m karma.protocol`: print the JSON Schema; with a page, write its tables anew."""

import sys
from pathlib import Path

import msgspec

from karma.protocol.reference import renewed
from karma.protocol.schema import schema

if len(sys.argv) > 1:
    page = Path(sys.argv[1])
    page.write_text(renewed(page.read_text(encoding="utf-8")), encoding="utf-8")
else:
    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(schema()), indent=2) + b"\n")
