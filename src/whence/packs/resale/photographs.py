"""Photographs of an item as bytes: from the uploads, or fetched once from their web address."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass
from pathlib import Path

from whence.sdk import Fetcher, WhenceError

from .records import Media
from .uploads import MAX_PHOTO_BYTES, write


@dataclass(frozen=True)
class Photograph:
    """One photograph: where its bytes are, or why they are not there."""

    name: str
    path: Path | None
    problem: str | None = None


@dataclass(frozen=True)
class PhotoFetcher:
    """Fetches photographs by web address, from public hosts only."""

    fetcher: Fetcher


async def obtain(media: Media, folder: Path, photos: PhotoFetcher) -> Photograph:
    """The photograph's file; a problem is told, never raised."""
    if media.stored:
        path = folder / media.stored
        problem = None if path.is_file() else "The stored file is gone; add the photograph again."
        return Photograph(media.url, path if problem is None else None, problem)
    cached = folder / f"url-{hashlib.sha256(media.url.encode()).hexdigest()}"
    if not cached.is_file():
        try:
            fetched = await photos.fetcher.get_bytes(media.url, limit=MAX_PHOTO_BYTES)
        except WhenceError as error:
            return Photograph(media.url, None, error.message)
        await asyncio.to_thread(write, cached, fetched.body)
    return Photograph(media.url, cached)
