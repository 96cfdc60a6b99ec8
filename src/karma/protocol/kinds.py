"""Kinds: to define a message is to register it; what is made from all of them is made here."""

from types import ModuleType
from typing import Any, TypeVar, Union

from msgspec import Struct

S = TypeVar("S", bound=Struct)


def kinds(base: type[S], *_: ModuleType) -> list[type[S]]:
    """Every kind of message there is below a class, in the order in which they are defined.

    Further arguments are the modules that define them: to name them is to have imported them.
    """
    found: list[type[S]] = []
    for kind in base.__subclasses__():
        found += kinds(kind) or [kind]
    return found


def union(base: type[Struct], *modules: ModuleType) -> Any:
    """One of these messages, told apart by its tag, as msgspec wants it."""
    return Union[tuple(kinds(base, *modules))]  # noqa: UP007  # of as many as there are
