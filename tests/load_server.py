"""LoadServer: the server that a load is put on, what it costs, and the doors to it."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec

import processes
from killing import free_port
from servers import temporary

# Killed, a server cannot give back the semaphores that it shares with its bots; Python's tracker
# does so in its place, and would complain of it.
ENVIRONMENT = {**os.environ, "PYTHONWARNINGS": "ignore:resource_tracker"}


class Server:
    """A server process, and what it has cost."""

    def __init__(self, flags: list[str]) -> None:
        self.port = self.door = free_port()
        """Where it listens, and where people come in."""
        self._command = [sys.executable, "-m", "karma", "serve", "--no-limits", *flags]
        self._command += ["--port", str(self.port)]
        self._process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        """Starts it, again after a death; answers when somebody can come."""
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, env=ENVIRONMENT)
        while True:
            with contextlib.suppress(OSError):
                (await Http.to(self.port)).close()
                return
            if self._process.poll() is not None:
                sys.exit("the server did not start")
            await asyncio.sleep(0.05)

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait()

    @property
    def processes(self) -> list[int]:
        """This server's, without those of its bots."""
        assert self._process is not None
        return [self._process.pid, *processes.workers(self._process.pid)]

    @property
    def cpu(self) -> float:
        return processes.cpu(self.processes)

    @property
    def memory(self) -> int:
        return processes.memory(self.processes)


class Http:
    """One connection for HTTP; a library would cost more than the server."""

    @classmethod
    async def to(cls, port: int) -> "Http":
        http = cls()
        http._reader, http._writer = await asyncio.open_connection("127.0.0.1", port)
        return http

    async def post(self, path: str, body: dict[str, Any], token: str | None = None) -> Any:
        data = msgspec.json.encode(body)
        head = f"POST /api{path} HTTP/1.1\r\nhost: load\r\ncontent-length: {len(data)}\r\n"
        head += "content-type: application/json\r\n"
        if token is not None:
            head += f"authorization: Bearer {token}\r\n"
        self._writer.write(head.encode() + b"\r\n" + data)
        answer = (await self._reader.readuntil(b"\r\n\r\n")).decode().lower()
        assert answer.startswith("http/1.1 2"), answer
        length = int(answer.partition("content-length: ")[2].partition("\r\n")[0])
        return msgspec.json.decode(await self._reader.readexactly(length))

    async def player(self) -> str:
        return str((await self.post("/player", {"name": "load", "bearer": True}))["token"])

    def close(self) -> None:
        self._writer.close()


class Nginx:
    """An nginx before a server, without its limits: everybody comes from one address here."""

    def __init__(self, folder: Path, port: int) -> None:
        self.port = free_port()
        settings = folder / "nginx.conf"
        settings.write_text(
            f"daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/nginx.log;"
            f" events {{ worker_connections 20000; }} http {{ access_log off; {temporary(folder)}"
            f" upstream karma {{ server 127.0.0.1:{port} max_fails=0; }}"
            f" server {{ listen 127.0.0.1:{self.port}; location / {{ proxy_pass http://karma;"
            " proxy_http_version 1.1; proxy_read_timeout 60s; proxy_set_header Host $http_host;"
            ' proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection "upgrade"; } } }'
        )
        self._process = subprocess.Popen(["nginx", "-c", settings, "-p", folder])

    @property
    def cpu(self) -> float:
        return processes.cpu([self._process.pid, *processes.children(self._process.pid)])

    def end(self) -> None:
        self._process.terminate()
        self._process.wait()
