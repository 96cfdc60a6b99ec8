"""Seeds: this client's part in the fair deals of a table, and whether it was left out of one."""

import os

from karma.fair import SEED_BYTES, seed_commitment
from karma.protocol.state import TableInfo, You
from karma.table.requests.game import Commit, LeftOut, Reveal


class Seeds:
    """A seed for each game, which is promised, then shown, and then has to be in the deal."""

    def __init__(self) -> None:
        self._seeds: dict[tuple[int, int], bytes] = {}
        self._promised: set[tuple[int, int]] = set()
        self._accepted = 0
        """The game that its person plays though the seed was left out."""
        self._game = 0
        self.left_out = False
        """Our seed is not in the present deal, and its person has not said to play on."""

    def play_on(self) -> None:
        """Plays these cards all the same."""
        self._accepted, self.left_out = self._game, False

    def request(self, you: You, table: TableInfo) -> Commit | Reveal | LeftOut | None:
        """What has to be said to the table now, if anything."""
        fair, seat, game = table.fair, you.seat, table.game
        self._game, self.left_out = game, False
        if fair is None or seat is None or seat >= len(fair.seats):
            return None
        part, key = fair.seats[seat], (game, seat)
        seed = self._seeds.setdefault(key, os.urandom(SEED_BYTES))
        if fair.state == "committing" and part.commitment is None:
            self._promised.add(key)
            promise = seed_commitment(table.table, game, seat, seed).hex()
            return Commit(id=f"commit-{game}-{seat}", game=game, commitment=promise)
        if fair.state == "revealing" and part.commitment and part.seed is None:
            return Reveal(id=f"reveal-{game}-{seat}", game=game, seed=seed.hex())
        if fair.state == "dealt" and key in self._promised and part.seed != seed.hex():
            self.left_out = game != self._accepted
            return LeftOut(id=f"left-out-{game}-{seat}", game=game)
        return None
