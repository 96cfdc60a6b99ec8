"""Many machines: batches of games on a Ray cluster, in place of the processes of this one.

Ray is an extra (``pip install 'karma[cluster]'``). A batch always gives the same games, so that one
whose worker died is simply played again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any, TypeVar, cast

T = TypeVar("T")
_ATTEMPTS = 10


class ClusterError(RuntimeError):
    """A cluster that is not there, or Ray, which is not installed."""


class RayExecutor(Executor):
    """Runs functions on a Ray cluster; one whose worker died runs again elsewhere."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self._run = ray.remote(num_cpus=1, max_retries=_ATTEMPTS)(_call)

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Starts a function somewhere on the cluster."""
        return cast("Future[T]", self._run.remote(fn, args, kwargs).future())

    @property
    def cores(self) -> int:
        """How many cores the cluster has now."""
        return int(self._ray.cluster_resources().get("CPU", 1))


def _call(function: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
    return function(*args, **kwargs)


@contextmanager
def cluster(address: str) -> Iterator[RayExecutor]:
    """A Ray cluster by its address; ``local`` starts one on this machine."""
    try:
        import ray
    except ImportError:
        raise ClusterError("Ray is not installed; pip install 'karma[cluster]' does it") from None
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except Exception as error:  # Ray has no common base for "cannot connect"
        reason = str(error).splitlines()[0]
        raise ClusterError(f"there is no Ray cluster at {address}: {reason}") from None
    try:
        yield RayExecutor(ray)
    finally:
        ray.shutdown()
