"""The browser table: files of its build, served with the package; without them, how to get them."""

from mimetypes import guess_type
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

FOLDER = Path(__file__).with_name("static")
NOT_BUILT = """\
This is a Karma server, and it works; only the browser table is missing from this installation.

From a checkout of the project, `make play` builds it and starts the server again.
A wheel from `python -m build` contains it.

Meanwhile the terminal can join:  karma join {address}
The protocol is at {address}/api/openapi.json
"""


def not_built(address: str) -> Response:
    """How to get the browser table, where it is missing."""
    return PlainTextResponse(NOT_BUILT.format(address=address), 503)


class BrowserTable:
    """Files from the build's folder; every other path is the table's own page."""

    def __init__(self, address: str) -> None:
        self._address = address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self._respond(scope)
        await response(scope, receive, send)

    async def _respond(self, scope: Scope) -> Response:
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405)
        if not (FOLDER / "index.html").is_file():
            return not_built(self._address)
        files = StaticFiles(directory=FOLDER, check_dir=False)
        path = files.get_path(scope)
        try:
            response = await self._file(files, path, scope)
        except (OSError, ValueError):  # a name that no file can have
            raise HTTPException(404) from None
        except HTTPException as error:
            if error.status_code != 404 or "." in path.rpartition("/")[2]:
                raise
            response = await self._file(files, "index.html", scope)
        else:
            if path.startswith("assets/"):
                response.headers["cache-control"] = "public, max-age=31536000, immutable"
                return response
        response.headers["cache-control"] = "no-cache"
        return response

    @staticmethod
    async def _file(files: StaticFiles, path: str, scope: Scope) -> Response:
        """A file, in the compressed form the build made if the client takes it."""
        path = "index.html" if path == "." else path
        packed = FOLDER / f"{path}.gz"
        if not packed.is_file() or "gzip" not in Headers(scope=scope).get("accept-encoding", ""):
            return await files.get_response(path, scope)
        response = await files.get_response(f"{path}.gz", scope)
        response.headers["content-type"] = guess_type(path)[0] or "application/octet-stream"
        response.headers["content-encoding"] = "gzip"
        response.headers["vary"] = "accept-encoding"
        return response
