"""Files of an organization, each kept once under the SHA-256 of its content.

    async with files.spool.receive(request.stream(), limit) as spooled:
        async with db.unit(org_id) as session:
            kept = await files.keep(session, spooled, "text/csv")

A file lives as long as a row of any table names it by a foreign key to `whence.files`; what nobody
names is removed after a day (`research/retention.py`).
"""

from __future__ import annotations

import io
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import BinaryIO
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.database import Database
from whence.kernel.settings import Settings
from whence.records.files.errors import MEGABYTE, DamagedFile
from whence.records.files.spool import Spool, Spooled
from whence.records.files.store import CHUNK_BYTES, FileStore, PostgresFileStore

_KEEP = text("""
    INSERT INTO whence.files (digest, media_type, size) VALUES (:digest, :media_type, :size)
    ON CONFLICT DO NOTHING RETURNING digest
""")
_PRUNE = "SELECT org_id, digest FROM whence.prune_files(%(kept_before)s, %(most)s)"
_FIND = text("SELECT digest, media_type, size FROM whence.files WHERE digest = :digest")


@dataclass(frozen=True)
class StoredFile:
    """A stored file; `media_type` was detected in its content."""

    digest: str
    media_type: str
    size: int
    """Bytes."""


@dataclass(frozen=True)
class Files:
    """Stores and reads files, in any content store."""

    db: Database
    store: FileStore
    spool: Spool

    async def keep(self, session: AsyncSession, spooled: Spooled, media_type: str) -> StoredFile:
        """Store a spooled file in the caller's transaction.  The same content is stored only
        once."""
        values = {"digest": spooled.digest, "media_type": media_type, "size": spooled.size}
        if (await session.execute(_KEEP, values)).scalar_one_or_none() is not None:
            await self.store.write(session, spooled.digest, spooled.file)
        return StoredFile(spooled.digest, media_type, spooled.size)

    async def keep_bytes(
        self, session: AsyncSession, content: bytes, media_type: str
    ) -> StoredFile:
        """Like `keep`, for small content in memory."""
        whole = Spooled(io.BytesIO(content), sha256(content).hexdigest(), len(content))
        return await self.keep(session, whole, media_type)

    async def find(self, session: AsyncSession, digest: str) -> StoredFile | None:
        """A file of the session's organization, or None."""
        row = (await session.execute(_FIND, {"digest": digest})).one_or_none()
        return StoredFile(*row) if row else None

    async def read(self, session: AsyncSession, file: StoredFile) -> bytes:
        """The whole content, for small files.  Raises FileGone, DamagedFile."""
        content = bytearray()
        while len(content) < file.size:
            left = file.size - len(content)
            content += await self.store.read(session, file.digest, len(content), left)
        if sha256(content).hexdigest() != file.digest:
            raise DamagedFile
        return bytes(content)

    async def parts(
        self, org_id: UUID, file: StoredFile, start: int = 0, end: int | None = None
    ) -> AsyncIterator[bytes]:
        """The bytes from `start` up to but not including `end`, in parts of at most 1 MiB.

        No transaction is open between two parts, so that a slow reader holds none.  Raises
        FileGone, even after some parts if the file is erased in the meantime.
        """
        end = file.size if end is None else min(end, file.size)
        while start < end:
            async with self.db.unit(org_id) as session:
                length = min(end - start, CHUNK_BYTES)
                part = await self.store.read(session, file.digest, start, length)
            yield part
            start += len(part)

    @asynccontextmanager
    async def opened(self, org_id: UUID, file: StoredFile) -> AsyncGenerator[BinaryIO]:
        """The file as a private, seekable temporary file on this machine's disk.

        Raises FileGone, DamagedFile, DiskFull.
        """
        async with self.spool.receive(self.parts(org_id, file), file.size) as spooled:
            if spooled.digest != file.digest:
                raise DamagedFile
            yield spooled.file

    async def prune_unnamed(self, kept_before: datetime, most: int) -> int:
        """Remove files of all organizations that were stored before that time and have no
        reference.

        Removes at most `most` files; returns their number.
        """
        values = {"kept_before": kept_before, "most": most}
        removed = await self.db.rows(_PRUNE, values)
        await self.store.discard([(org_id, digest) for org_id, digest in removed])
        return len(removed)


def stored_files(db: Database, settings: Settings) -> Files:
    """The files of this installation: the only place that chooses a store."""
    spool = Spool(settings.home / "cache" / "uploads", settings.upload_mb * MEGABYTE)
    return Files(db, PostgresFileStore(), spool)
