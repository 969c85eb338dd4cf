"""axe finds nothing serious on any page, light or dark; no route of the application is left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from browser.test_shots import addresses, settled, shown_worker

__all__ = ["addresses", "shown_worker"]  # fixtures
pytestmark = pytest.mark.anyio
WEB = Path(__file__).resolve().parents[2] / "web"
AXE = WEB / "node_modules" / "axe-core" / "axe.min.js"
RUN = """async () => {
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    const grave = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
    return grave.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}"""
BEFORE_SIGN_IN = ("/sign-in", "/accept", "/reset")
NO_PAGES = {"/packs/$pack/$page", "/settings"}
"""Pages of packs' own, of which those that ship have none; and a frame around other pages."""
_PATH = re.compile(r'^\s*path: "(/[^"]*)"', re.MULTILINE)


def routes() -> set[str]:
    """The addresses of all routes, as the application's sources declare them."""
    files = [*WEB.glob("src/features/**/*outes.ts"), *WEB.glob("src/app/*.tsx")]
    return {path for file in files for path in _PATH.findall(file.read_text(encoding="utf-8"))}


def serves(route: str, address: str) -> bool:
    """Whether an address is of this route, which may be declared below another one."""
    pattern = re.sub(r"\\\$\w+", "[^/?]+", re.escape(route))
    return re.fullmatch(rf"(/[\w/-]+)?{pattern}(\?.*)?", address) is not None


async def findings(page: Page) -> list[str]:
    """The serious and critical findings of axe on the page as it stands."""
    await page.evaluate(AXE.read_text(encoding="utf-8"))
    return [f"{page.url} {each}" for each in await page.evaluate(RUN)]


@pytest.mark.skipif(not AXE.is_file(), reason="axe is not installed here: npm ci --prefix web")
@pytest.mark.timeout(900)  # every page, one after another
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_no_page_has_a_serious_finding(
    new_page: Callable[..., Coroutine[Any, Any, Page]],
    sign_in: Callable[[Page], Coroutine[Any, Any, None]],
    addresses: dict[str, str],
    scheme: str,
) -> None:
    page = await new_page(color_scheme=scheme, reduced_motion="reduce")
    wrong: list[str] = []
    for address in BEFORE_SIGN_IN:
        await page.goto(f"{address}?token=unknown")
        await settled(page)
        wrong += await findings(page)
    await sign_in(page)
    for address in dict.fromkeys(addresses.values()):
        await page.goto(address)
        await settled(page)
        wrong += await findings(page)
    await page.keyboard.press("?")
    await expect(page.get_by_role("dialog")).to_be_visible()
    wrong += await findings(page)
    assert not wrong, "\n".join(sorted(set(wrong)))


async def test_every_route_is_among_the_checked_pages(addresses: dict[str, str]) -> None:
    declared = routes()
    assert {"/", "/inbox", "/records/$kind/$id"} <= declared  # the sources are read as they are
    checked = [*BEFORE_SIGN_IN, *addresses.values()]
    missing = {route for route in declared if not any(serves(route, each) for each in checked)}
    missing -= NO_PAGES
    assert not missing, "add an address of these pages to tests/browser/test_shots.py"
