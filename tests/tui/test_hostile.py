"""A server of somebody who means harm: what it says is shown, and no terminal obeys it."""

import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from karma.protocol import decode_server, messages
from karma.tui.server import Server, ServerError, harmless

EVIL = "\x1b]0;mine\x07\x1b[2J\x9b31m\x7f\r\n\t\x08Ana"


@pytest.mark.parametrize("ascii_only", [True, False])
def test_words_without_what_a_terminal_obeys(ascii_only: bool) -> None:
    said = {"type": "said", "seat": 0, "name": EVIL, "at": 1, "text": EVIL + " \\u001b \\\\n ü"}
    message = decode_server(harmless(json.dumps(said, ensure_ascii=ascii_only)))
    assert isinstance(message, messages.Said) and message.text is not None
    for text in (message.name, message.text):
        assert text.isprintable() and "Ana" in text
    assert message.text.endswith("Ana \\u001b \\\\n ü")


def test_a_refusal_without_what_a_terminal_obeys() -> None:
    class Hostile(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps({"code": EVIL, "parameters": {"reason": EVIL}}).encode()
            self.send_response(409)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Hostile) as hostile:
        Thread(target=hostile.serve_forever, daemon=True).start()
        with pytest.raises(ServerError) as refused:
            Server(f"http://127.0.0.1:{hostile.server_address[1]}", "token").known()
        hostile.shutdown()
    assert refused.value.code.isprintable()
    assert str(refused.value.parameters["reason"]).isprintable()
