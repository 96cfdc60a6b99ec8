"""`karma watch`: bots against bots, at the table in the terminal or as plain text."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from karma.cli.errors import Failure, Misuse
from karma.cli.options import (
    EditionOption,
    LevelOption,
    MaybeLanguage,
    RuleOption,
    SpeedOption,
    StyleOption,
    on_terminal,
    run_app,
)
from karma.cli.play import plan_game, preparing

if TYPE_CHECKING:
    from karma.texts import Texts
    from karma.tui.home import Plan
    from karma.tui.local_tables import LocalTables


def watch(
    edition: EditionOption = "classic",
    players: Annotated[
        int | None, typer.Option("--players", "-p", metavar="N", help="How many bots sit down.")
    ] = None,
    rule: RuleOption = None,
    bots: Annotated[
        str | None, typer.Option(metavar="NAME,…", help="The bots, in turn around the table.")
    ] = None,
    level: LevelOption = None,
    style: StyleOption = None,
    seat: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Whose eyes; the audience's if absent.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Deal the same cards again.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep the record of the game.")
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Plain lines of text.")] = False,
    speed: SpeedOption = None,
    lang: MaybeLanguage = None,
) -> None:
    """Watch bots play, from any seat's eyes or the audience's."""
    from karma.texts import Texts
    from karma.tui.home import Home, login_name
    from karma.tui.local_tables import LocalTables
    from karma.tui.preparation import warm_up

    plan = plan_game(edition, players, rule, bots, seed, level=level, style=style, people=0)
    plan.name = login_name()
    if seat is not None and seat >= len(plan.bots):
        raise Misuse(f"there is no seat {seat}; seats are 0 to {len(plan.bots) - 1}")
    say = Texts(lang or "en")
    with preparing(say):
        warm_up(plan)
    home = Home(games=record)
    tables = LocalTables(home, records=record is not None)
    if plain or not on_terminal():
        listen(tables, plan, seat, say)
    else:
        from karma.tui.app import KarmaApp

        run_app(KarmaApp(home, tables=tables, watch=plan, seat=seat, speed=speed, language=lang))
    if tables.failure is not None:
        raise Failure(f"the record cannot be saved: {tables.failure}")


def listen(tables: "LocalTables", plan: "Plan", seat: int | None, say: "Texts") -> None:
    """Prints what happens, to the end of the game."""
    import asyncio

    from karma.protocol.messages import Update, Welcome
    from karma.text import event_text
    from karma.tui.mirror import Mirror
    from karma.tui.news import events_of

    async def watch_game() -> None:
        mirror, connection = Mirror(), await tables.watch(plan)
        while mirror.table is None or mirror.table.phase != "over":
            message = await connection.receive()
            if isinstance(message, Welcome | Update):
                happened = mirror.take(message)
                players = [each.name for each in mirror.seats]
                for event in events_of(happened):
                    print(event_text(event, players, seat, say))
        await connection.close()

    asyncio.run(watch_game())
