"""Pages of the rules, in words."""

from starlette.requests import Request
from starlette.responses import Response

from karma.editions import EDITIONS, Rules
from karma.protocol import bodies
from karma.refusals import Refusal
from karma.rulebook import karma_cards, rulebook
from karma.server.access import Access, json_response


class RulesPages:
    """The rules of a table, or of an edition."""

    def __init__(self, access: Access) -> None:
        self._access = access

    async def rules(self, request: Request) -> Response:
        """The rules page of exactly this table."""
        table = await self._access.table(request)
        return _rulebook(table.state.rules, request)

    async def edition_rules(self, request: Request) -> Response:
        """The rules page of an edition."""
        rules = EDITIONS.get(request.path_params["edition"])
        if rules is None:
            raise Refusal("no_such_page")
        return _rulebook(rules, request)


def _rulebook(rules: Rules, request: Request) -> Response:
    """The rules in the language asked for."""
    try:
        book = rulebook(rules, request.query_params.get("language", "en"))
    except (ValueError, KeyError, OSError):
        raise Refusal("no_such_page") from None
    return json_response(
        bodies.Document(
            language=book.language,
            title=book.title,
            markdown=book.markdown(),
            karma_cards=list(karma_cards(rules)),
        )
    )
