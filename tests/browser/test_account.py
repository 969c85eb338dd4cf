"""Invitations, forgotten passwords, and one's own account."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Page, expect

from whence.app import database as app_database
from whence.app import discovery
from whence.app.platform import Platform
from whence.kernel.settings import Settings
from whence.tenancy import invitations, operator
from whence.tenancy.principal import Role

pytestmark = pytest.mark.anyio
PASSWORD = "a quiet river at dawn"
NEW = "a loud brook at noon"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"accounts": True})


async def invited(new_page: Any, platform: Platform, role: Role) -> Page:
    """The page of somebody who has just accepted an invitation."""
    secret = await invitations.invite(platform.db, platform.owner, "ada@example.org", role)
    page = await new_page()
    await page.goto(f"/accept?token={secret}")
    await expect(page.get_by_text(f"as {role}, with the e-mail ada@example.org")).to_be_visible()
    await page.get_by_label("Your name").fill("Ada")
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Join").dblclick()
    await expect(page.get_by_role("button", name="Ada of")).to_be_visible()
    await page.goto(f"/accept?token={secret}")
    await expect(page.get_by_text("as Ada")).to_be_visible()
    await page.get_by_role("link", name="Go on").click()
    await expect(page.get_by_role("button", name="Ada of")).to_be_visible()
    return page


async def test_an_invitation_is_accepted_and_a_viewer_is_offered_no_change(
    new_page: Any, platform: Platform
) -> None:
    page = await invited(new_page, platform, Role.VIEWER)
    await page.goto("/records/notes")
    await expect(page.get_by_text("Nobody has added one")).to_be_visible()
    await expect(page.get_by_role("button", name="New note")).to_have_count(0)


async def test_a_used_link_says_so(new_page: Any) -> None:
    page = await new_page()
    await page.goto("/accept?token=whi_unknown")
    await expect(page.get_by_role("alert")).to_be_visible()
    await page.get_by_role("link", name="Sign in").click()
    await expect(page.get_by_label("E-mail")).to_be_visible()


async def test_a_password_is_changed_and_reset(
    new_page: Any, platform: Platform, settings: Settings
) -> None:
    page = await invited(new_page, platform, Role.MEMBER)
    await page.goto("/account")
    await expect(page.get_by_text("This browser")).to_be_visible()
    await page.get_by_label("Present password").fill("not this one")
    await page.get_by_label("New password").fill(NEW)
    await page.get_by_role("button", name="Change it").click()
    await expect(page.get_by_role("alert")).to_be_visible()
    await page.get_by_label("Present password").fill(PASSWORD)
    await page.get_by_role("button", name="Change it").click()
    await expect(page.get_by_text("Password changed")).to_be_visible()

    async with app_database.database(settings, discovery.discover(settings.pack_dirs)) as opened:
        link = operator.reset(opened.admin_url, "ada@example.org")
    stranger = await new_page()
    await stranger.goto(f"/reset?token={link}")
    await stranger.get_by_label("New password").fill("one more good password")
    await stranger.get_by_role("button", name="Set password").dblclick()
    await stranger.get_by_role("link", name="Sign in").click()
    await stranger.get_by_label("E-mail").fill("ada@example.org")
    await stranger.get_by_label("Password").fill("one more good password")
    await stranger.get_by_role("button", name="Sign in").dblclick()
    await expect(stranger.get_by_role("button", name="Ada of")).to_be_visible()
