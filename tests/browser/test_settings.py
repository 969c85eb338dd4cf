"""The settings: people, tokens, the audit log, and who may open which page."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from playwright.async_api import Page, expect

from whence.app.platform import Platform
from whence.kernel.settings import Settings
from whence.tenancy import sessions
from whence.tenancy.principal import Principal, Role

pytestmark = pytest.mark.anyio
PASSWORD = "a quiet river at dawn"
NewPrincipal = Callable[..., Principal]


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"accounts": True})


async def signed_in(page: Page, platform: Platform, who: Principal, address: str) -> None:
    """Give the browser a session of `who`."""
    started = await sessions.start(platform.db, who, label="test", settings=platform.settings)
    origin = address.rstrip("/")
    await page.context.add_cookies(
        [{"name": "whence_access", "value": started.access, "url": origin}]
    )


async def choose(page: Page, label: str, option: str) -> None:
    await page.get_by_role("button", name=re.compile(f"{label}$")).click()
    await page.get_by_role("option", name=option).click()


async def test_somebody_is_invited_gets_another_role_and_is_removed(
    page: Page, new_page: Any, serve: str
) -> None:
    await page.goto("/settings")
    await page.get_by_role("link", name="Members").click()
    row = page.get_by_role("listitem").filter(has=page.get_by_text("You", exact=True))
    await expect(row.get_by_role("button", name="Leave")).to_be_disabled()
    await expect(page.get_by_text("The last owner stays")).to_be_visible()

    await page.get_by_role("button", name="Invite", exact=True).click()
    await page.get_by_label("E-mail").fill("ada@example.org")
    await choose(page, "Role", "Viewer: reads everything")
    await page.get_by_role("button", name="Make the link").click()
    link = await page.get_by_label("Invitation link").input_value()
    assert link.startswith(f"{serve}/accept?token=whi_")
    await page.get_by_role("button", name="Done").click()
    await expect(page.get_by_role("listitem", name="ada@example.org")).to_be_visible()

    guest = await new_page()
    await guest.goto(link)
    await guest.get_by_label("Your name").fill("Ada")
    await guest.get_by_label("Password").fill(PASSWORD)
    await guest.get_by_role("button", name="Join").click()
    await expect(guest.get_by_role("button", name="Ada of")).to_be_visible()
    await guest.goto("/records/notes")
    await expect(guest.get_by_role("button", name="New note")).to_have_count(0)

    await page.reload()
    await expect(page.get_by_text("Nobody is invited at the moment")).to_be_visible()
    await choose(page, "Role of Ada", "Member")
    await expect(page.get_by_text("Ada is now member")).to_be_visible()
    await guest.reload()
    await expect(guest.get_by_role("button", name="New note").first).to_be_visible()

    ada = page.get_by_role("listitem", name="Ada", exact=True)
    await ada.get_by_role("button", name="Remove").click()
    await page.get_by_role("button", name="Remove from the organization").click()
    await expect(ada).to_have_count(0)
    await guest.reload()
    await expect(guest).to_have_url(f"{serve}/sign-in?next=%2Frecords%2Fnotes")


async def test_a_token_is_shown_once_used_and_revoked(page: Page, serve: str) -> None:
    await page.goto("/settings/tokens")
    await page.get_by_role("button", name="New token").click()
    await page.get_by_role("textbox", name="Name").fill("nightly import")
    await choose(page, "Valid for", "30 days")
    await page.get_by_role("button", name="Create the token").click()
    token = await page.get_by_label("Token", exact=True).input_value()
    await page.get_by_role("button", name="Done").click()

    async with httpx.AsyncClient(
        base_url=serve, headers={"Authorization": f"Bearer {token}"}
    ) as api:
        assert (await api.get("/api/notes")).status_code == 200
        assert (await api.post("/api/notes", json={"title": "A"})).status_code == 403
        await page.reload()
        row = page.get_by_role("listitem", name="nightly import")
        await expect(row).to_contain_text("last used just now")
        await expect(row).to_contain_text("read · yours")
        await row.get_by_role("button", name="Revoke").click()
        await page.get_by_role("button", name="Revoke the token").click()
        await expect(row).to_have_count(0)
        assert (await api.get("/api/notes")).status_code == 401


async def test_the_audit_log_shows_a_change_with_its_values_and_is_exported(
    page: Page, platform: Platform
) -> None:
    await page.goto("/settings/organization")
    await page.get_by_label("Where you work").fill("Orkney")
    await choose(page, "Dates and money", "American")
    await page.get_by_role("button", name="Save profile").click()
    await expect(page.get_by_text("version 1")).to_be_visible()

    await page.goto("/settings/audit")
    line = page.get_by_role("listitem", name="Profile changed")
    await line.get_by_role("button").click()
    await expect(line.get_by_role("row", name="Regions")).to_contain_text("Orkney")
    await choose(page, "What", "Account")
    await expect(page).to_have_url("/settings/audit?kind=account")
    await expect(line).to_have_count(0)
    await page.goto("/settings/audit?from=2031-01-01")
    await page.get_by_role("button", name="Remove the filters").click()
    async with page.expect_download() as download:
        await page.get_by_role("link", name="Export CSV").click()
    text = (await (await download.value).path()).read_text()
    assert "change_profile,organization" in text
    assert "Orkney" in text


OWNERS_PAGES = ("members", "models", "sources", "spending", "retention", "audit")


async def test_others_than_owners_open_no_page_about_people_money_or_secrets(
    new_page: Any, platform: Platform, serve: str, new_principal: NewPrincipal
) -> None:
    page = await new_page()
    await signed_in(page, platform, new_principal(Role.VIEWER, platform.owner.org_id), serve)
    await page.goto("/settings")
    await expect(page.get_by_role("heading", name="Profile")).to_be_visible()
    await expect(page.get_by_role("button", name="Save profile")).to_have_count(0)
    side = page.get_by_role("navigation", name="Settings")
    assert await side.get_by_role("link").all_inner_texts() == [
        "Profile",
        "API tokens",
        "Marketplace fees",
    ]
    for name in OWNERS_PAGES:
        await page.goto(f"/settings/{name}")
        await expect(page.get_by_role("heading", name="For owners only")).to_be_visible()
