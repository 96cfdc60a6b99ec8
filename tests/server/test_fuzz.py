"""HTTP fuzzed from its own description: never a fault of the server's."""

from pathlib import Path

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings

from karma.server.openapi import openapi
from serving import serving

schema = schemathesis.openapi.from_dict(openapi())


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory):
    folder: Path = tmp_path_factory.mktemp("data")
    with serving(folder) as served:
        answer = httpx.post(
            f"{served.address}/api/player", json={"name": "Ana", "bearer": True}, timeout=60
        )
        yield served.address, {"authorization": f"Bearer {answer.json()['token']}"}


@schema.parametrize()
@settings(
    max_examples=5,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_no_request_makes_the_server_fail(case: schemathesis.Case, server) -> None:
    address, headers = server
    if case.method == "DELETE":
        headers = {}
    response = case.call(base_url=address, headers=headers)
    assert response.status_code < 500, response.text
    assert "Traceback" not in response.text
    if response.status_code >= 400:
        assert set(response.json()) == {"code", "parameters"}
