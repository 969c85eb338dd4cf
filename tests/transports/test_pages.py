"""The pages for people: forms that work without a script, and links that only a person spends."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from whence.app import database as app_database
from whence.app import discovery
from whence.kernel.settings import Settings
from whence.tenancy import invitations, operator
from whence.tenancy.local import LOCAL_EMAIL
from whence.tenancy.principal import Role

pytestmark = pytest.mark.anyio
FORMS = "/api/auth/forms"
OWN = {"Sec-Fetch-Site": "same-origin", "Origin": "null"}
"""What a browser says of a form whose page names no referrer."""
PASSWORD = "a quiet river at dawn"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"accounts": True})


@pytest.fixture
async def browser(serve: str) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=serve, headers=OWN, follow_redirects=True) as client:
        yield client


@pytest.fixture
async def ada(platform: Any) -> str:
    """The e-mail of somebody with a password."""
    secret = await invitations.invite(platform.db, platform.owner, "ada@example.org", Role.MEMBER)
    await invitations.accept(platform.db, secret, "Ada <b>", PASSWORD)
    return "ada@example.org"


async def sent(browser: httpx.AsyncClient, form: str, **fields: str) -> httpx.Response:
    return await browser.post(f"{FORMS}/{form}", data=fields)


async def test_a_person_signs_in_sees_where_and_signs_out(
    browser: httpx.AsyncClient, ada: str
) -> None:
    assert "href='/sign-in'" in (await browser.get("/")).text
    home = await sent(browser, "sign-in", email=ada, password=PASSWORD)
    assert (home.status_code, home.url.path) == (200, "/")
    assert "Signed in as <b>Ada &lt;b&gt;</b> (member)" in home.text
    assert "This browser" in home.text
    assert "You are signed out" in (await sent(browser, "sign-out")).text
    assert not browser.cookies
    assert "You are not signed in" in (await browser.get("/")).text


async def test_a_wrong_password_is_said_beside_the_form(
    browser: httpx.AsyncClient, ada: str
) -> None:
    again = await sent(browser, "sign-in", email='"><b>', password="swordfish")
    assert again.status_code == 401
    assert "role='alert'" in again.text
    assert "value='&quot;&gt;&lt;b&gt;'" in again.text
    assert "<label for='email'>" in again.text
    assert "autocomplete='current-password'" in again.text
    assert "swordfish" not in again.text


async def test_a_session_that_has_rested_is_renewed_on_the_way(
    browser: httpx.AsyncClient, ada: str
) -> None:
    await sent(browser, "sign-in", email=ada, password=PASSWORD)
    browser.cookies.delete("whence_access")
    browser.cookies.set("whence_access", "x.y.z", domain="127.0.0.1", path="/")
    bookmark = {"Sec-Fetch-Site": "none"}
    assert "Signed in as" in (await browser.get("/", headers=bookmark)).text
    await sent(browser, "sign-out-everywhere")
    browser.cookies.set("whence_access", "x.y.z", domain="127.0.0.1", path="/")
    assert "You are not signed in" in (await browser.get("/")).text


async def test_a_mail_scanner_that_opens_an_invitation_does_not_spend_it(
    platform: Any, browser: httpx.AsyncClient
) -> None:
    token = await invitations.invite(platform.db, platform.owner, "eve@example.org", Role.VIEWER)
    for _ in range(3):
        offered = await browser.get("/accept", params={"token": token})
        assert "My organization" in offered.text
        assert "eve@example.org" in offered.text
        assert offered.headers["referrer-policy"] == "same-origin"
        assert not browser.cookies
    weak = await sent(browser, "accept", token=token, name="Eve", password="short")
    assert (weak.status_code, "role='alert'" in weak.text, token in weak.text) == (422, True, True)
    home = await sent(browser, "accept", token=token, name="Eve", password=PASSWORD)
    assert "Signed in as <b>Eve</b> (viewer)" in home.text
    spent = await browser.get("/accept", params={"token": token})
    assert (spent.status_code, "<form" in spent.text) == (401, False)


async def test_a_reset_link_sets_a_password_once(
    settings: Settings, browser: httpx.AsyncClient
) -> None:
    async with app_database.database(settings, discovery.discover(settings.pack_dirs)) as opened:
        token = operator.reset(opened.admin_url, LOCAL_EMAIL)
    assert token
    assert "New password" in (await browser.get("/reset", params={"token": token})).text
    reset = await sent(browser, "reset", token=token, password=PASSWORD)
    assert "Your password is set" in reset.text
    assert (await sent(browser, "reset", token=token, password=PASSWORD)).status_code == 401
    home = await sent(browser, "sign-in", email=LOCAL_EMAIL, password=PASSWORD)
    assert "Signed in as <b>Owner</b> (owner)" in home.text
    changed = await sent(browser, "password", old=PASSWORD, new="another river at dusk")
    assert "Your password is changed" in changed.text
    wrong = await sent(browser, "password", old=PASSWORD, new="another river at dusk")
    assert (wrong.status_code, "role='alert'" in wrong.text) == (401, True)


@pytest.mark.parametrize("form", ["sign-in", "sign-out", "accept", "reset", "password", "switch"])
@pytest.mark.parametrize("headers", [{}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}])
async def test_a_form_of_another_page_is_refused_in_words(
    anonymous: httpx.AsyncClient, form: str, headers: dict[str, str]
) -> None:
    refused = await anonymous.post(f"{FORMS}/{form}", data={"token": "x"}, headers=headers)
    assert refused.status_code == 403
    assert "role='alert'" in refused.text
    assert refused.headers["content-type"].startswith("text/html")


async def test_garbage_in_a_form_is_refused_in_words(browser: httpx.AsyncClient) -> None:
    for content in (
        b"\xff\xfe=1",
        b"email=%00&password=x",
        b"a=1&" * 40,
        b"password=" + b"x" * 5000,
    ):
        refused = await browser.post(f"{FORMS}/sign-in", content=content)
        assert refused.status_code in (401, 422), content[:20]
        assert "role='alert'" in refused.text


async def test_code_in_descriptions_is_shown_as_code(browser: httpx.AsyncClient) -> None:
    api, problem = await browser.get("/docs"), await browser.get("/problems/unauthorized")
    for shown in (api, problem):
        assert "<code>" in shown.text
        assert "`" not in shown.text
    assert "<code>GET /api/tools</code>" in api.text
