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
import sys
import urllib.error
import urllib.request
import uuid

try:
    import websockets
except ImportError:
    sys.exit("this bot needs the package websockets: pip install websockets")

FINAL = {4002, 4003, 4004}  # close codes after which a client does not come back


def call(server, path, body=None, token=None):
    """One HTTP request; the answer's JSON."""
    headers = {"content-type": "application/json"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    data = json.dumps(body).encode() if body is not None else None
    try:
        request = urllib.request.Request(server + path, data, headers)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        raise SystemExit(f"{server}{path}: {reason(error)}") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "reason", error)
        raise SystemExit(f"{server} is not a Karma server that answers: {why}") from None


def reason(error):
    """What a server says about a request that it does not do."""
    try:
        problem = json.load(error)
        return f"{problem['code']} {problem['parameters'] or ''}".strip()
    except (ValueError, TypeError, KeyError):
        return f"HTTP {error.code}"


def text(word):
    data = word.encode()
    return bytes([len(data)]) + data


def promise(table, game, seat, seed):
    """The commitment to our seed of the fair deal."""
    head = text("karma fair seed") + bytes([1]) + text(table) + game.to_bytes(4, "big")
    return hashlib.sha256(head + bytes([seat]) + seed).hexdigest()


class Bot:
    """What the bot knows: the newest of everything that the server sent."""

    def __init__(self, host):
        self.host = host
        self.version = None
        self.you = self.table = self.view = None
        self.seeds = {}
        self.promised = set()
        self.told = set()
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
        if self.table["phase"] == "lobby" and self.host:
            return self.request("start")  # once we are there: who is away has no part in the deal
        if self.table["phase"] == "deal" and fair is not None:
            part = fair["seats"][seat]
            seed = self.seeds.setdefault(game, os.urandom(32))  # shown once, so for one game only
            if fair["state"] == "committing" and not part["commitment"]:
                commitment = promise(self.table["table"], game, seat, seed)
                self.promised.add(game)
                return self.request("commit", game=game, commitment=commitment)
            if fair["state"] == "revealing" and part["commitment"] and not part["seed"]:
                return self.request("reveal", game=game, seed=seed.hex())
        if self.table["phase"] != "playing":
            return None
        if game in self.promised and fair["seats"][seat]["seed"] != self.seeds[game].hex():
            return self.complain(game)
        if self.table["paused"] or not self.view["legal"]:
            return None
        moves = [move for move in self.view["legal"] if move != "P"] or ["P"]
        return self.request("act", game=game, ply=self.view["ply"], moves=moves[:1])

    def complain(self, game):
        """Tells the table that our seed was left out of the deal; then we do not play on."""
        if game in self.told:
            raise SystemExit("our seed was left out of the deal: we do not play these cards")
        self.told.add(game)
        return self.request("left_out", game=game)

    def request(self, kind, **fields):
        message = {"type": kind, "id": uuid.uuid4().hex, **fields}
        self.unanswered[message["id"]] = message
        return message


async def beat(socket):
    """Shows the server that we are alive."""
    while True:
        await asyncio.sleep(5)
        await socket.send(json.dumps({"type": "heartbeat"}))


async def play(server, table, token, host, stay):
    """Plays until the table closes or the game is over; comes back after every lost connection."""
    bot = Bot(host)
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
                        if bot.table["phase"] == "over" and not stay:
                            return bot
                        message = bot.answer()
                        if message is not None:
                            await socket.send(json.dumps(message))
                finally:
                    beating.cancel()
                code = socket.close_code
        except websockets.InvalidStatus as error:
            if error.response.status_code != 429:
                raise SystemExit(f"{address}: HTTP {error.response.status_code}") from None
            code = None
        except websockets.ConnectionClosed as error:
            code = error.rcvd.code if error.rcvd else None
        except OSError:
            code = None
        if code in FINAL:
            if bot.table is not None and bot.table["phase"] in ("over", "closed"):
                return bot
            raise SystemExit(f"the table let us go (close code {code})")
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
        wanted = {"settings": {"edition": options.edition}, "bots": ["greedy"]}
        table = call(server, "/api/tables", wanted, token)["table"]
    view = asyncio.run(play(server, table, token, not options.join, options.stay)).view
    loser = view and view["loser"]
    print("nobody lost" if loser is None else f"{view['players'][loser]} lost")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("stopped")
