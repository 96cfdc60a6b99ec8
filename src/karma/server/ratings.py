"""Ratings: statistics by edition, and the standing of those who keep their token."""

from karma.protocol.bodies import EditionStatistics, ServerStatistics, Standing, Statistics
from karma.store.ports import RatingsPort

STANDINGS = 50


class Ratings:
    """What finished games say of players."""

    def __init__(self, store: RatingsPort) -> None:
        self._store = store

    async def of(self, player: str) -> list[Statistics]:
        """One player's games."""
        return [
            Statistics(
                edition=totals.edition,
                played=totals.played,
                lost=totals.lost,
                rated=totals.rated,
                rating=totals.rating,
            )
            for totals in await self._store.of_player(player)
        ]

    async def statistics(self) -> ServerStatistics:
        """All finished games by edition, and the best players of each."""
        return ServerStatistics(
            editions=[
                EditionStatistics(
                    edition=totals.edition,
                    games=totals.games,
                    stalled=totals.stalled,
                    mean_plies=round(totals.mean_plies, 1),
                    standings=await self._standings(totals.edition),
                )
                for totals in await self._store.editions()
            ]
        )

    async def _standings(self, edition: str) -> list[Standing]:
        return [
            Standing(
                player=totals.player,
                name=totals.name,
                rating=totals.rating or 0.0,
                played=totals.played,
                lost=totals.lost,
            )
            for totals in await self._store.best(edition, STANDINGS)
        ]
