"""Answers: what requests were answered with, so that who asks again is told the same again."""

from collections import OrderedDict

from karma.protocol import messages
from karma.refusals import Refusal
from karma.table.log.state import TableState
from karma.table.requests.request import Request

REMEMBERED_ANSWERS = 256


class Answers:
    """The last answers of a table, by who asked and the id of the request."""

    def __init__(self) -> None:
        self._answers: OrderedDict[tuple[str, str], messages.FromServer] = OrderedDict()

    def given(self, state: TableState, player: str, request: Request) -> messages.FromServer | None:
        """The answer that this request had; None if it is new. What was done is in the log."""
        key = player, request.id
        if key in state.done:
            return messages.Ack(id=request.id, version=state.done[key])
        return self._answers.get(key)

    def remember(self, player: str, request: Request, answer: messages.FromServer) -> None:
        """Keeps an answer that the log does not know of."""
        self._answers[player, request.id] = answer
        if len(self._answers) > REMEMBERED_ANSWERS:
            self._answers.popitem(last=False)


def refused(state: TableState, player: str, request: Request, refusal: Refusal) -> messages.Refused:
    """The answer to a request that is not done, with the ply that it was not done at."""
    view = state.view(state.seat_of(player))
    return messages.Refused(
        id=request.id,
        code=refusal.code,
        parameters=refusal.parameters,
        game=state.number,
        ply=view.ply if view is not None else 0,
    )
