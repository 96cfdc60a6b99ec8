"""Notices: telling people whose turn it is in games that last days, by webhook or e-mail."""

import asyncio
import json
import smtplib
import urllib.request
from email.message import EmailMessage
from urllib.parse import urlsplit

import structlog

from karma.server.settings import ServerSettings
from karma.store.ports import NoticesPort
from karma.table import Table

SECONDS = 10


class Notices:
    """Tells each person once a turn, if the operator has set up a way."""

    def __init__(self, settings: ServerSettings, store: NoticesPort) -> None:
        self._settings = settings
        self._store = store
        self._told: dict[str, set[str]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._log = structlog.get_logger()

    def look(self, table: Table) -> None:
        """Tells those whose turn it has become and who are not there to see it."""
        state = table.state
        if state.settings.clock != "days" or not (self._settings.smtp or self._settings.webhook):
            return
        asked = {state.chairs[seat].player for seat in state.asked()}
        absent = {player for player in asked if player and not table.is_connected(player)}
        fresh = absent - self._told.get(table.id, set())
        self._told[table.id] = absent
        for player in fresh:
            task = asyncio.get_running_loop().create_task(self._tell(table.id, player))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _tell(self, table: str, player: str) -> None:
        person = await self._store.recipient(player)
        if person is None:
            return
        link = f"{self._settings.address}/table/{table}"
        try:
            if self._settings.webhook is not None:
                note = {"event": "your_turn", "table": table, "player": player, "link": link}
                await asyncio.to_thread(
                    _post, self._settings.webhook, {**note, "name": person.name}
                )
            if self._settings.smtp is not None and person.email:
                await asyncio.to_thread(self._mail, person.name, person.email, link)
        except OSError as error:
            self._log.warning("notice failed", error=type(error).__name__)

    def _mail(self, name: str, email: str, link: str) -> None:
        server = urlsplit(self._settings.smtp or "")
        message = EmailMessage()
        message["Subject"] = "Karma"
        message["From"] = self._settings.mail_from or "karma@localhost"
        message["To"] = email
        message.set_content(f"{name}: {link}\n")
        with smtplib.SMTP(
            server.hostname or "localhost", server.port or 25, timeout=SECONDS
        ) as smtp:
            if server.username:
                smtp.starttls()
                smtp.login(server.username, server.password or "")
            smtp.send_message(message)


def _post(address: str, note: dict[str, str]) -> None:
    request = urllib.request.Request(
        address,
        data=json.dumps(note).encode(),
        headers={"content-type": "application/json"},
        method="POST",
    )
    with urllib.request.urlopen(request, timeout=SECONDS):
        pass
