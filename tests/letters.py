"""Letters: a server for e-mail, as small as it can be, that keeps every letter."""

from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread


class Letters(StreamRequestHandler):
    """Takes letters, each as its lines."""

    def handle(self) -> None:
        self.wfile.write(b"220 here\r\n")
        while line := self.rfile.readline():
            word = line[:4].upper()
            if word == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                letter = []
                while (line := self.rfile.readline()) != b".\r\n":
                    letter.append(line.decode().rstrip())
                self.server.letters.append(letter)  # type: ignore[attr-defined]
            self.wfile.write(b"221 bye\r\n" if word == b"QUIT" else b"250 yes\r\n")
            if word == b"QUIT":
                return


@contextmanager
def post_office() -> Iterator[tuple[str, list[list[str]]]]:
    """Where a server can send letters to, and the letters."""
    with ThreadingTCPServer(("127.0.0.1", 0), Letters) as post:
        letters: list[list[str]] = []
        post.letters = letters  # type: ignore[attr-defined]
        Thread(target=post.serve_forever, daemon=True).start()
        yield f"smtp://127.0.0.1:{post.server_address[1]}", letters
        post.shutdown()
