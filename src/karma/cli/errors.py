"""How a command says no."""

import typer


class Refusal(typer.TyperException):
    """What was asked cannot be done; the message is the one line that the user reads."""
