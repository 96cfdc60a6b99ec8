"""Pages about the server."""

from importlib.metadata import version

from starlette.requests import Request
from starlette.responses import Response

from karma.editions import EDITIONS, LEAST_PLAYERS, OPTIONS
from karma.protocol import PROTOCOL, bodies
from karma.protocol.codes import Phrase
from karma.server.access import Access, json_response
from karma.server.push import Push
from karma.server.ratings import Ratings
from karma.table.log.state import MOVE_SECONDS


class AboutPages:
    """Is it well, what does it offer, what was played."""

    def __init__(self, access: Access, ratings: Ratings, push: Push) -> None:
        self._access = access
        self._push = push
        self._tables = access.tables
        self._ratings = ratings
        self._version = version("karma")  # read from a file

    async def health(self, request: Request) -> Response:
        """Is the server well?"""
        problems = self._tables.problems
        return json_response(
            bodies.Health(
                status=" ".join(problems) or "ok",
                version=self._version,
                protocol=PROTOCOL,
                tables=len(self._tables.live),
                sockets=self._access.sockets,
            ),
            503 if problems else 200,
        )

    async def about(self, request: Request) -> Response:
        """What the server offers."""
        settings = self._access.settings
        key = await self._push.key()
        ways = {"email": settings.smtp, "webhook": settings.webhook, "push": key}
        return json_response(
            bodies.About(
                version=self._version,
                protocol=PROTOCOL,
                editions=[
                    bodies.EditionInfo(
                        edition=name,
                        rules={option: getattr(rules, option) for option in OPTIONS},
                        least_players=LEAST_PLAYERS,
                        most_players=rules.most_players,
                    )
                    for name, rules in EDITIONS.items()
                ],
                options=[
                    bodies.OptionInfo(
                        option=option.name,
                        values=[*([0] if option.zero else []), *option.values],
                    )
                    for option in OPTIONS.values()
                ],
                bots=list(self._tables.levels),
                phrases=list(Phrase.__args__),  # type: ignore[attr-defined]
                clocks={clock: seconds for clock, seconds in MOVE_SECONDS.items()},
                public_url=self._access.address(request),
                secure=settings.secure,
                notices=[way for way, given in ways.items() if given],
                push_key=key.public if key is not None else None,
            )
        )

    async def statistics(self, request: Request) -> Response:
        """Finished games and ratings by edition."""
        return json_response(await self._ratings.statistics())
