"""The resale sample on a real server, and its researched items."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx

from whence.app.platform import Platform
from whence.packs.resale import pack
from whence.tenancy import tokens

SAMPLE = pack.FOLDER / "sample"
ENDED = ("success", "error", "cancelled")
SECONDS = 90.0
"""Patience for research on a machine with much other work."""


async def api_of(platform: Platform, serve: str) -> httpx.AsyncClient:
    """The API as the owner."""
    token = await tokens.issue(platform.db, platform.owner, "test")
    headers = {"Authorization": f"Bearer {token}"}
    return httpx.AsyncClient(base_url=serve, headers=headers, timeout=60)


async def import_sample(api: httpx.AsyncClient) -> None:
    """The sample's items without their photographs, and its listings."""
    for name in ("items", "listings"):
        path = f"/api/imports/resale.{name}?filename={name}.csv"
        content = (SAMPLE / f"{name}.csv").read_bytes()
        (await api.post(path, content=content)).raise_for_status()


async def researched(api: httpx.AsyncClient, path: str, **body: Any) -> dict[str, Any]:
    """Research of a record from its beginning to its end; the job."""
    started = await api.post(f"/api/{path}/research", json=body)
    assert started.status_code == 202, started.text
    job = f"/api/{path}/research/jobs/{started.json()['jobId']}"
    async with asyncio.timeout(SECONDS):
        while (shown := (await api.get(job)).json())["status"] not in ENDED:
            await asyncio.sleep(0.05)
    return shown
