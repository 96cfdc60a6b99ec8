"""The rehearsal: has everything compiled that reviews need, by every judge, of small and of large
decks."""

from __future__ import annotations

from karma.bots.choice import GENERAL, load_net
from karma.editions import CLASSIC, MINI
from karma.game import Game
from karma.review.decisions import all_losses, decide
from karma.review.luck import shown
from karma.review.reasons import contrasts
from karma.review.reply import reply
from karma.review.values import Judge, NetJudge, RolloutJudge, dealt, values


def rehearse() -> None:
    """Goes through the first move of a game in every way there is."""
    judges: list[Judge] = [NetJudge(GENERAL, load_net(GENERAL)), RolloutJudge(2, seed=0)]
    for rules in (MINI.replace(face_up="dealt"), CLASSIC.replace(face_up="dealt", decks=2)):
        game = Game(rules, 2, seed=0)
        assert game.actor is not None
        view, move = game.view(game.actor), game.legal[0]
        state = dealt(rules, 2, game.deck, game.dealer)
        for judge in judges:
            values(judge, state, rules, game.players)
            shown(judge, state, move.number, rules, game.players)
            contrasts(decide(view, move, judge, 2, 0).trials)
            all_losses(view, move, judge, 2, 0)
            reply(view, move, judge, 0)
