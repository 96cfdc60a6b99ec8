"""The operator: closes tables, from the machine itself, with a secret made at the first start."""

import hmac
import ipaddress
import secrets
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from karma.refusals import Refusal
from karma.server.tables import ServerTables

TOKEN_FILE = "operator.token"


class Operator:
    """What the operator may ask of a running server."""

    def __init__(self, folder: Path, tables: ServerTables) -> None:
        self._token = _token(folder)
        self._tables = tables

    async def close_table(self, request: Request) -> Response:
        """Closes a table for good."""
        host = request.client.host if request.client is not None else "0.0.0.0"
        given = request.headers.get("authorization", "").removeprefix("Bearer ").encode()
        right = hmac.compare_digest(given, self._token.encode())
        if not right or not ipaddress.ip_address(host).is_loopback:
            raise Refusal("not_allowed")
        table = await self._tables.find(request.path_params["table"])
        await table.close()
        return Response(status_code=204)


def _token(folder: Path) -> str:
    path = folder / TOKEN_FILE
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(32) + "\n")
    return path.read_text().strip()
