"""What a person without a mouse does: Tab until it is the right one, then press a key."""

from __future__ import annotations

from playwright.async_api import Locator, Page, expect

MOST_STEPS = 120


async def tab_to(page: Page, wanted: Locator, *, back: bool = False) -> None:
    """Press Tab until this has the focus, which has to be visible; fails after many steps."""
    await expect(wanted).to_be_visible()
    for _ in range(MOST_STEPS):
        if await wanted.evaluate("element => element === document.activeElement"):
            shown = await wanted.evaluate(
                "element => element.matches(':focus-visible')"
                " && (getComputedStyle(element).outlineStyle !== 'none'"
                " || getComputedStyle(element.parentElement).outlineStyle !== 'none')"
            )
            assert shown, f"{wanted} has the focus, and nothing shows it"
            return
        await page.keyboard.press("Shift+Tab" if back else "Tab")
    raise AssertionError(f"Tab does not reach {wanted}")


async def press(page: Page, wanted: Locator, key: str = "Enter") -> None:
    """Go there by Tab, and press it."""
    await tab_to(page, wanted)
    await page.keyboard.press(key)
