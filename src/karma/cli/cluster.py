"""`--ray ADDRESS`: the option of commands that can use a cluster."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from karma.cli.errors import Failure

if TYPE_CHECKING:
    from karma.arena.cluster import RayExecutor

RayOption = Annotated[
    str | None,
    typer.Option("--ray", metavar="ADDRESS", help="Use a Ray cluster; local starts one here."),
]


@contextmanager
def on_cluster(address: str | None) -> "Iterator[RayExecutor | None]":
    """The cluster at an address, or None where none is asked for."""
    if address is None:
        yield None
        return
    from karma.arena.cluster import ClusterError, cluster

    try:
        with cluster(address) as executor:
            yield executor
    except ClusterError as error:
        raise Failure(str(error)) from None
