"""Why a file is not taken or cannot be read."""

from __future__ import annotations

from whence.kernel.errors import Invalid, NotFound, Unavailable

MEGABYTE = 1024**2


class FileTooLarge(Invalid):
    """The file is too large; send a smaller one."""

    @classmethod
    def beyond(cls, limit: int) -> FileTooLarge:
        """`limit`: bytes that would have been taken."""
        size = f"{limit // MEGABYTE} MB" if limit >= MEGABYTE else f"{limit} bytes"
        return cls(f"The file is larger than {size}; send a smaller one.")


class NoRoom(Unavailable):
    """Too much is being uploaded at the same time; try again in a moment."""


class DiskFull(Unavailable):
    """This machine has no room for the upload; tell whoever operates it."""


class FileGone(NotFound):
    """The content of this file was erased."""


class DamagedFile(Invalid):
    """The content of this file is not what was stored; restore it from a backup."""
