"""A progress bar on standard error, for commands that take long; silent when nobody watches."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def bar(what: str, total: int) -> Iterator[Callable[..., None]]:
    """A bar that is told how much is done, and a note to show beside it."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}"),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task(what, total=total, note="")

        def update(done: int, note: str = "") -> None:
            progress.update(task, completed=done, note=note)

        yield update
