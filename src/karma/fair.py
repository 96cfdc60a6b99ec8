"""The fair deal: a deck that nobody could choose, as long as no promised seed is left out.

The server promises a secret, every seat promises a seed, then all are shown; the deck follows from
all of them. `docs/protocol.md` gives the bytes; `check` deals a finished game's record again.
"""

import hashlib
import hmac
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from karma.editions import Rules
from karma.record import Record

VERSION = 1
SECRET_BYTES, SEED_BYTES = 64, 32
ZERO_SEED = bytes(SEED_BYTES)
_WORD_BYTES, _WORDS = 4, 1 << 32


class FairDealError(ValueError):
    """A deal that is not what was promised, and how."""


def secret_commitment(table: str, game: int, secret: bytes) -> bytes:
    """The server's promise of its secret."""
    return hashlib.sha256(_head("karma fair secret", table, game) + secret).digest()


def seed_commitment(table: str, game: int, seat: int, seed: bytes) -> bytes:
    """A seat's promise of its seed."""
    head = _head("karma fair seed", table, game)
    return hashlib.sha256(head + bytes([seat]) + seed).digest()


def deal(
    rules: Rules, table: str, game: int, secret: bytes, seeds: Sequence[bytes]
) -> tuple[str, ...]:
    """The deck that follows from the secret and the seeds, its top card first."""
    head = _head("karma fair deck", table, game)
    words = _words(hashlib.shake_256(head + bytes([len(seeds)]) + secret + b"".join(seeds)))
    deck = list(rules.full_deck)
    for last in range(len(deck) - 1, 0, -1):
        other = _below(last + 1, words)
        deck[last], deck[other] = deck[other], deck[last]
    return tuple(deck)


def check(record: Record) -> None:
    """Deals a record's deck again; FairDealError if anything in it is not as promised."""
    fair = record.extra.get("fair")
    if not isinstance(fair, Mapping):
        raise FairDealError("the record has no fair deal to check")
    try:
        _check(record, fair)
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, FairDealError):
            raise
        raise FairDealError(f"the record's fair deal cannot be read: {error}") from None


def without_seed(record: Record) -> tuple[list[int], list[int]]:
    """The seats that count with zeros: those that promised a seed, and those that never did.

    Each of the first could have been left out by whoever knew the secret, and chose by that between
    two decks.
    """
    zeros = [
        (seat, part["commitment"] is not None)
        for seat, part in enumerate(record.extra["fair"]["seats"])
        if not any(bytes.fromhex(part["seed"]))
    ]
    return [seat for seat, promised in zeros if promised], [
        s for s, promised in zeros if not promised
    ]


def _check(record: Record, fair: Mapping[str, Any]) -> None:
    if fair["version"] != VERSION:
        raise FairDealError(
            f"the fair deal's version is {fair['version']!r}; this program reads {VERSION}"
        )
    table, game, secret = fair["table"], fair["game"], bytes.fromhex(fair["secret"])
    if len(secret) != SECRET_BYTES:
        raise FairDealError(f"the secret has {len(secret)} bytes; it has to have {SECRET_BYTES}")
    if not _same(secret_commitment(table, game, secret), fair["commitment"]):
        raise FairDealError("the secret is not the one that was promised")
    if len(fair["seats"]) != len(record.players):
        raise FairDealError(
            f"the fair deal has {len(fair['seats'])} seats; the game has {len(record.players)}"
        )
    seeds = []
    for seat, part in enumerate(fair["seats"]):
        seed = bytes.fromhex(part["seed"])
        if len(seed) != SEED_BYTES:
            raise FairDealError(f"seat {seat}'s seed has {len(seed)} bytes, not {SEED_BYTES}")
        promise = part["commitment"]
        kept = promise is not None and _same(seed_commitment(table, game, seat, seed), promise)
        if not kept and seed != ZERO_SEED:
            raise FairDealError(f"seat {seat}'s seed is not the one that was promised")
        seeds.append(seed)
    if deal(record.rules, table, game, secret, seeds) != record.deck:
        raise FairDealError("the deck is not the one that follows from the secret and the seeds")


def _same(digest: bytes, text: str) -> bool:
    return hmac.compare_digest(digest.hex(), text)


def _head(word: str, table: str, game: int) -> bytes:
    return _text(word) + bytes([VERSION]) + _text(table) + game.to_bytes(4, "big")


def _text(text: str) -> bytes:
    data = text.encode()
    return bytes([len(data)]) + data


def _words(stream: Any) -> Iterator[int]:
    """The stream's words; a longer digest of SHAKE begins with the shorter one."""
    start, size = 0, 1024
    while True:
        data = stream.digest(size)
        for at in range(start, size, _WORD_BYTES):
            yield int.from_bytes(data[at : at + _WORD_BYTES], "big")
        start, size = size, size * 2


def _below(bound: int, words: Iterator[int]) -> int:
    """A number below the bound, all equally likely: words past the last whole round are skipped."""
    limit = _WORDS - _WORDS % bound
    return next(word for word in words if word < limit) % bound
