"""Receives a file on this machine's disk with its digest, never in memory as a whole.

The spooled file has no name, so that nothing remains of it however the process ends.
"""

from __future__ import annotations

import asyncio
import errno
import hashlib
import tempfile
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Protocol, cast

from whence.kernel.errors import Invalid
from whence.records.files.errors import MEGABYTE, DiskFull, FileTooLarge, NoRoom

BUFFER_BYTES = MEGABYTE
"""Bytes collected before they are written to disk."""
AT_ONCE = 4
"""Files of the maximum size that one process spools at the same time."""


class NoSuchFile(Invalid):
    """This file cannot be read; check that it exists and that you may read it."""


@dataclass(frozen=True)
class Spooled:
    """A complete file on this machine's disk: seekable, and removed with its context."""

    file: BinaryIO
    digest: str
    """SHA-256 of the content, hex."""
    size: int


@dataclass
class Spool:
    """Spools files below `folder`, each of at most `max_bytes`."""

    folder: Path
    max_bytes: int
    held: int = field(default=0, init=False)
    """Bytes being spooled now."""

    @asynccontextmanager
    async def receive(
        self, parts: AsyncIterable[bytes], limit: int | None = None
    ) -> AsyncGenerator[Spooled]:
        """A file from its parts.

        Raises FileTooLarge beyond `limit` bytes (default: `max_bytes`), NoRoom, DiskFull.
        """
        most = self.max_bytes if limit is None else limit
        taken = 0
        with _temporary(self.folder) as file:
            try:
                digest, buffer = hashlib.sha256(), bytearray()
                async for part in parts:
                    taken += len(part)
                    self.held += len(part)
                    if taken > most:
                        raise FileTooLarge.beyond(most)
                    if self.held > AT_ONCE * max(self.max_bytes, most):
                        raise NoRoom(retry_after=5)
                    buffer += part
                    if len(buffer) >= BUFFER_BYTES:
                        await asyncio.to_thread(_append, file, digest, bytes(buffer))
                        buffer.clear()
                await asyncio.to_thread(_append, file, digest, bytes(buffer))
                file.seek(0)
                yield Spooled(file, digest.hexdigest(), taken)
            finally:
                self.held -= taken

    @asynccontextmanager
    async def copy(self, path: Path, limit: int | None = None) -> AsyncGenerator[Spooled]:
        """A copy of a local file.  Raises NoSuchFile, and what `receive` raises."""
        try:
            source = await asyncio.to_thread(path.open, "rb")
        except OSError as error:
            raise NoSuchFile(f"The file '{path.name}' cannot be read: {error.strerror}.") from error
        with source:
            async with self.receive(pieces(source), limit) as spooled:
                yield spooled


async def pieces(file: BinaryIO, size: int = BUFFER_BYTES) -> AsyncIterator[bytes]:
    """The rest of a file, read in a thread."""
    while piece := await asyncio.to_thread(file.read, size):
        yield piece


def _temporary(folder: Path) -> BinaryIO:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return cast("BinaryIO", tempfile.TemporaryFile(dir=folder))


class Hash(Protocol):
    """What `hashlib` makes."""

    def update(self, data: bytes, /) -> None: ...


def _append(file: BinaryIO, digest: Hash, part: bytes) -> None:
    digest.update(part)
    try:
        file.write(part)
        file.flush()
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiskFull from error
        raise
