"""Files that are dropped on a page from outside the browser, as a desktop does it."""

from __future__ import annotations

from pathlib import Path

from playwright.async_api import Locator, Page


async def drop(page: Page, place: Locator, *files: Path) -> None:
    """Drag files over the middle of a place, and let go."""
    await place.scroll_into_view_if_needed()
    box = await place.bounding_box()
    assert box is not None
    client = await page.context.new_cdp_session(page)
    where = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    data = {"items": [], "files": [str(each) for each in files], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        await client.send("Input.dispatchDragEvent", {"type": kind, "data": data, **where})
    await client.detach()
