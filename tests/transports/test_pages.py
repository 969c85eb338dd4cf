"""The pages that the server writes itself, for people who have no web application yet."""

from __future__ import annotations

import httpx
import pytest

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("path", ["/", "/sign-in", "/accept?token=x", "/reset?token=x"])
async def test_without_a_build_every_page_for_people_says_what_to_do(
    anonymous: httpx.AsyncClient, path: str
) -> None:
    answer = await anonymous.get(path)
    assert answer.status_code == 200
    for words in ("Node 20.19", "<code>make web</code>", "href='/docs'"):
        assert words in answer.text
    assert "<form" not in answer.text


async def test_code_in_descriptions_is_shown_as_code(anonymous: httpx.AsyncClient) -> None:
    api, problem = await anonymous.get("/docs"), await anonymous.get("/problems/unauthorized")
    for shown in (api, problem):
        assert "<code>" in shown.text
        assert "`" not in shown.text
    assert "<code>GET /api/tools</code>" in api.text
