"""What one address may ask for, of two workers together."""

from pathlib import Path

import httpx

from servers import house


async def test_two_workers_count_an_address_together_and_each_for_itself_without_redis(
    tmp_path: Path,
) -> None:
    with house(tmp_path) as shared:
        one, other = await shared.add(2, "--limits", "--people-per-address", 1)
        async with httpx.AsyncClient() as http:

            async def asked(worker: str) -> int:
                wanted = {"name": "Ana", "bearer": True}
                return (await http.post(f"{worker}/api/player", json=wanted)).status_code

            assert [await asked(each.address) for each in [one, other] * 5] == [201] * 10
            assert [await asked(each.address) for each in (one, other)] == [429] * 2
            shared.redis.kill()
            assert [await asked(each.address) for each in (one, other)] == [201] * 2
            shared.redis.start()
