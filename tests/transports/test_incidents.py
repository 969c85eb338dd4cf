"""An error nobody planned is logged under an id, and only the id leaves the server."""

from __future__ import annotations

import httpx
import pytest
from fastapi import APIRouter

from whence.app.platform import Platform
from whence.kernel.errors import Misconfigured, Unavailable
from whence.transports.edge.access import PUBLIC
from whence.transports.routes.http.application import application

pytestmark = pytest.mark.anyio


def failing(error: Exception) -> APIRouter:
    router = APIRouter(dependencies=[PUBLIC])

    @router.get("/fails")
    async def fails() -> None:
        raise error

    return router


async def answer_to(platform: Platform, error: Exception) -> httpx.Response:
    app = application(platform, more=[failing(error)])
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        return await client.get("/fails")


async def test_an_unexpected_error_is_told_by_its_incident_alone(
    platform: Platform, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = await answer_to(platform, RuntimeError("the secret of the house"))
    problem = answer.json()
    assert (answer.status_code, problem["type"]) == (500, "/problems/unexpected")
    assert "secret of the house" not in answer.text
    assert "Traceback" not in answer.text
    logged = capsys.readouterr()
    assert problem["incident"] in logged.out + logged.err
    assert "secret of the house" in logged.out + logged.err


async def test_what_is_away_for_now_says_when_to_ask_again(platform: Platform) -> None:
    answer = await answer_to(platform, Unavailable("The source is busy.", retry_after=2.5))
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "3")
    assert answer.json()["detail"] == "The source is busy."


async def test_a_missing_setting_is_named(platform: Platform) -> None:
    answer = await answer_to(platform, Misconfigured("Set WHENCE_MODEL."))
    assert (answer.status_code, answer.json()["type"]) == (500, "/problems/misconfigured")
    assert answer.json()["detail"] == "Set WHENCE_MODEL."
