"""`karma serve`: the server."""

import os
from dataclasses import fields
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any

import typer

from karma.cli.errors import Failure
from karma.server.settings import ServerSettings, WrongSetting, flag, kind, settle, variable

FILE = "settings"


def serve(**flags: Any) -> None:
    """Serve tables to browsers, terminals and bots, until Ctrl-C.

    Everything is kept in one SQLite file in the data folder, or in a PostgreSQL of yours by
    --database; killing the server loses nothing.
    """
    from karma.server.process import CannotListen
    from karma.server.process import serve as run
    from karma.store import StoreError

    def ready(settled: ServerSettings) -> None:
        print(f"Karma is served at {settled.address}  (Ctrl-C stops it)", flush=True)
        if settled.listens_everywhere and settled.public_url is None:
            print(f"On this machine also at http://127.0.0.1:{settled.port}", flush=True)
        if not settled.secure:
            print("Plain http: fine at home; over the internet, put https in front.", flush=True)

    try:
        settings = settle(flags, os.environ, flags.pop(FILE))
        print("Getting ready; the first time takes a minute.", flush=True)
        run(settings, ready)
    except (CannotListen, StoreError, WrongSetting) as error:
        raise Failure(str(error)) from None


def _parameters() -> list[Parameter]:
    """A flag for each setting, and one for the file; what they mean is settled in one place."""
    parameters = []
    for each in fields(ServerSettings):
        yes_or_no = kind(each.name) is bool
        usual = "" if each.default is None or yes_or_no else f" [usually {each.default}]"
        option = typer.Option(
            flag(each.name) + (f"/--no-{flag(each.name)[2:]}" if yes_or_no else ""),
            help=f"{each.metadata['help']}{usual} [{variable(each.name)}]",
            metavar=None if yes_or_no else kind(each.name).__name__.upper(),
            show_default=False,
        )
        parameters.append(
            _parameter(each.name, Annotated[(bool if yes_or_no else str) | None, option])
        )
    file = typer.Option(
        help="A TOML file with any of these, named as here with underscores; flags and the"
        " environment are stronger.",
        envvar=variable(FILE),
        show_default=False,
    )
    return [*parameters, _parameter(FILE, Annotated[Path | None, file])]


def _parameter(name: str, annotation: Any) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


_FLAGS = _parameters()
serve.__signature__ = Signature(_FLAGS)  # type: ignore[attr-defined]
serve.__annotations__ = {each.name: each.annotation for each in _FLAGS}
