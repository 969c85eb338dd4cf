"""The memory of a live page: research begins again and again while its page stays open.

`WEB_MINUTES=30 make bench ONLY=web_memory` is the whole measure; by default it takes 3 minutes,
after those that warm it up.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from playwright.async_api import Page

from bench import browser
from bench.figures import Figure, median
from bench.sample import SAMPLE_PACKS
from bench.server import serving
from bench.web import fill

MINUTES = float(os.environ.get("WEB_MINUTES", "3"))
WARM_UP_MINUTES = 5.5
"""Answers that no page shows any more are kept for 5 minutes: until then the heap grows."""
GROWTH = 1.1
"""More than a tenth above the beginning is a leak, not the noise of a heap."""


async def measure(home: Path) -> list[Figure]:
    """The heap after the first runs, and at the end."""
    await fill(home)
    with serving(home, WHENCE_PACK_DIRS=str(SAMPLE_PACKS)) as server:
        async with browser.opened(server) as page:
            await page.goto("/records/notes")
            await page.get_by_role("link", name="bench").click()
            await page.get_by_role("button", name="Start research").click()
            again = page.get_by_role("button", name="Research again")
            await again.wait_for()
            warm = time.monotonic() + WARM_UP_MINUTES * 60
            while time.monotonic() < warm:
                await _run(page)
            heaps = [await browser.heap(page)]
            nodes = await page.evaluate("document.querySelectorAll('*').length")
            end = time.monotonic() + MINUTES * 60
            while time.monotonic() < end:
                await _run(page)
                heaps.append(await browser.heap(page))
            more = await page.evaluate("document.querySelectorAll('*').length") - nodes
    part = max(1, len(heaps) // 4)
    first, last = median(heaps[:part]), median(heaps[-part:])
    name = f"heap after {len(heaps)} runs in {MINUTES:g} minutes ({more:+d} elements)"
    return [
        Figure(
            name, last, "MB", "after the first of them (warmed up)", first, round(first * GROWTH, 2)
        )
    ]


async def _run(page: Page) -> None:
    """One more run of research, from its beginning to its end on the page."""
    again = page.get_by_role("button", name="Research again")
    async with page.expect_response(lambda answer: answer.url.endswith("/research")) as started:
        await again.click()
    answer = await started.value
    job = f"{answer.url}/jobs/{(await answer.json())['jobId']}"
    while (await (await page.request.get(job)).json())["status"] in ("pending", "running"):
        await page.wait_for_timeout(50)
    await again.wait_for()
