"""`karma bots` at a table: how the bots that have networks play there, and what games say of it."""

import json
from pathlib import Path

import pytest

from karma.bots.choice import MASTER, NET, fact, player_for
from karma.editions import edition
from workshop.strength import who_played

STRENGTH = Path(__file__).parent.parent.parent / "docs" / "strength"


def lines(karma, *table: object) -> dict[str, str]:
    answer = karma("bots", *table)
    assert answer.code == 0, answer.err
    return dict(line.split(maxsplit=1) for line in answer.out.splitlines())


def test_it_says_where_no_network_is_better_and_who_plays_instead(karma):
    told = lines(karma, "--edition", "online", "--players", 3)
    known = fact(NET, "online", "expert", edition("online"), 3)
    assert told["net"].startswith("plays as expert, since no network is better here")
    assert f"{100 * known.gain:+.1f} ± {100 * known.error:.1f} points" in told["net"]
    assert told["master"].startswith("searches by the network online (")


@pytest.mark.parametrize(("name", "players"), [("mini", 3), ("classic", 6), ("online", 2)])
def test_games_of_a_printed_table_that_decided_nothing_speak_for_master(karma, name, players):
    stored = json.loads((STRENGTH / f"{name}-{players}.json").read_text(encoding="utf-8"))
    (row,) = (row for row in stored["rows"] if who_played(row) == ("master", "expert"))
    gain = row["adjusted"]["score"] - 1 + 1 / players
    told = lines(karma, "--edition", name, "--players", players)["master"]
    assert f"{100 * gain:+.1f} ± " in told and f"{row['games']} games)" in told


@pytest.mark.parametrize(("name", "players"), [("mini", 4), ("classic", 2), ("alternative", 5)])
def test_where_a_network_plays_alone_its_games_against_expert_are_told(karma, name, players):
    stored = json.loads((STRENGTH / f"{name}-{players}.json").read_text(encoding="utf-8"))
    (row,) = (row for row in stored["rows"] if who_played(row) == ("net", "expert"))
    told = lines(karma, "--edition", name, "--players", players)["net"]
    assert f"{100 * (row['score'] - 1 + 1 / players):+.1f} ± " in told
    is_weaker = row["high"] < 1 - 1 / players
    assert ("expert takes longer and is stronger" in told) == is_weaker


def test_it_says_which_network_plays(karma):
    told = lines(karma, "--players", 2)
    assert told["net"].startswith("makes the move that the network classic-2 likes best (+")
    assert told["master"].startswith("searches by the network classic-2 (")
    assert " and by quick games (" in lines(karma, "-e", "mini", "--players", 4)["master"]
    told = lines(karma, "--rule", "decks=2", "--players", 8)
    assert told["net"] == "plays as expert, since no network was shown to be better here"
    assert "by house rules drawn at random" in told["master"]


@pytest.mark.parametrize(("name", "players"), [("mini", 3), ("classic", 6), ("online", 2)])
def test_for_programs_it_is_json(karma, name, players):
    told = json.loads(karma("bots", "-e", name, "--players", players, "--json").out)
    rules = edition(name).for_table(players)
    for bot in (NET, MASTER):
        assert told[bot]["network"] == player_for(bot, rules, players)


def test_a_table_that_there_is_not_is_refused(karma):
    answer = karma("bots", "--edition", "mini", "--players", 9)
    assert answer.code == 2 and "2 to 4 can play" in answer.err
    assert "there is no option 'foo'" in karma("bots", "--rule", "foo=1").err
