"""The command `karma`: one module a command, registered here.

Commands import what is heavy inside their functions, so that `karma --help` answers at once. A
command says no by raising `Failure` or, for wrong usage, `Misuse` (see `karma.cli.errors`); `main`
prints either as one line.
"""

import sys
from typing import Annotated

import typer

from karma.cli.arena import arena
from karma.cli.bench import bench
from karma.cli.bots import bots
from karma.cli.encoding import use_plain_letters
from karma.cli.games import games
from karma.cli.hint import hint
from karma.cli.join import join
from karma.cli.play import play
from karma.cli.replay import replay
from karma.cli.review import review
from karma.cli.rules import rules
from karma.cli.serve import serve
from karma.cli.simulate import simulate
from karma.cli.think import think
from karma.cli.train import train
from karma.cli.verify import verify
from karma.cli.watch import watch

app = typer.Typer(
    name="karma",
    help="The card game Karma.",
    add_completion=False,
    rich_markup_mode=None,  # plain help: at once, and good to listen to
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"karma {version('karma')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """The card game Karma: play it, watch it, measure it."""


app.command()(play)
app.command()(watch)
app.command()(join)
app.command()(replay)
app.command()(review)
app.command()(hint)
app.command()(serve)
app.command()(think)
app.add_typer(games, name="games")
app.command()(verify)
app.command()(arena)
app.command()(bench)
app.add_typer(bots, name="bots")
app.command()(rules)
app.command()(simulate)
app.command()(train)


def main() -> None:
    """Run the command line; an error is one line on standard error and an exit code."""
    use_plain_letters()
    try:
        code = app(sys.argv[1:] or ["--help"], prog_name="karma", standalone_mode=False)
    except typer.TyperException as error:
        code = _complain(error.format_message(), error.exit_code)
    except typer.Abort:
        code = _complain("stopped", 1)
    sys.exit(code)


def _complain(message: str, code: int) -> int:
    print("karma:", " ".join(message.split()), file=sys.stderr)
    return code
