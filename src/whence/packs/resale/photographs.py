"""Photographs of an item as bytes: stored with the record, or fetched once from the web."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.ext.asyncio import AsyncSession

from whence.sdk.errors import WhenceError
from whence.sdk.http import Fetcher
from whence.sdk.records import Files

from .perception.images import MAX_BYTES
from .records import Media
from .uploads import write


@dataclass(frozen=True)
class Photograph:
    """One photograph: its name in the evidence, and its bytes or the reason there are none."""

    name: str
    source_id: str
    content: bytes | None
    problem: str | None = None


@dataclass(frozen=True)
class PhotoFetcher:
    """Fetches photographs by web address, from public hosts only.

    `cache` holds what was fetched, for the next run on this machine.
    """

    fetcher: Fetcher
    cache: Path


async def stored(files: Files, session: AsyncSession, media: Media) -> Photograph | None:
    """The photograph stored with the record; None if it only has a web address."""
    if not media.stored:
        return None
    file = await files.find(session, media.stored.partition(".")[0])
    if file is None:
        gone = "The stored file is gone; add the photograph again."
        return Photograph(media.url, media.stored, None, gone)
    return Photograph(media.url, media.stored, await files.read(session, file))


def cached_name(url: str) -> str:
    """The name in the cache of what was fetched from an address."""
    return f"url-{hashlib.sha256(url.encode()).hexdigest()}"


async def fetched(media: Media, photos: PhotoFetcher) -> Photograph:
    """The photograph from its web address; problems are reported, never raised."""
    name = cached_name(media.url)
    cached = photos.cache / name
    if cached.is_file():
        return Photograph(media.url, name, await asyncio.to_thread(cached.read_bytes))
    try:
        answer = await photos.fetcher.get_bytes(media.url, limit=MAX_BYTES)
    except WhenceError as error:
        return Photograph(media.url, name, None, error.message)
    await asyncio.to_thread(write, cached, answer.body)
    return Photograph(media.url, name, answer.body)
