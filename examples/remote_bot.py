"""A bot that joins a Karma server's table over the network, written from docs/protocol.md alone.

    python examples/remote_bot.py http://127.0.0.1:8000                 # a table of its own
    python examples/remote_bot.py http://127.0.0.1:8000 --join K7QM-3XPA  # a friend's table

It knows no rules: it plays the first of the legal moves that are not picking up. It needs the
package `websockets` and nothing of Karma's.
"""

import argparse
import asyncio
import hashlib
import json
import os
import urllib.error
import urllib.request
import uuid

import websockets


def call(server, path, body=None, token=None):
    """One HTTP request; the answer's JSON."""
    headers = {"content-type": "application/json"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    data = json.dumps(body).encode() if body is not None else None
    request = urllib.request.Request(server + path, data, headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        problem = json.load(error)
        raise SystemExit(f"{path}: {problem['code']} {problem['parameters']}") from None


def text(word):
    data = word.encode()
    return bytes([len(data)]) + data


def promise(table, game, seat, seed):
    """The commitment to our seed of the fair deal."""
    head = text("karma fair seed") + bytes([1]) + text(table) + game.to_bytes(4, "big")
    return hashlib.sha256(head + bytes([seat]) + seed).hexdigest()


class Bot:
    """What the bot knows: the newest of everything that the server sent."""

    def __init__(self):
        self.version = None
        self.you = self.table = self.view = None
        self.seed = os.urandom(32)
        self.unanswered = {}

    def take(self, message):
        """Keeps what a message brings."""
        kind = message["type"]
        if kind in ("welcome", "update"):
            self.version = message["version"]
            for part in ("you", "table", "view"):
                if message[part] is not None:
                    setattr(self, part, message[part])
        elif kind in ("ack", "refused"):
            self.unanswered.pop(message["id"], None)

    def answer(self):
        """What to say now; None if nothing is asked, or an answer is still on its way."""
        if self.unanswered or self.you["seat"] is None:
            return None
        seat, game, fair = self.you["seat"], self.table["game"], self.table["fair"]
        if self.table["phase"] == "deal":
            part = fair["seats"][seat]
            if fair["state"] == "committing" and not part["commitment"]:
                commitment = promise(self.table["table"], game, seat, self.seed)
                return self.action("commit", game=game, commitment=commitment)
            if fair["state"] == "revealing" and part["commitment"] and not part["seed"]:
                return self.action("reveal", game=game, seed=self.seed.hex())
        if self.table["phase"] != "playing" or self.table["paused"] or not self.view["legal"]:
            return None
        moves = [move for move in self.view["legal"] if move != "P"] or ["P"]
        return self.action("act", game=game, ply=self.view["ply"], moves=moves[:1])

    def action(self, kind, **fields):
        message = {"type": kind, "id": uuid.uuid4().hex, **fields}
        self.unanswered[message["id"]] = message
        return message


async def beat(socket):
    """Shows the server that we are alive."""
    while True:
        await asyncio.sleep(5)
        await socket.send(json.dumps({"type": "heartbeat"}))


async def play(server, table, token, rematch):
    """Plays until the table closes or the game is over; comes back after every lost connection."""
    bot = Bot()
    address = server.replace("http", "ws", 1) + f"/api/tables/{table}/socket"
    headers = {"authorization": f"Bearer {token}"}
    while True:
        try:
            async with websockets.connect(address, additional_headers=headers) as socket:
                hello = {"type": "hello", "protocol": 1, "version": bot.version}
                await socket.send(json.dumps(hello))
                for message in bot.unanswered.values():
                    await socket.send(json.dumps(message))
                beating = asyncio.create_task(beat(socket))
                try:
                    async for frame in socket:
                        bot.take(json.loads(frame))
                        if bot.table is None:
                            continue
                        if bot.table["phase"] == "over" and not rematch:
                            return bot
                        message = bot.answer()
                        if message is not None:
                            await socket.send(json.dumps(message))
                finally:
                    beating.cancel()
        except (OSError, websockets.WebSocketException):
            pass
        if bot.table is not None and bot.table["phase"] == "closed":
            return bot
        await asyncio.sleep(0.5)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("server", help="such as http://127.0.0.1:8000")
    parser.add_argument("--join", metavar="CODE", help="the invite of a table to join")
    parser.add_argument("--name", default="remote bot")
    parser.add_argument("--edition", default="mini", help="of a table of its own")
    parser.add_argument("--stay", action="store_true", help="stay for more games")
    options = parser.parse_args()
    server = options.server.rstrip("/")
    token = call(server, "/api/player", {"name": options.name, "bearer": True})["token"]
    if options.join:
        table = call(server, f"/api/invites/{options.join}", token=token)["table"]["table"]
        call(server, f"/api/tables/{table}/join", {"invite": options.join}, token)
    else:
        wanted = {"settings": {"edition": options.edition}, "bots": ["greedy"], "start": True}
        table = call(server, "/api/tables", wanted, token)["table"]
    bot = asyncio.run(play(server, table, token, options.stay))
    view = bot.view
    loser = view["loser"]
    print("nobody lost" if loser is None else f"{view['players'][loser]} lost")


if __name__ == "__main__":
    main()
