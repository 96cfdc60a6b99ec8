"""`karma watch`: bots against bots, at the table in the terminal or as plain text."""

from pathlib import Path
from typing import Annotated

import typer

from karma.cli.errors import Misuse
from karma.cli.options import (
    EditionOption,
    MaybeLanguage,
    RuleOption,
    SpeedOption,
    on_terminal,
    parse_bots,
    parse_rules,
    run_app,
)
from karma.cli.play import (
    count_seats,
    deal_game,
    in_turn,
    numbered,
    preparing,
    save,
    seat_bots,
    warm_up,
)


def watch(
    edition: EditionOption = "classic",
    players: Annotated[
        int, typer.Option("--players", "-p", metavar="N", help="How many bots sit down.")
    ] = 4,
    rule: RuleOption = None,
    bots: Annotated[
        str, typer.Option(metavar="NAME,…", help="The bots, in turn around the table.")
    ] = "greedy",
    seat: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Whose eyes; the audience's if absent.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Deal the same cards again.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep the record of the game, plain.")
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Plain lines of text.")] = False,
    speed: SpeedOption = None,
    lang: MaybeLanguage = None,
) -> None:
    """Watch bots play, from any seat's eyes or the audience's."""
    from karma.texts import Texts

    say = Texts(lang or "en")
    kinds = in_turn(parse_bots(bots), count_seats(parse_rules(edition, rule), players))
    if seat is not None and seat >= players:
        raise Misuse(f"there is no seat {seat}; seats are 0 to {players - 1}")
    with preparing(say):
        game = deal_game(edition, rule, numbered(kinds), seed)
        table = seat_bots(game, kinds)
        warm_up(game, set(kinds))
    if plain or not on_terminal():
        from karma.text import event_text

        while game.actor is not None:
            for event in game.push(table[game.actor].choose(game.view(game.actor))):
                print(event_text(event, game.players, seat, say))
        if record is not None:
            from karma.tui.home import Home

            save(game, Home(games=record))
        return
    from karma.record import Record
    from karma.tui.app import KarmaApp

    run_app(KarmaApp(record=Record.of(game), seat=seat, bots=table, speed=speed, language=lang))
