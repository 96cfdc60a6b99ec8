"""The rehearsal: has everything compiled that reviews need, by every judge, of small and of large
decks."""

from __future__ import annotations

from karma.bots.choice import general_net, load_net
from karma.bots.registry import make_bot
from karma.core.kernel import PLAIN, compiled_mark
from karma.core.layout import PICK_UP, TURN_OVER
from karma.editions import CLASSIC, MINI
from karma.game import Game
from karma.review.decisions import all_losses, decide
from karma.review.luck import shown
from karma.review.reasons import contrasts
from karma.review.reply import reply
from karma.review.values import Judge, NetJudge, RolloutJudge, dealt, moved, values


def rehearse() -> None:
    """Goes through the first move of a game, and the first flip, in every way there is."""
    name = general_net(players=2)
    judges: list[Judge] = [NetJudge(name, load_net(name)), RolloutJudge(2, seed=0)]
    for rules in (MINI.replace(face_up="dealt"), CLASSIC.replace(face_up="dealt", decks=2)):
        game = Game(rules, 2, seed=0)
        assert game.actor is not None
        view, move = game.view(game.actor), game.legal[0]
        state = dealt(rules, 2, game.deck, game.dealer)
        moves = until_a_card_is_turned_over(game)
        last = state
        for each in moves[:-1]:
            last = moved(last, each, rules)
        for judge in judges:
            values(judge, state, rules, game.players)
            shown(judge, state, move.number, rules, game.players)
            shown(judge, last, moves[-1], rules, game.players)
            found = decide(view, move, judge, 2, 0)
            contrasts(found.trials)
            all_losses(view, found, judge, 2, 0)
            reply(view, move, judge, 0)
    if not PLAIN:
        compiled_mark("review").touch()


def until_a_card_is_turned_over(game: Game) -> list[int]:
    """Has a bot play a game on for all seats, and returns its moves up to the first such card."""
    bot = make_bot("greedy", seed=0)
    while not game.moves or not TURN_OVER <= game.moves[-1].number < PICK_UP:
        assert game.actor is not None
        game.push(bot.choose(game.view(game.actor)))
    return [move.number for move in game.moves]
