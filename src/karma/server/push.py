"""Push: telling browsers that are not at the table, by the push services they have chosen."""

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec

from karma.clock import Clock
from karma.server.push_services import PushServices
from karma.server.settings import ServerSettings
from karma.store import StoreError
from karma.store.ports import KeptSubscription, KeyPair, SubscriptionsPort

if TYPE_CHECKING:
    from karma.server.push_sender import PushSender

AT_ONCE = 32
MOST_WAITING = 1000
A_DAY = 100
"""So many messages a player gets in a day."""
BROWSERS = 5
"""So many browsers a player may have told."""
GONE = (404, 410)
DAY_MILLISECONDS = 86_400_000


class Push:
    """The browsers that want to be told, and when they are.

    What encrypts and sends takes long to import: that is done when it is first needed.
    """

    def __init__(self, settings: ServerSettings, store: SubscriptionsPort, clock: Clock) -> None:
        self.services = PushServices(settings.push)
        self.told: Counter[str] = Counter()
        """What became of messages since the start."""
        self._settings = settings
        self._store = store
        self._clock = clock
        self._key: KeyPair | None = None
        self._sender: PushSender | None = None
        self._making = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._today: Counter[str] = Counter()
        self._day = 0

    async def key(self) -> KeyPair | None:
        """The server's key, made at its first start; None where no push service may be used."""
        if self._key is None and self.services.any:
            self._key = await self._store.key() or await self._store.key(
                await asyncio.to_thread(_make_key)
            )
        return self._key

    async def start(self) -> None:
        """Makes the key, if this is the first start."""
        await self.key()

    async def close(self) -> None:
        """Lets go of what is on its way."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._sender is not None:
            await self._sender.close()

    async def subscribe(self, subscription: KeptSubscription) -> None:
        """Keeps a browser that is to be told."""
        self.services.check(subscription.endpoint)
        await asyncio.to_thread(_check_keys, subscription)
        await self._store.keep(subscription, BROWSERS)

    async def unsubscribe(self, player: str, endpoint: str) -> None:
        """Forgets a player's browser."""
        await self._store.forget(endpoint, player)

    async def endpoints(self, player: str) -> list[str]:
        """Where a player is told."""
        return [each.endpoint for each in await self._store.of_player(player)]

    def tell(self, player: str, note: dict[str, Any], topic: str) -> None:
        """Tells all browsers of a player, soon; a newer note replaces one of its topic."""
        if not self.services.any:
            return
        if len(self._tasks) >= MOST_WAITING or not self._may_tell(player):
            self.told["dropped"] += 1
            return
        task = asyncio.get_running_loop().create_task(self._tell(player, note, topic))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _may_tell(self, player: str) -> bool:
        """Whether a player has had less than a day's messages; counts one more."""
        today = self._clock.date() // DAY_MILLISECONDS
        if today != self._day:
            self._day = today
            self._today.clear()
        self._today[player] += 1
        return self._today[player] <= A_DAY

    async def _tell(self, player: str, note: dict[str, Any], topic: str) -> None:
        async with self._slots:
            try:
                for browser in await self._store.of_player(player):
                    self.told[await self._send(browser, note, topic)] += 1
            except StoreError:
                self.told["failed"] += 1

    async def _send(self, browser: KeptSubscription, note: dict[str, Any], topic: str) -> str:
        """Sends one message; says what became of it."""
        sender = await self._make_sender()
        from karma.server.push_sender import NotSent

        try:
            status = await sender.send(browser, msgspec.json.encode(note), topic)
        except NotSent:
            return "failed"
        if status in GONE:
            await self._store.forget(browser.endpoint, browser.player)
            return "gone"
        return "sent" if 200 <= status < 300 else "refused"

    async def _make_sender(self) -> "PushSender":
        async with self._making:
            if self._sender is None:
                key = await self.key()
                if key is None:
                    raise StoreError("there is no key")
                self._sender = await asyncio.to_thread(_sender, self.services, key, self._contact)
            return self._sender

    @property
    def _contact(self) -> str:
        """Whom a push service may write to."""
        if self._settings.mail_from:
            return f"mailto:{self._settings.mail_from}"
        return self._settings.address if self._settings.secure else "mailto:karma@localhost"


def _make_key() -> KeyPair:
    from karma.server.push_message import make_key

    return make_key()


def _check_keys(subscription: KeptSubscription) -> None:
    from karma.server.push_message import check_keys

    check_keys(subscription.p256dh, subscription.auth)


def _sender(services: PushServices, key: KeyPair, contact: str) -> "PushSender":
    from karma.server.push_sender import PushSender

    return PushSender(services, key, contact)
