"""Push sender: one message to one push service. Imports much: `push` makes it off the loop."""

import asyncio
import time

import httpx

from karma.refusals import Refusal
from karma.server import push_message
from karma.server.push_services import PushServices
from karma.store.ports import KeptSubscription, KeyPair

SECONDS = 10


class NotSent(Exception):
    """A message reached no push service."""


class PushSender:
    """Sends under this server's key, to the services that are allowed."""

    def __init__(self, services: PushServices, key: KeyPair, contact: str) -> None:
        self._services = services
        self._key = key
        self._contact = contact
        self._client = make_client()

    async def send(self, browser: KeptSubscription, content: bytes, topic: str) -> int:
        """The status that a push service answers with, in bounded time; its words are not read."""
        try:
            async with asyncio.timeout(SECONDS):
                return await self._post(browser, content, topic)
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError, Refusal) as error:
            raise NotSent from error

    async def _post(self, browser: KeptSubscription, content: bytes, topic: str) -> int:
        where = await self._services.find(browser.endpoint)
        sealed = await asyncio.to_thread(push_message.seal, content, browser)
        topic, now = f"{browser.endpoint} {topic}", int(time.time())
        headers = push_message.headers(self._key, self._contact, where.origin, topic, now)
        async with self._client.stream(
            "POST",
            where.url,
            content=sealed,
            headers={**headers, "host": where.host},
            extensions={"sni_hostname": where.host.partition(":")[0]},
        ) as answer:
            return answer.status_code

    async def close(self) -> None:
        """Ends its connections."""
        await self._client.aclose()


def make_client() -> httpx.AsyncClient:
    """A client that goes where it was sent, and nowhere else."""
    return httpx.AsyncClient(timeout=SECONDS, trust_env=False, follow_redirects=False)
