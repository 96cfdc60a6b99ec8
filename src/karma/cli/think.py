"""`karma think`: bots of a server that think on this machine."""

from typing import Annotated

import typer

from karma.cli.errors import Failure


def think(
    thinkers: Annotated[
        str,
        typer.Argument(
            metavar="REDIS",
            help="The servers' --thinkers, like redis://host:6379/0. What seats know passes"
            " through it: it has to be private.",
            envvar="KARMA_THINKERS",
            show_default=False,
        ),
    ],
    processes: Annotated[int, typer.Option(min=1, help="Processes that think.")] = 1,
) -> None:
    """Think for the bots of servers that run with --thinkers, until Ctrl-C.

    Any machine may come and go; what it leaves unanswered, the servers think about themselves.
    """
    from karma.server.process import set_up_logs
    from karma.server.settings import WrongSetting
    from karma.server.think import CannotThink
    from karma.server.think import think as run

    set_up_logs()
    print("Getting ready; the first time takes a minute.", flush=True)
    try:
        run(thinkers, processes, lambda: print("Thinking  (Ctrl-C stops it)", flush=True))
    except (CannotThink, WrongSetting) as error:
        raise Failure(str(error)) from None
