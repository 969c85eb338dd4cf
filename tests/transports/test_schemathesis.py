"""Requests made up from the OpenAPI document itself: whatever fits it, the server does not fail."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import httpx
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed
from hypothesis import settings as bounds
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode

from transports.documented import document
from whence.app.platform import Platform

pytestmark = pytest.mark.anyio
QUICK, THOROUGH = (1, 1, 6), pytest.param((8, 4, 1), marks=pytest.mark.long)
"""Requests for each operation and mode, as an owner and as nobody; of how many operations one is
taken.  `test_bad_input.py` sends garbage to all of them every day."""
LEAST_EACH = 1.2
"""Requests for each operation that a run has to make, or the document says too little."""
TWIN = "/api/notes"
"""Routes that the same code makes for items, whose records hold more."""
GOOD, BAD = GenerationMode.POSITIVE, GenerationMode.NEGATIVE


def bounded(examples: int) -> bounds:
    return bounds(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


class Explorer:
    """Sends what is made up, and keeps what the server failed at."""

    def __init__(self, url: str) -> None:
        self.url, self.failed = url, list[str]()
        self.operations = self.requests_sent = 0
        self.client = requests.Session()

    def send(self, case: Any, credential: dict[str, str]) -> None:
        sent = case.as_transport_kwargs(base_url=self.url)
        sent["headers"] = {**sent["headers"], **credential}
        try:
            answer = self.client.request(**sent, stream=True, timeout=60)
        except (requests.exceptions.InvalidHeader, UnicodeEncodeError):
            return  # no client can send this
        self.requests_sent += 1
        with answer:  # an event stream is not read: it would not end
            if answer.status_code >= 500:
                self.failed.append(f"{answer.status_code} {case.as_curl_command()}")

    def explore(self, operation: Any, mode: GenerationMode, examples: int, bearer: str) -> None:
        credential = {"Authorization": f"Bearer {bearer}"} if bearer else {}

        @seed(1)
        @bounded(examples)
        @given(case=operation.as_strategy(generation_mode=mode))
        def ask(case: Any) -> None:
            self.send(case, credential)

        with suppress(Unsatisfiable):  # nothing in this request can be wrong
            ask()


def explored(
    document: dict[str, Any], url: str, owner: Callable[[], str], examples: tuple[int, int, int]
) -> Explorer:
    """The operations, as an owner and as nobody.  Blocking."""
    explorer = Explorer(url)
    as_owner, as_nobody, one_of = examples
    results = schemathesis.openapi.from_dict(document).get_all_operations()
    operations = [
        each for each in (result.ok() for result in results) if not each.path.startswith(TWIN)
    ]
    for operation in operations[::one_of]:
        explorer.operations += 1
        explorer.explore(operation, GOOD, as_owner, owner())
        explorer.explore(operation, BAD, as_owner, owner())
        explorer.explore(operation, BAD, as_nobody, "")
    return explorer


@pytest.mark.parametrize("examples", [QUICK, THOROUGH], ids=["quick", "thorough"])
async def test_no_request_that_fits_the_document_or_nearly_does_makes_the_server_fail(
    platform: Platform,
    serve: str,
    anonymous: httpx.AsyncClient,
    session_of: Any,
    examples: tuple[int, int, int],
) -> None:
    api = await document(anonymous)
    loop = asyncio.get_running_loop()

    def owner() -> str:
        """A new session: an earlier request may have ended the one before."""
        return asyncio.run_coroutine_threadsafe(session_of(platform.owner), loop).result().access

    explorer = await asyncio.to_thread(explored, api, serve, owner, examples)
    assert explorer.failed == []
    assert explorer.operations * examples[2] > 50  # or the document has lost its routes
    assert explorer.requests_sent > LEAST_EACH * explorer.operations
