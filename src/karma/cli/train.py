"""`karma train`: a network learns to play, from its last checkpoint on."""

from pathlib import Path
from typing import Annotated

import typer

from karma.cli.cluster import RayOption, on_cluster
from karma.cli.errors import Failure, Misuse


def train(
    folder: Annotated[Path, typer.Argument(help="A folder with a config.toml.")],
    minutes: Annotated[float, typer.Option(min=0, help="How long; Ctrl-C stops earlier.")] = 60,
    anew: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Begin anew, with the same configuration, in here."),
    ] = None,
    ray: RayOption = None,
) -> None:
    """Train a network by games against itself; goes on from the folder's checkpoint."""
    import shutil
    import signal

    from karma.train.config import ConfigError, load

    try:
        if anew is not None:
            load(folder / "config.toml")
            anew.mkdir(parents=True, exist_ok=True)
            if (anew / "checkpoint.npz").exists():
                raise Misuse(f"{anew} has a run already; go on with: karma train {anew}")
            shutil.copy(folder / "config.toml", anew)
            folder = anew
        load(folder / "config.toml")
    except ConfigError as error:
        raise Misuse(str(error)) from None
    try:
        from karma.train.run import TrainingRun
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise Failure("training needs torch; install it with: make train-setup") from None
    # A training that is ended by a service or a script stops as with Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    run = TrainingRun(folder, lambda text: print(text, flush=True))
    with on_cluster(ray) as players:
        run.go(minutes, players, 2 * players.cores if players else 2)
