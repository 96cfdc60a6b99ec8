"""The operator: closes tables, from the machine itself, with a secret made at the first start."""

import hmac
import ipaddress
import secrets
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from karma.refusals import Refusal
from karma.server.tables import ServerTables
from karma.store import StoreError

TOKEN_FILE = "operator.token"


class Operator:
    """What the operator may ask of a running server."""

    def __init__(self, folder: Path, tables: ServerTables) -> None:
        self._token = operator_token(folder)
        self._tables = tables

    async def close_table(self, request: Request) -> Response:
        """Closes a table for good."""
        host = request.client.host if request.client is not None else "0.0.0.0"
        given = request.headers.get("authorization", "").removeprefix("Bearer ").encode()
        right = hmac.compare_digest(given, self._token.encode())
        if not right or not _is_this_machine(host):
            raise Refusal("not_allowed")
        table = await self._tables.find(request.path_params["table"])
        await table.close()
        return Response(status_code=204)


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:  # a proxy may say anything
        return False


def operator_token(folder: Path) -> str:
    """The operator's secret, made at the first start; written whole or not at all."""
    path = folder / TOKEN_FILE
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            whole = path.with_suffix(".new")
            whole.touch(mode=0o600)
            whole.write_text(secrets.token_urlsafe(32) + "\n")
            whole.replace(path)
        token = path.read_text().strip()
    except OSError as error:
        path.with_suffix(".new").unlink(missing_ok=True)
        raise StoreError(f"cannot use {path}: {error.strerror}") from None
    if not token:
        raise StoreError(f"{path} is empty; delete it, and the next start makes a new one")
    return token
