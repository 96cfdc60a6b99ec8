"""How a command says no."""

import typer


class Refusal(typer.TyperException):
    """What was asked cannot be done; the message is the one line that the user reads."""


class Misuse(Refusal):
    """The command was called with something that does not exist; says what does."""

    exit_code = 2
