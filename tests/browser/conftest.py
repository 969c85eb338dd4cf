"""A real browser against the real server: one browser a test session, a context a test.

Every test fails that leaves an error, or a report of the content security policy, in the browser's
console.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

import pytest
from playwright.async_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    async_playwright,
    expect,
)

from whence.app.platform import Platform
from whence.kernel.settings import Settings
from whence.tenancy import sessions, tokens
from whence.tenancy.principal import Principal
from whence.transports.edge.web_app import built_app

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
expect.set_options(timeout=20_000)  # on a machine with much other work
WIDE = {"width": 1440, "height": 900}
EXPECTED = re.compile(
    r"status of (401|404|409|422|503) "
    r"|net::ERR_(INTERNET_DISCONNECTED|CONNECTION_REFUSED|INCOMPLETE_CHUNKED_ENCODING)"
)
"""What browsers themselves report: refusals that the page then explains, a cut network, and a
server that is away."""

NewPage = Callable[..., Coroutine[Any, Any, Page]]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    reason = None
    if CHROMIUM is None:
        reason = "there is no chromium here; on Debian: apt-get install chromium"
    elif built_app(None) is None:
        reason = "the web application is not built; `make web` builds it"
    for item in items:
        if reason and item.path.parent.name == "browser":
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"web_dir": None})


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        await browser.close()


@pytest.fixture
async def new_page(browser: Browser, serve: str) -> AsyncIterator[NewPage]:
    """`await new_page(width=390)`: a page of a browser that nobody has used yet."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def noted(message: ConsoleMessage) -> None:
        if message.type == "error" and not EXPECTED.search(message.text):
            complaints.append(f"{message.text} {message.location['url']}")

    async def make(**options: Any) -> Page:
        context = await browser.new_context(
            base_url=serve, **({"viewport": WIDE, "locale": "en-GB"} | options)
        )
        context.set_default_timeout(15_000)
        contexts.append(context)
        page = await context.new_page()
        page.on("console", noted)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield make
    for context in contexts:
        await context.close()
    assert not complaints, "the browser's console has errors:\n" + "\n".join(complaints)


@pytest.fixture
async def sign_in(platform: Platform, serve: str) -> Callable[..., Coroutine[Any, Any, None]]:
    """`await sign_in(page)`: as the owner, or as another person.

    With the one-time link; where there are accounts, with a session as a password begins it.
    """

    async def opened(page: Page, who: Principal = platform.owner) -> None:
        if platform.settings.accounts:
            begun = await sessions.start(platform.db, who, label="test", settings=platform.settings)
            secrets = {"whence_access": begun.access, "whence_refresh": begun.refresh}
            await page.context.add_cookies(
                [{"name": name, "value": value, "url": serve} for name, value in secrets.items()]
            )
            await page.goto("/")
            return
        link = await tokens.issue(platform.db, who, "sign-in link", kind="sign_in")
        await page.goto(f"/sign-in?token={link}")

    return opened


@pytest.fixture
async def page(new_page: NewPage, sign_in: Any) -> Page:
    """A signed-in owner's page."""
    page = await new_page()
    await sign_in(page)
    return page
