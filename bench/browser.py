"""A Chromium that measures pages of a running server from inside."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from playwright.async_api import Page, async_playwright

from bench.server import Server

FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
WIDE = {"width": 1440, "height": 900}
_SECONDS = 120
_OBSERVE = """
    window.painted = 0;
    window.reactions = [];
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.painted = entry.startTime;
    }).observe({ type: "largest-contentful-paint", buffered: true });
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
            if (entry.interactionId) window.reactions.push([entry.interactionId, entry.duration]);
    }).observe({ type: "event", durationThreshold: 16, buffered: true });
"""
_SCROLL = """async ([selector, step, seconds]) => {
    const box = document.querySelector(selector);
    const frames = [];
    let last = performance.now();
    const end = last + seconds * 1000;
    box.scrollTop = 0;
    while (last < end) {
        const now = await new Promise(requestAnimationFrame);
        frames.push(now - last);
        last = now;
        if (box.scrollTop + box.clientHeight >= box.scrollHeight - 1) box.scrollTop = 0;
        else box.scrollTop += step;
    }
    return frames.slice(2);
}"""
_SCRIPTS = """() => performance.getEntriesByType("resource")
    .filter(({ name }) => new URL(name).pathname.endsWith(".js"))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)"""


@asynccontextmanager
async def opened(server: Server | None) -> AsyncIterator[Page]:
    """A page of a new browser, signed in by the server's token."""
    executable = shutil.which("chromium") or shutil.which("chromium-browser")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=executable, args=list(FLAGS))
        options: dict[str, Any] = {"viewport": WIDE, "locale": "en-GB"}
        if server:
            options |= {
                "base_url": server.url,
                "extra_http_headers": {"Authorization": f"Bearer {server.token}"},
            }
        context = await browser.new_context(**options)
        context.set_default_timeout(_SECONDS * 1000)
        await context.add_init_script(_OBSERVE)
        yield await context.new_page()
        await browser.close()


async def largest_paint(page: Page, address: str, text: str) -> float:
    """Milliseconds until the largest part of a page was painted; the page shows `text` at last."""
    await page.goto(address)
    await page.get_by_text(text).first.wait_for()
    await page.wait_for_load_state("networkidle")
    return float(await page.evaluate("painted"))


async def reactions(page: Page) -> list[float]:
    """Milliseconds from each input since the last call to the next paint (Event Timing); what took
    less than 16 is not reported by browsers."""
    await page.wait_for_timeout(300)
    entries: list[tuple[int, float]] = await page.evaluate("reactions.splice(0)")
    longest: dict[int, float] = {}
    for interaction, duration in entries:
        longest[interaction] = max(duration, longest.get(interaction, 0.0))
    return list(longest.values())


async def frames(page: Page, selector: str, step: int, seconds: float) -> list[float]:
    """Milliseconds between frames while this is scrolled by `step` pixels in each."""
    return await page.evaluate(_SCROLL, [selector, step, seconds])


async def scripts(page: Page) -> float:
    """Kilobytes of JavaScript that the page has loaded, as sent."""
    return float(await page.evaluate(_SCRIPTS)) / 1000


async def heap(page: Page) -> float:
    """Megabytes of the page's JavaScript heap after a garbage collection."""
    session = await page.context.new_cdp_session(page)
    await session.send("HeapProfiler.collectGarbage")
    usage = await session.send("Runtime.getHeapUsage")
    await session.detach()
    return float(usage["usedSize"]) / 1e6


@asynccontextmanager
async def without_cache(page: Page) -> AsyncIterator[None]:
    """Within, the browser loads everything anew."""
    session = await page.context.new_cdp_session(page)
    await session.send("Network.enable")
    await session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    yield
    await session.send("Network.setCacheDisabled", {"cacheDisabled": False})
    await session.detach()
