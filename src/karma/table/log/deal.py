"""Deal: how far a game's fair deal is: promises, then seeds, then the deck, then the secret."""

from typing import Any

from karma import fair
from karma.protocol.codes import FairState
from karma.protocol.state import Fair, FairSeat

SECONDS = 10
"""How long the table waits for promises, unless somebody is still to come, and then for seeds."""


class Deal:
    """One game's fair deal."""

    def __init__(
        self,
        *,
        table: str,
        game: int,
        seats: int,
        people: list[int],
        asked: list[int],
        secret: bytes,
        at: int,
        seconds: int = SECONDS,
    ) -> None:
        self.table, self.game, self.secret = table, game, secret
        self.state: FairState = "committing" if asked else "revealing"
        self.seeds: list[bytes] = [fair.ZERO_SEED] * seats
        self.deadline: int | None = at + seconds * 1000
        self._people = people
        self._asked = set(asked)
        self._commitments: dict[int, bytes] = {}
        self._shown: set[int] = set()
        self._complained: frozenset[int] = frozenset()
        self._info: Fair | None = None

    def copy(self) -> "Deal":
        """The same deal, to go on with on its own."""
        copy = Deal.__new__(Deal)
        copy.__dict__.update(self.__dict__)
        copy.seeds = list(self.seeds)
        copy._commitments = dict(self._commitments)
        copy._shown = set(self._shown)
        return copy

    def may_commit(self, seat: int) -> bool:
        """Is this seat's promise still waited for?"""
        return self.state == "committing" and seat in self._asked and seat not in self._commitments

    def commit(self, seat: int, commitment: bytes, at: int) -> None:
        """Takes a seat's promise; with the last one, seeds are asked for."""
        self._info = None
        self._commitments[seat] = commitment
        if self._commitments.keys() >= self._asked:
            self.close(at)

    def fits(self, seat: int, seed: bytes) -> bool:
        """Is this the seed that the seat promised, at the time for it?"""
        return (
            self.state == "revealing"
            and seat in self._commitments
            and seat not in self._shown
            and fair.seed_commitment(self.table, self.game, seat, seed) == self._commitments[seat]
        )

    def show(self, seat: int, seed: bytes) -> None:
        """Takes a seat's seed."""
        self._info = None
        self.seeds[seat] = seed
        self._shown.add(seat)

    def close(self, at: int) -> None:
        """Ends the promises, or the wait for seeds."""
        self._info = None
        if self.state == "committing":
            self.state = "revealing"
            self.deadline = at + SECONDS * 1000
        else:
            self.deadline = None

    @property
    def ready(self) -> bool:
        """Is there nothing left to wait for?"""
        return self.state == "revealing" and (
            self.deadline is None or self._shown >= self._commitments.keys()
        )

    @property
    def missing(self) -> list[int]:
        """The people's seats that count with zeros."""
        return [seat for seat in self._people if seat not in self._shown]

    def may_complain(self, seat: int) -> bool:
        """Was this seat asked for a seed, counts with zeros, and has not said so yet?

        Whether it sent one is its word against the server's, whose log may lack the promise, too.
        """
        left_out = seat in self._asked and seat not in self._shown
        return self.state == "dealt" and left_out and seat not in self._complained

    def complain(self, seat: int) -> None:
        """The seat says that its seed was left out."""
        self._complained = self._complained | {seat}

    def finish(self) -> None:
        """The deck was dealt."""
        self._info = None
        self.state, self.deadline = "dealt", None

    def publish(self) -> None:
        """The game has ended: the secret is one no longer."""
        self._info = None
        self.state, self.deadline = "published", None

    def info(self) -> Fair:
        """What everybody may know of the deal now; the same object until something changes."""
        if self._info is None:
            self._info = Fair(
                version=fair.VERSION,
                table=self.table,
                game=self.game,
                state=self.state,
                commitment=fair.secret_commitment(self.table, self.game, self.secret).hex(),
                secret=self.secret.hex() if self.state == "published" else None,
                seats=[self._seat(seat) for seat in range(len(self.seeds))],
                deadline=self.deadline,
            )
        return self._info

    def _seat(self, seat: int) -> FairSeat:
        commitment = self._commitments.get(seat)
        closed = self.state in ("dealt", "published")
        return FairSeat(
            commitment=commitment.hex() if commitment is not None else None,
            seed=self.seeds[seat].hex() if closed or seat in self._shown else None,
            missing=closed and seat in self.missing,
        )

    def record(self) -> dict[str, Any]:
        """The parts from which anyone can derive the deck, for the game's record."""
        info = self.info()
        return {
            "version": info.version,
            "table": info.table,
            "game": info.game,
            "commitment": info.commitment,
            "secret": self.secret.hex(),
            "seats": [
                {"commitment": seat.commitment, "seed": seat.seed, "missing": seat.missing}
                for seat in info.seats
            ],
        }
