"""A push service of the tests' own, and a browser that it delivers to."""

import json
import ssl
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


@dataclass
class Browser:
    """The keys of a browser: it alone reads what is sent to it."""

    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    auth: bytes = b"sixteen bytes ok"

    @property
    def keys(self) -> dict[str, str]:
        """What it gives to a server."""
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"p256dh": encoded(point), "auth": encoded(self.auth)}

    def read(self, sealed: bytes) -> Any:
        """What a message says."""
        opened = http_ece.decrypt(
            sealed, private_key=self.key, auth_secret=self.auth, version="aes128gcm"
        )
        return json.loads(opened)


@dataclass
class Delivered:
    """A message as it came."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def claims(self) -> Any:
        """What its sender says of itself, unchecked."""
        token = self.headers["authorization"].partition("t=")[2].partition(",")[0]
        return json.loads(decoded(token.split(".")[1]))


class PushService:
    """What was delivered, and what the service answers."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.delivered: list[Delivered] = []
        self.status = 201
        self.location: str | None = None

    def endpoint(self, name: str = "browser") -> str:
        return f"{self.address}/push/{name}"


@contextmanager
def push_service(tls: ssl.SSLContext | None = None) -> Iterator[PushService]:
    """Runs a push service on a port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            body = self.rfile.read(int(headers["content-length"]))
            service.delivered.append(Delivered(self.path, headers, body))
            self.send_response(service.status)
            if service.location is not None:
                self.send_header("location", service.location)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    scheme = "http" if tls is None else "https"
    service = PushService(f"{scheme}://127.0.0.1:{server.server_address[1]}")
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()


def encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
