"""The observation: what its named slices say is what the view says."""

import numpy as np
import pytest

from karma import EDITIONS, Game
from karma.cards import KINDS, NUMBER_OF
from karma.rl.observation import MOST, observe, parts, size
from test_docs import ROOT, rows


def counts(cards):
    return np.bincount([NUMBER_OF[kind] for kind in cards], minlength=len(KINDS)).tolist()


def one_hot(place, length):
    return [int(i == place) for i in range(length)]


@pytest.mark.parametrize(("edition", "players"), [("mini", 2), ("classic", 5), ("online", 3)])
def test_every_slice_is_what_the_view_says(edition, players, rng):
    game = Game(EDITIONS[edition].replace(stall_limit=80), players, seed=9)
    phases = set()
    while True:
        phases.add(game.phase)
        for seat in range(players):
            check(game.view(seat), players)
        if game.over:
            break
        game.push(game.legal[rng.integers(min(3, len(game.legal)))])
    assert {"play", "over"} <= phases


def check(view, players):
    observation, mask = observe(view)
    assert observation.dtype == mask.dtype == np.int8
    assert len(observation) == size(players)
    assert mask.nonzero()[0].tolist() == sorted(move.number for move in view.legal)
    told = {name: part.of(observation).tolist() for name, part in parts(players).items()}
    seats = [(view.seat + turn) % players for turn in range(players)]
    assert told["hand"] == counts(view.hand)
    assert told["known"] == [counts(view.known[seat]) for seat in seats]
    assert told["face_up"] == [
        counts(kind for kind in view.face_up[seat] if kind is not None) for seat in seats
    ]
    assert told["hidden_face_up"] == [view.face_up[seat].count(None) for seat in seats]
    assert told["pile"] == counts(view.pile)
    assert told["removed"] == counts(view.removed)
    assert sum(map(sum, told["bottom"])) == min(3, len(view.pile))
    assert [row.index(1) for row in told["bottom"] if any(row)] == [
        NUMBER_OF[kind] for kind in view.pile[:3]
    ]
    assert told["top"] == counts(view.pile[-1:])
    assert sum(told["must_play"]) == 1
    match view.must_play:
        case {"at_least": number}:
            assert told["must_play"][number]
        case {"at_most": _}:
            assert told["must_play"][17]
        case "table-card":
            assert told["must_play"][18]
        case None:
            assert told["must_play"][0]
    sources = ("hand", "face_up", "face_down")
    assert told["source"] == [int(view.source == source) for source in sources]
    assert sum(told["run"]) == (view.run.length if view.run else 0)
    assert told["phase"] == one_hot(("choose", "play", "give", "draw", "over").index(view.phase), 5)
    actor = None if view.actor is None else seats.index(view.actor)
    assert told["actor"] == one_hot(actor, players)
    assert told["dealer"] == one_hot(seats.index(view.dealer), players)
    assert told["hand_sizes"] == [view.hand_sizes[seat] for seat in seats]
    assert told["face_down"] == [sum(view.face_down[seat]) for seat in seats]
    places = {seat: place for place, seat in enumerate(view.places, start=1)}
    assert told["places"] == [places.get(seat, 0) for seat in seats]
    assert told["draw_pile"] == [view.draw_pile]
    assert told["pile_size"] == [min(MOST, len(view.pile))]
    assert told["quiet"] == [100 * view.quiet // 80]


def test_the_page_has_the_table_of_slices():
    page = (ROOT / "docs/learning.md").read_text()
    told = [tuple(cells) for cells in rows(page, "slice")]
    expected = [
        (part.name, " × ".join("n" if d == 7 else str(d) for d in part.shape), part.meaning)
        for part in parts(7).values()
    ]
    assert told == expected
