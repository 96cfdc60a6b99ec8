"""The fair deal: its bytes, its evenness, and what happens to a record that lies."""

import dataclasses
import hashlib
from collections import Counter
from collections.abc import Sequence

import pytest

from karma import fair
from karma.editions import EDITIONS, Rules
from karma.game import Game
from karma.record import Record

SECRET, SEEDS = bytes(range(64)), [bytes([seat] * 32) for seat in range(3)]


def dealt_again(
    rules: Rules, table: str, game: int, secret: bytes, seeds: Sequence[bytes]
) -> list[str]:
    """The deck, by the words of docs/protocol.md and nothing else."""

    def text(word: str) -> bytes:
        return bytes([len(word.encode())]) + word.encode()

    head = text("karma fair deck") + bytes([1]) + text(table) + game.to_bytes(4, "big")
    data = head + bytes([len(seeds)]) + secret + b"".join(seeds)
    stream = hashlib.shake_256(data).digest(100_000)
    kinds = [*map(str, range(1, 17)), "G", "F", "T", "B"]
    if not rules.give_cards:
        kinds.remove("G")
    deck = [kind for kind in kinds for _ in range(rules.copies * rules.decks)]
    at = 0
    for i in reversed(range(1, len(deck))):
        while True:
            word = int.from_bytes(stream[at : at + 4], "big")
            at += 4
            if word < 2**32 - 2**32 % (i + 1):
                break
        j = word % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_deck_is_the_one_of_the_protocol_page(edition: str) -> None:
    rules = EDITIONS[edition]
    for game in (1, 2, 70_000):
        deck = fair.deal(rules, "k7qm3xpa9z", game, SECRET, SEEDS)
        assert list(deck) == dealt_again(rules, "k7qm3xpa9z", game, SECRET, SEEDS)
        assert sorted(deck) == sorted(rules.full_deck)


def test_every_part_matters() -> None:
    rules = EDITIONS["mini"]
    decks = {
        fair.deal(rules, "table", 1, SECRET, SEEDS),
        fair.deal(rules, "tables", 1, SECRET, SEEDS),
        fair.deal(rules, "table", 2, SECRET, SEEDS),
        fair.deal(rules, "table", 1, SECRET[::-1], SEEDS),
        fair.deal(rules, "table", 1, SECRET, SEEDS[::-1]),
        fair.deal(rules, "table", 1, SECRET, [*SEEDS[:2], bytes(32)]),
    }
    assert len(decks) == 6


def unevenness(deals: int = 3000) -> float:
    """Chi-square over all places and kinds of many deals, in deviations from what is expected."""
    rules = EDITIONS["mini"]
    counts: list[Counter[str]] = [Counter() for _ in rules.full_deck]
    for game in range(deals):
        for place, kind in enumerate(fair.deal(rules, "table", game, SECRET, SEEDS)):
            counts[place][kind] += 1
    kinds = sorted(set(rules.full_deck))
    expected = deals / len(kinds)
    squares = sum(
        (counter[kind] - expected) ** 2 / expected for counter in counts for kind in kinds
    )
    freedom = len(counts) * (len(kinds) - 1)
    return float((squares - freedom) / (2 * freedom) ** 0.5)


def test_every_card_is_equally_likely_at_every_place() -> None:
    assert abs(unevenness()) < 5


def finished() -> Record:
    """A record with a fair deal in which the last seat took no part."""
    rules = EDITIONS["mini"]
    seeds = [*SEEDS[:2], fair.ZERO_SEED]
    deck = fair.deal(rules, "table", 1, SECRET, seeds)
    parts = [
        {
            "commitment": fair.seed_commitment("table", 1, seat, seed).hex() if seat < 2 else None,
            "seed": seed.hex(),
            "missing": False,
        }
        for seat, seed in enumerate(seeds)
    ]
    return Record.of(
        Game(rules, ["Ana", "Bo", "greedy"], deck=deck),
        fair={
            "version": 1,
            "table": "table",
            "game": 1,
            "commitment": fair.secret_commitment("table", 1, SECRET).hex(),
            "secret": SECRET.hex(),
            "seats": parts,
        },
    )


def test_a_true_record_is_believed() -> None:
    fair.check(finished())


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"secret": bytes(64).hex()}, "secret is not the one"),
        ({"secret": "00"}, "has 1 bytes"),
        ({"secret": "zz"}, "cannot be read"),
        ({"game": 2}, "secret is not the one"),
        ({"version": 2}, "version"),
        ({"seats": []}, "has 0 seats"),
        ({"seats": None}, "cannot be read"),
    ],
)
def test_a_lie_is_seen(change: dict[str, object], reason: str) -> None:
    record = finished()
    false = {**record.extra["fair"], **change}
    with pytest.raises(fair.FairDealError, match=reason):
        fair.check(dataclasses.replace(record, extra={"fair": false}))


def test_another_seed_or_deck_is_seen() -> None:
    record = finished()
    parts = [dict(part) for part in record.extra["fair"]["seats"]]
    parts[1]["seed"] = SEEDS[2].hex()
    with pytest.raises(fair.FairDealError, match="seat 1's seed"):
        fair.check(
            dataclasses.replace(record, extra={"fair": {**record.extra["fair"], "seats": parts}})
        )
    deck = (record.deck[1], record.deck[0], *record.deck[2:])
    if deck == record.deck:
        deck = (record.deck[-1], *record.deck[1:-1], record.deck[0])
    with pytest.raises(fair.FairDealError, match="deck is not the one"):
        fair.check(dataclasses.replace(record, deck=deck))
    with pytest.raises(fair.FairDealError, match="no fair deal"):
        fair.check(dataclasses.replace(record, extra={}))
