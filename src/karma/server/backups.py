"""Backups: a copy of everything every so many hours, the newest few kept."""

import asyncio
import shutil
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from karma.clock import Clock
from karma.server.settings import ServerSettings
from karma.store.location import open_archive
from karma.store.sqlite import FILE

NAME = "%Y-%m-%dT%H-%M-%SZ"


class Backups:
    """The copies in the operator's folder, each a data folder of its own."""

    def __init__(self, settings: ServerSettings, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock

    async def keep(self) -> None:
        """Makes a copy if the newest is too old, and deletes the oldest of too many."""
        folder = self._settings.backups
        if folder is None:
            return
        now = datetime.fromtimestamp(self._clock.date() / 1000, UTC)
        kept = self._kept(folder)
        if kept and (now - _made(kept[-1])).total_seconds() < self._settings.backup_hours * 3600:
            return
        await asyncio.to_thread(self._copy, folder / now.strftime(NAME))
        for old in self._kept(folder)[: -self._settings.backups_kept]:
            await asyncio.to_thread(shutil.rmtree, old)

    def _copy(self, target: Path) -> None:
        with closing(open_archive(self._settings.data, self._settings.database)) as archive:
            archive.backup(target)

    def _kept(self, folder: Path) -> list[Path]:
        """The copies, the newest last; nothing else that lies there is touched."""
        found = [each.parent for each in folder.glob(f"*/{FILE}") if _is_copy(each.parent)]
        return sorted(found, key=_made)


def _made(copy: Path) -> datetime:
    return datetime.strptime(copy.name, NAME).replace(tzinfo=UTC)


def _is_copy(path: Path) -> bool:
    try:
        return bool(_made(path))
    except ValueError:
        return False
