"""Where the content of files is kept, by its digest: an interface, and PostgreSQL behind it.

What a file is (its digest, type and size) is a row of `whence.files` whichever store is used.
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
"""Content is kept and read in pieces of this size: no value of the database, and no buffer of a
process, is ever larger.  A database that holds files keeps to it for ever."""

_WRITE = text("""
    INSERT INTO whence.file_chunks (digest, ordinal, content) VALUES (:digest, :ordinal, :content)
""")
_READ = text("""
    SELECT substring(content FROM :first FOR :length) FROM whence.file_chunks
    WHERE digest = :digest AND ordinal = :ordinal
""")


class FileStore(Protocol):
    """Keeps the content of files of many organizations; the session says which one."""

    async def write(self, session: AsyncSession, digest: str, content: BinaryIO) -> None:
        """Keep a content that is not kept yet, from its first byte, in the caller's transaction.

        A store outside of the database may keep what a rollback leaves: nobody can find it, and
        the same content written again replaces it.
        """
        ...

    async def read(self, session: AsyncSession, digest: str, start: int, length: int) -> bytes:
        """Bytes from `start` on: at least one and at most `length`.  Raises FileGone."""
        ...

    async def discard(self, removed: Sequence[tuple[UUID, str]]) -> None:
        """Give up contents (organization, digest) whose rows in `whence.files` are gone."""
        ...


class PostgresFileStore:
    """Content as rows of `whence.file_chunks`; they go with the file's row."""

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
        """The database removed them with the files' rows."""
