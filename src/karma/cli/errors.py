"""How a command says no."""

import typer


class Failure(typer.TyperException):
    """What was asked cannot be done; the message is the one line that the user reads."""


class Misuse(Failure):
    """The command was called with something that does not exist; says what does."""

    exit_code = 2
