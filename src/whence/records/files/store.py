"""Files of an organization, each kept once under the SHA-256 of its content."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

_KEEP = text("""
    INSERT INTO whence.files (digest, media_type, content) VALUES (:digest, :media_type, :content)
    ON CONFLICT DO NOTHING
""")
_READ = text("SELECT media_type, content FROM whence.files WHERE digest = :digest")


@dataclass(frozen=True)
class StoredFile:
    """A file as it was given; `media_type` is what its content was found to be."""

    media_type: str
    content: bytes


async def keep(session: AsyncSession, content: bytes, media_type: str) -> str:
    """Keep a file in the caller's transaction; its digest (SHA-256, hex).  Twice is once."""
    digest = hashlib.sha256(content).hexdigest()
    values = {"digest": digest, "media_type": media_type, "content": content}
    await session.execute(_KEEP, values)
    return digest


async def read(session: AsyncSession, digest: str) -> StoredFile | None:
    """A file of the session's organization, or None."""
    found = (await session.execute(_READ, {"digest": digest})).one_or_none()
    return StoredFile(found.media_type, bytes(found.content)) if found else None
