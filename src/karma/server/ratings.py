"""Ratings: statistics by edition, and an OpenSkill rating for those who keep their token."""

import sqlite3
from typing import Any

from karma.protocol.bodies import EditionStatistics, ServerStatistics, Standing, Statistics
from karma.store import Finished
from karma.store.sqlite import SqliteStore

STANDINGS = 50


class Ratings:
    """What finished games say of players."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store

    async def of(self, player: str) -> list[Statistics]:
        """One player's games."""
        rows = await self._store.query(
            "SELECT edition, played, lost, rated, mu, sigma FROM ratings WHERE player = ?"
            " ORDER BY edition",
            (player,),
        )
        return [
            Statistics(
                edition=edition, played=played, lost=lost, rated=rated, rating=_shown(mu, sigma)
            )
            for edition, played, lost, rated, mu, sigma in rows
        ]

    async def statistics(self) -> ServerStatistics:
        """All finished games by edition, and the best players of each."""
        rows = await self._store.query(
            "SELECT edition, count(*), sum(loser IS NULL), avg(plies) FROM games"
            " WHERE complete GROUP BY edition ORDER BY edition"
        )
        return ServerStatistics(
            editions=[
                EditionStatistics(
                    edition=edition,
                    games=games,
                    stalled=stalled,
                    mean_plies=round(plies, 1),
                    standings=await self._standings(edition),
                )
                for edition, games, stalled, plies in rows
            ]
        )

    async def _standings(self, edition: str) -> list[Standing]:
        rows = await self._store.query(
            "SELECT player, name, mu, sigma, played, lost FROM ratings JOIN players USING (player)"
            " WHERE edition = ? AND mu IS NOT NULL ORDER BY mu - 3 * sigma DESC LIMIT ?",
            (edition, STANDINGS),
        )
        return [
            Standing(
                player=player, name=name, rating=_shown(mu, sigma) or 0.0, played=played, lost=lost
            )
            for player, name, mu, sigma, played, lost in rows
        ]


def _shown(mu: float | None, sigma: float | None) -> float | None:
    return None if mu is None or sigma is None else round(mu - 3 * sigma, 2)


def count_game(database: sqlite3.Connection, finished: Finished) -> None:
    """Adds a finished game to its players' statistics, and to their ratings if it is rated."""
    record = finished.record
    if not finished.complete or record.extra.get("practice"):
        return
    edition, loser = record.rules.edition, record.result["loser"]
    for seat, player in enumerate(finished.players):
        if player is not None:
            database.execute(
                "INSERT INTO ratings (player, edition, played, lost, rated) VALUES (?, ?, 1, ?, ?)"
                " ON CONFLICT DO UPDATE SET played = played + 1, lost = lost + excluded.lost,"
                " rated = rated + excluded.rated",
                (player, edition, seat == loser, finished.rated),
            )
    if finished.rated and loser is not None and all(finished.players):
        _rate(database, edition, [p for p in finished.players if p is not None], loser)


def _rate(database: sqlite3.Connection, edition: str, players: list[str], loser: int) -> None:
    """One lost, all others won alike: that is all that counts in Karma."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    teams: list[list[Any]] = []
    for player in players:
        mu, sigma = database.execute(
            "SELECT mu, sigma FROM ratings WHERE player = ? AND edition = ?", (player, edition)
        ).fetchone()
        teams.append([model.rating(mu=mu, sigma=sigma) if mu is not None else model.rating()])
    ranks = [2.0 if seat == loser else 1.0 for seat in range(len(players))]
    for player, (rating,) in zip(players, model.rate(teams, ranks=ranks), strict=True):
        database.execute(
            "UPDATE ratings SET mu = ?, sigma = ? WHERE player = ? AND edition = ?",
            (rating.mu, rating.sigma, player, edition),
        )
