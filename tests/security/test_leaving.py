"""Nobody but a browser's own person ends its session."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

pytestmark = pytest.mark.anyio
CONTINUE = "/api/auth/forms/continue"


async def test_a_link_of_another_site_takes_no_cookie_away(serve: str) -> None:
    """It comes without the cookies (`SameSite=Strict`), and its answer may delete them."""
    sent = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    async with httpx.AsyncClient(base_url=serve) as browser:
        answer = await browser.get(CONTINUE, headers=sent)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("cookie", ["whence_access=old", "whence_refresh=old"])
async def test_a_session_that_is_over_is_forgotten(serve: str, cookie: str) -> None:
    async with httpx.AsyncClient(base_url=serve) as browser:
        answer = await browser.get(CONTINUE, headers={"Cookie": cookie})
    cookies: Any = answer.headers.get_list("set-cookie")
    assert len(cookies) == 2
    assert all("max-age=0" in line.lower() for line in cookies)
