"""Soak: people play, go and come back for an hour, and the server's memory is to stay flat.

`python tests/soak.py 60` starts a server on SQLite and prints a line of JSON for every minute:
everybody's connection is lost at its beginning, then they play on. The last line says what the
second half of the time has added, by a line through its minutes.
"""

import argparse
import resource
import sys
import tempfile
from pathlib import Path

import numpy as np
import uvloop

from houses import OnSqlite
from load import Crowd, Server, end, tell

MINUTE = 60
TABLES, SEATS = 50, 6
RATE = 40  # actions a second: what tables remember of them is full before the second half begins


async def soak(minutes: int, options: argparse.Namespace) -> None:
    """Plays for so many minutes, and tells the memory after each."""
    with tempfile.TemporaryDirectory() as folder:
        house = OnSqlite(Path(folder))
        server = Server(house.flags)
        crowd = Crowd(server, options)
        try:
            await server.start()
            await crowd.sit()
            held: list[float] = []
            for minute in range(1, minutes + 1):
                back, _ = await crowd.come_back()
                figures = await crowd.play()
                held.append(server.memory / 2**20)
                tell(
                    "minute", number=minute, mib=round(held[-1], 2), back=round(back, 2), **figures
                )
            half = held[len(held) // 2 :]
            if len(half) > 1:
                growth = float(np.polyfit(range(len(half)), half, 1)[0])
                tell("second half", minutes=len(half), mib_an_hour=round(growth * 60, 2))
        finally:
            await end(crowd.living)
            server.end()
            house.end()


def main() -> None:
    minutes = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    options = argparse.Namespace(
        tables=TABLES, seats=SEATS, rate=RATE, seconds=MINUTE, edition="classic"
    )
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    uvloop.run(soak(minutes, options))


if __name__ == "__main__":
    main()
