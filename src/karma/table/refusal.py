"""Refusal: why something asked of a table was not done, as a code and parameters."""

from karma.protocol.codes import ErrorCode, Parameter, Parameters


class Refusal(Exception):
    """Something asked of a table that cannot be done, and why."""

    def __init__(self, code: ErrorCode, **parameters: Parameter) -> None:
        super().__init__(code, parameters)
        self.code: ErrorCode = code
        self.parameters: Parameters = parameters
