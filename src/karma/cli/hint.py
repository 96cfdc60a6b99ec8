"""`karma hint`: what to do at a moment of a recorded game, by what its mover knew, and why."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from karma.cli.errors import Failure, Misuse
from karma.cli.options import LanguageOption
from karma.cli.replay import opened

if TYPE_CHECKING:
    from karma.record import Record
    from karma.texts import Texts
    from karma.view import View


def hint(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Records, one a line; - for stdin.")],
    ply: Annotated[
        int, typer.Option(metavar="N", min=0, help="The moves made before the moment.")
    ] = 0,
    game: Annotated[int, typer.Option(metavar="N", min=0, help="The game, from 0.")] = 0,
    lang: LanguageOption = "en",
) -> None:
    """Say what to do at a moment of a recorded game, and why."""
    from karma.texts import Texts

    for line in _advice(_view(_record(file, game), ply), Texts(lang)):
        print(line)


def _record(path: Path, wanted: int) -> "Record":
    from karma.record import RecordError, numbered

    games = 0
    try:
        with opened(path) as file:
            for number, record in numbered(file):
                games = number + 1
                if number == wanted:
                    return record
    except RecordError as error:
        raise Failure(str(error)) from None
    there_are = f"games are 0 to {games - 1}" if games else "there is none"
    raise Misuse(f"{path} has no game {wanted}; {there_are}")


def _view(record: "Record", ply: int) -> "View":
    """What the mover knew before the move of a ply."""
    from karma.record import RecordError

    try:
        if record.replay().over and ply >= len(record.moves):
            raise Misuse(f"the game is over at ply {len(record.moves)}; give a ply before that")
    except RecordError as error:
        raise Failure(str(error)) from None
    if ply > len(record.moves):
        raise Misuse(f"the game has {len(record.moves)} moves; plies are 0 to {len(record.moves)}")
    game = record.deal()
    for text in record.moves[:ply]:
        game.push(text)
    assert game.actor is not None
    return game.view(game.actor)


def _advice(view: "View", say: "Texts") -> Iterator[str]:
    """The move and its plain consequences; then the facts that tell it from greedy's move."""
    from karma.advice import advice_text, reasons
    from karma.review.baseline import rollouts
    from karma.review.decisions import best
    from karma.review.facts import facts_text
    from karma.review.hint import SEED, WORLDS, numbers
    from karma.review.values import judge_for

    players = len(view.players)
    judge = judge_for(view.rules, players, rollouts(players), SEED)
    number = best(view, judge, WORLDS, SEED)
    move = next(each for each in view.legal if each.number == number)
    yield advice_text([move], reasons([move], view)[:2], view, say)
    found = numbers(view, move)
    if found.instead is not None:
        yield f"  {facts_text(found.instead, found.facts, view, say)}"
