"""The content of files by digest: an interface, and PostgreSQL as its implementation.

The digest, type and size of a file are in a row of `whence.files` for every store.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import BinaryIO, Protocol
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.records.files.errors import FileGone

CHUNK_BYTES = 1024**2
"""Content is stored and read in pieces of this size: no database value and no buffer of a process
is ever larger.  It cannot change for a database that contains files."""

_WRITE = text("""
    INSERT INTO whence.file_chunks (digest, ordinal, content) VALUES (:digest, :ordinal, :content)
""")
_READ = text("""
    SELECT substring(content FROM :first FOR :length) FROM whence.file_chunks
    WHERE digest = :digest AND ordinal = :ordinal
""")


class FileStore(Protocol):
    """Stores the content of files of many organizations; the session determines which one."""

    async def write(self, session: AsyncSession, digest: str, content: BinaryIO) -> None:
        """Store new content, from its first byte, in the caller's transaction.

        A store outside the database may keep content after a rollback: nobody can find it, and the
        same content written again replaces it.
        """
        ...

    async def read(self, session: AsyncSession, digest: str, start: int, length: int) -> bytes:
        """Bytes from `start`: at least one and at most `length`.  Raises FileGone."""
        ...

    async def discard(self, removed: Sequence[tuple[UUID, str]]) -> None:
        """Release contents (organization, digest) whose rows in `whence.files` are gone."""
        ...


class PostgresFileStore:
    """Content as rows of `whence.file_chunks`, deleted with the file's row."""

    async def write(self, session: AsyncSession, digest: str, content: BinaryIO) -> None:
        content.seek(0)
        ordinal = 0
        while chunk := await asyncio.to_thread(content.read, CHUNK_BYTES):
            values = {"digest": digest, "ordinal": ordinal, "content": chunk}
            await session.execute(_WRITE, values)
            ordinal += 1

    async def read(self, session: AsyncSession, digest: str, start: int, length: int) -> bytes:
        ordinal, offset = divmod(start, CHUNK_BYTES)
        values = {"digest": digest, "ordinal": ordinal, "first": offset + 1, "length": length}
        part: bytes | None = (await session.execute(_READ, values)).scalar_one_or_none()
        if not part:
            raise FileGone
        return bytes(part)

    async def discard(self, removed: Sequence[tuple[UUID, str]]) -> None:
        """Nothing to do: the database removed them with the files' rows."""
