"""Pictures of evidence from other sites: fetched once by this server, shown only scaled down.

A picture is fetched only if stored evidence names it, by the guarded client (public https hosts,
limits of size and time), and decoded in the pack's own process for pictures.  What is kept and sent
is the small JPEG that this process made, never what the other site sent.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID

from whence.kernel.errors import WhenceError
from whence.kernel.fetch import Fetcher
from whence.kernel.ids import new_id

MAX_BYTES = 8 * 1024 * 1024
"""Largest picture that is fetched; marketplaces' own are below one megabyte."""
KEPT_SECONDS = 30 * 24 * 3600.0
"""How long a picture is kept; a later view fetches it again."""
FOLDER = Path("cache", "evidence-pictures")
AT_ONCE = 4
"""Pictures fetched at the same time by one process."""


@dataclass(frozen=True)
class EvidencePictures:
    """A service of a pack: the small pictures that this server has, and those it can fetch.

    `make` turns untrusted bytes into a small JPEG in a process of its own, and gives None for what
    cannot be opened.
    """

    fetcher: Fetcher
    home: Path
    """The installation's folder; the pictures are in `cache/evidence-pictures` below it."""
    make: Callable[[bytes], Awaitable[bytes | None]]
    turns: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    async def small(self, org_id: UUID, url: str) -> bytes | None:
        """The small picture of an address that evidence of this organization names.

        None if the site does not give it, or if it is no picture.
        """
        # An organization's own name: nobody learns from the time what another one has seen.
        name = hashlib.sha256(f"{org_id} {url}".encode()).hexdigest()
        place = self.home / FOLDER / f"{name}.jpg"
        if kept := await asyncio.to_thread(_kept, place):
            return kept
        async with self.turns:
            try:
                answer = await self.fetcher.get_bytes(url, limit=MAX_BYTES)
            except WhenceError:
                return None
            picture = await self.make(answer.body)
        if picture is not None:
            await asyncio.to_thread(_keep, place, picture)
        return picture


def _kept(place: Path) -> bytes | None:
    with suppress(FileNotFoundError):
        if time.time() - place.stat().st_mtime < KEPT_SECONDS:
            return place.read_bytes()
    return None


def _keep(place: Path, picture: bytes) -> None:
    """Store a picture, and remove those that were kept long enough."""
    place.parent.mkdir(parents=True, exist_ok=True)
    unfinished = place.with_name(f"{new_id()}.part")
    unfinished.write_bytes(picture)
    unfinished.replace(place)
    for other in place.parent.iterdir():
        with suppress(FileNotFoundError):
            if time.time() - other.stat().st_mtime >= KEPT_SECONDS:
                other.unlink()
