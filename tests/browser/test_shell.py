"""The frame: signing in, the navigation that follows from the packs, the palette, the theme."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Page, expect

from whence.app.platform import Platform
from whence.kernel.settings import Settings
from whence.tenancy import invitations
from whence.tenancy.principal import Role

pytestmark = pytest.mark.anyio


async def test_the_link_signs_in_and_the_navigation_follows_from_the_packs(page: Page) -> None:
    main = page.get_by_role("navigation", name="Main")
    await expect(main.get_by_role("heading", name="Notes")).to_be_visible()
    await main.get_by_role("link", name="Notes").click()
    await expect(page).to_have_url("/records/notes")
    await expect(page).to_have_title("Notes · whence")
    await expect(page.get_by_role("heading", name="Notes", level=1)).to_be_visible()
    assert "whence" not in await page.evaluate("document.cookie")


async def test_a_stranger_is_told_where_the_link_is(new_page: Any) -> None:
    page = await new_page()
    await page.goto("/records/notes")
    await expect(page.get_by_text("Open the link that whence serve printed")).to_be_visible()


async def test_the_palette_opens_by_keyboard_and_goes_to_a_page(page: Page) -> None:
    await expect(page.get_by_role("navigation", name="Main")).to_be_visible()
    await page.keyboard.press("Control+k")
    await page.get_by_role("searchbox", name="Search").fill("remark")
    await expect(page.get_by_role("menuitem", name="Remarks")).to_be_visible()
    await page.keyboard.press("Enter")
    await expect(page).to_have_url("/records/remarks")
    await expect(page.get_by_role("dialog")).to_have_count(0)


async def test_the_question_mark_lists_the_shortcuts(page: Page) -> None:
    await expect(page.get_by_role("navigation", name="Main")).to_be_visible()
    await page.keyboard.press("?")
    await expect(page.get_by_role("dialog", name="Shortcuts")).to_contain_text(
        "Search and commands"
    )
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)


async def test_the_chosen_theme_is_kept(page: Page) -> None:
    await page.get_by_role("button", name="Owner of").click()
    await page.get_by_role("menuitem", name="Theme").click()
    await page.get_by_role("menuitem", name="Dark").click()
    await page.reload()
    await expect(page.locator("html")).to_have_attribute("data-theme", "dark")


class TestWithAccounts:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"accounts": True})

    async def test_a_password_signs_in_and_leads_back_to_the_page_that_was_asked_for(
        self, new_page: Any, platform: Platform
    ) -> None:
        password = "a quiet river at dawn"
        secret = await invitations.invite(
            platform.db, platform.owner, "ada@example.org", Role.MEMBER
        )
        await invitations.accept(platform.db, secret, "Ada", password)
        page = await new_page()
        await page.goto("/records/notes")
        await page.get_by_label("E-mail").fill("ada@example.org")
        await page.get_by_label("Password").fill("not this one")
        await page.get_by_role("button", name="Sign in").click()
        await expect(page.get_by_role("alert")).to_be_visible()
        await page.get_by_label("Password").fill(password)
        await page.keyboard.press("Enter")
        await expect(page).to_have_url("/records/notes")
