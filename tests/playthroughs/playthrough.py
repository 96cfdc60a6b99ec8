"""Playthroughs: whole games written out, with all that everybody is told.

Each file begins with the deal and then has, for every position, the audience's view as far as it
changed, each seat's view as far as it differs from the audience's (and changed), the move made, and
its events. A change of the rules, of views or of events shows up as a difference that one can read.

``make playthroughs`` writes the files anew, from the moves that they hold; where an edition or a
size has no file yet, it plays a game for it.
"""

import json
from pathlib import Path

import msgspec
import numpy as np

from chance import random_move
from karma import CLASSIC, EDITIONS, MINI, ONLINE, Game, edition

HERE = Path(__file__).parent
HOUSES = {
    "house-give-rest": (MINI.replace(set_effect="give-rest", drawing="manual", stall_limit=10), 3),
    "house-karma-leaves": (ONLINE.replace(karma_sets=True, face_up="chosen", max_play=2), 4),
    "house-top": (MINI.replace(set_counts="top", give_to="active", no_table_card="skip"), 2),
    "house-two-decks": (CLASSIC.replace(decks=2, set_size=2), 12),
}


def wanted():
    """The files there have to be: every edition and size, and some house rules."""
    for name, rules in EDITIONS.items():
        for players in range(2, rules.most_players + 1):
            yield f"{name}-{players}", rules, players
    for name, (rules, players) in HOUSES.items():
        yield name, rules, players


def written(game, moves):
    """The text of a playthrough: a fresh game, and the moves to make."""
    deal = {
        "edition": game.rules.edition,
        "rules": game.rules.overrides,
        "players": game.players,
        "dealer": game.dealer,
        "deck": game.deck,
    }
    lines = [json.dumps(deal)]
    last = {}
    for move in (*moves, None):
        lines += ["", f"ply {game.ply}"]
        audience = game.view(None).json()
        lines += changes("everybody", audience, last)
        for seat in range(len(game.players)):
            view = game.view(seat).json()
            own = {key: value for key, value in view.items() if value != audience[key]}
            lines += changes(f"seat {seat}", own, last)
        if move is not None:
            lines.append(f"move {move}")
            lines += [msgspec.json.encode(event).decode() for event in game.push(move)]
    return "\n".join(lines) + "\n"


def changes(who, view, last):
    """A line for what changed in somebody's view, or is again as everybody sees it."""
    before = last.get(who, {})
    changed = {key: view[key] for key in view if key not in before or before[key] != view[key]}
    changed |= {key: "as everybody" for key in before if key not in view}
    for dull in ("seat", "ply", "edition", "rules", "players", "dealer"):
        changed.pop(dull, None)
    last[who] = view
    shown = "; ".join(f"{key} {brief(value)}" for key, value in changed.items())
    return [f"{who}: {shown}"] if changed else []


def brief(value):
    """A value in few letters: cards side by side, seats between bars."""
    if isinstance(value, bool) or value is None:
        return {True: "x", False: ".", None: "-"}[value]
    if isinstance(value, list):
        between = " | " if any(isinstance(each, list) for each in value) else " "
        return between.join(map(brief, value))
    return json.dumps(value) if isinstance(value, dict) else str(value)


def read(text):
    """The fresh game and the moves of a playthrough."""
    deal, *lines = text.splitlines()
    data = json.loads(deal)
    rules = edition(data["edition"], **data["rules"])
    game = Game(rules, data["players"], deck=data["deck"], dealer=data["dealer"])
    return game, [line.split()[1] for line in lines if line.startswith("move ")]


def short_game(rules, players):
    """The shortest of many random games, so that the files stay small."""
    shortest, limit = None, 1000
    for seed in range(400):
        rng = np.random.default_rng(seed)
        game = Game(rules, players, seed=seed, dealer=seed % players)
        while not game.over and game.ply < limit:
            game.push(random_move(game, rng, pick_up=0.02))
        if game.over:
            shortest, limit = game, game.ply
    return Game(rules, players, deck=shortest.deck, dealer=shortest.dealer), shortest.moves


def main():
    for name, rules, players in wanted():
        path = HERE / f"{name}.txt"
        if path.exists():
            game, moves = read(path.read_text(encoding="utf-8"))
        else:
            game, moves = short_game(rules, players)
        path.write_text(written(game, moves), encoding="utf-8")


if __name__ == "__main__":
    main()
