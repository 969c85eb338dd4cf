"""Errors of storing and reading files."""

from __future__ import annotations

from whence.kernel.errors import Invalid, NotFound, Unavailable

MEGABYTE = 1024**2


class FileTooLarge(Invalid):
    """The file is too large; send a smaller one."""

    @classmethod
    def beyond(cls, limit: int) -> FileTooLarge:
        """`limit`: the accepted number of bytes."""
        size = f"{limit // MEGABYTE} MB" if limit >= MEGABYTE else f"{limit} bytes"
        return cls(f"The file is larger than {size}; send a smaller one.")


class NoRoom(Unavailable):
    """Too many uploads at the same time; try again in a moment."""


class DiskFull(Unavailable):
    """This machine has no disk space left for the upload; tell its operator."""


class FileGone(NotFound):
    """The content of this file was erased."""


class DamagedFile(Invalid):
    """The content of this file differs from what was stored; restore it from a backup."""
