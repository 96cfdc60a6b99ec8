"""Notices: telling people whose turn it is in games that last days: webhook, e-mail or push."""

import asyncio
import json
import smtplib
import time
import urllib.request
from collections import Counter
from email.message import EmailMessage
from urllib.parse import urlsplit

import structlog

from karma.refusals import Refusal
from karma.server.push import Push
from karma.server.settings import ServerSettings
from karma.store.ports import NoticesPort
from karma.table import Table

SECONDS = 10
LETTERS_A_DAY = 30
MOST_NAME = 24


class Notices:
    """Tells each person once a turn, in the ways there are."""

    def __init__(self, settings: ServerSettings, store: NoticesPort, push: Push) -> None:
        self._settings = settings
        self._push = push
        self._store = store
        self._told: dict[str, set[str]] = {}
        self._letters: Counter[str] = Counter()
        self._day = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._log = structlog.get_logger()

    def look(self, table: Table) -> None:
        """Tells those whose turn it has become and who are not there to see it."""
        state = table.state
        if state.settings.clock != "days":
            return
        asked = {state.chairs[seat].player for seat in state.asked()}
        absent = {player for player in asked if player and not table.is_connected(player)}
        fresh = absent - self._told.get(table.id, set())
        self._told[table.id] = absent
        for player in fresh:
            people = [c.name for c in state.chairs if c.player not in (None, player)]
            note = {"code": "your_turn", "table": table.id, "people": people}
            self._push.tell(player, note, topic=table.id)
            if not (self._settings.smtp or self._settings.webhook):
                continue
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
            if self._settings.smtp is not None and person.email and self._may_write(player):
                name = plain_name(person.name)
                await asyncio.to_thread(self._mail, person.email, f"{name}: {link}")
        except OSError as error:
            self._log.warning("notice failed", error=type(error).__name__)

    async def send_code(self, email: str, code: str) -> None:
        """Sends a code to an address, to see whether it comes back."""
        try:
            await asyncio.to_thread(self._mail, email, code)
        except OSError as error:
            self._log.warning("a code was not sent", error=type(error).__name__)
            raise Refusal("not_stored") from None

    def _may_write(self, player: str) -> bool:
        """Whether a player has had less than a day's letters; counts one more."""
        today = int(time.time()) // 86_400
        if today != self._day:
            self._day = today
            self._letters.clear()
        self._letters[player] += 1
        return self._letters[player] <= LETTERS_A_DAY

    def _mail(self, email: str, text: str) -> None:
        server = urlsplit(self._settings.smtp or "")
        message = EmailMessage()
        message["Subject"] = "Karma"
        message["From"] = self._settings.mail_from or "karma@localhost"
        message["To"] = email
        message.set_content(f"{text}\n")
        with smtplib.SMTP(
            server.hostname or "localhost", server.port or 25, timeout=SECONDS
        ) as smtp:
            if server.username:
                smtp.starttls()
                smtp.login(server.username, server.password or "")
            smtp.send_message(message)


def plain_name(name: str) -> str:
    """A name that a mail program makes no link or markup of, and that is short."""
    return "".join(char if char.isalnum() or char == " " else "_" for char in name)[:MOST_NAME]


def _post(address: str, note: dict[str, str]) -> None:
    request = urllib.request.Request(
        address,
        data=json.dumps(note).encode(),
        headers={"content-type": "application/json"},
        method="POST",
    )
    with urllib.request.urlopen(request, timeout=SECONDS):
        pass
