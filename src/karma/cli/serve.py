"""`karma serve`: the server."""

import tomllib
from pathlib import Path
from typing import Annotated, Any

import typer

from karma.cli.errors import Failure


def serve(
    host: Annotated[
        str, typer.Option(envvar="KARMA_HOST", help="The address to listen on; 0.0.0.0 for all.")
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(envvar="KARMA_PORT", min=0, max=65535, help="The port; 0 for any free one."),
    ] = 8000,
    data: Annotated[
        Path, typer.Option(envvar="KARMA_DATA", help="The folder for everything that is kept.")
    ] = Path("karma-data"),
    public_url: Annotated[
        str | None,
        typer.Option(
            envvar="KARMA_PUBLIC_URL",
            help="The address under which people reach the server. With https, cookies are secure;"
            " without this, any name that leads here is believed.",
        ),
    ] = None,
    processes: Annotated[
        int, typer.Option(envvar="KARMA_PROCESSES", min=1, help="Processes that think for bots.")
    ] = 1,
    milliseconds: Annotated[
        int,
        typer.Option(
            envvar="KARMA_MILLISECONDS", min=1, help="How long a bot may think about a move."
        ),
    ] = 1000,
    pace: Annotated[
        float,
        typer.Option(
            envvar="KARMA_PACE", min=0, help="Seconds a bot waits, so that people can follow."
        ),
    ] = 0.7,
    retention: Annotated[
        int,
        typer.Option(
            envvar="KARMA_RETENTION",
            min=0,
            help="Days after which closed or forgotten tables are deleted; 0 keeps everything.",
        ),
    ] = 0,
    refuse_names: Annotated[
        Path | None,
        typer.Option(
            envvar="KARMA_REFUSE_NAMES", help="A file of words, one a line, that no name may have."
        ),
    ] = None,
    webhook: Annotated[
        str | None,
        typer.Option(
            envvar="KARMA_WEBHOOK",
            help="An address that is told whose turn it is in games that last days.",
        ),
    ] = None,
    smtp: Annotated[
        str | None,
        typer.Option(
            envvar="KARMA_SMTP", help="A mail server for the same: smtp://user:password@host:port."
        ),
    ] = None,
    mail_from: Annotated[
        str | None, typer.Option(envvar="KARMA_MAIL_FROM", help="The sender of such mail.")
    ] = None,
    metrics_port: Annotated[
        int | None,
        typer.Option(
            envvar="KARMA_METRICS_PORT",
            help="Serve metrics on this port of the loopback address; off without it.",
        ),
    ] = None,
    limits: Annotated[
        bool,
        typer.Option(
            envvar="KARMA_LIMITS", help="Limit what one address, player or socket may ask for."
        ),
    ] = True,
    people_per_address: Annotated[
        int,
        typer.Option(
            envvar="KARMA_PEOPLE_PER_ADDRESS",
            min=1,
            help="How many people may be behind one address, a school's or an office's: what an"
            " address may ask for in a minute grows with it.",
        ),
    ] = 500,
    proxies: Annotated[
        str | None,
        typer.Option(
            envvar="KARMA_PROXIES",
            help="Addresses or networks of proxies in front, with commas between, that are"
            " believed when X-Forwarded-For says whom a request comes from.",
        ),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(
            envvar="KARMA_CONFIG",
            help="A TOML file with any of these settings, named as here with underscores; flags"
            " and the environment are stronger.",
            callback=lambda context, value: _defaults(context, value),
            is_eager=True,
        ),
    ] = None,
) -> None:
    """Serve tables to browsers, terminals and bots, until Ctrl-C.

    Everything is kept in one SQLite file in the data folder; killing the server loses nothing.
    """
    from karma.server.config import Config
    from karma.server.serve import CannotListen
    from karma.server.serve import serve as run
    from karma.store import StoreError

    settings = Config(
        host=host,
        port=port,
        data=data,
        public_url=public_url,
        processes=processes,
        milliseconds=milliseconds,
        pace=pace,
        retention=retention,
        refuse_names=_words(refuse_names),
        webhook=webhook,
        smtp=smtp,
        mail_from=mail_from,
        metrics_port=metrics_port,
        limits=limits,
        people_per_address=people_per_address,
        proxies=proxies,
    )
    if public_url is not None and not public_url.startswith(("http://", "https://")):
        raise typer.BadParameter("--public-url has to begin with http:// or https://")
    print("Getting ready; the first time takes a minute.", flush=True)

    def ready(settled: Config) -> None:
        print(f"Karma is served at {settled.address}  (Ctrl-C stops it)", flush=True)
        if settled.listens_everywhere and settled.public_url is None:
            print(f"On this machine also at http://127.0.0.1:{settled.port}", flush=True)
        if not settled.secure:
            print("Plain http: fine at home; over the internet, put https in front.", flush=True)

    try:
        run(settings, ready)
    except (CannotListen, StoreError) as error:
        raise Failure(str(error)) from None


def _words(path: Path | None) -> frozenset[str]:
    if path is None:
        return frozenset()
    try:
        return frozenset(line.strip() for line in path.read_text().splitlines() if line.strip())
    except OSError as error:
        raise Failure(f"cannot read {path}: {error.strerror}") from None


def _defaults(context: typer.Context, path: Path | None) -> Path | None:
    """Takes the settings of a file as the usual values."""
    if path is None:
        return None
    try:
        values: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Failure(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:
        raise Failure(f"{path} is not TOML: {error}") from None
    known = {parameter.name for parameter in context.command.params}
    for name in values:
        if name not in known:
            raise Failure(f"{path} sets {name!r}, which is no setting of karma serve")
    context.default_map = {**(context.default_map or {}), **values}
    return path
