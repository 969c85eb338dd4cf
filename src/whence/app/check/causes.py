"""What a pack's own code raised, in one line: the error, and the line of the pack it came from."""

from __future__ import annotations

import traceback
from pathlib import Path

from whence.kernel.errors import WhenceError


def cause(error: BaseException, folder: Path) -> str:
    """`KeyError: 'title' (imports.py:31)`; the message alone for an error of whence."""
    if isinstance(error, WhenceError):
        return error.message
    first_line = next(iter(str(error).strip().splitlines()), "")
    words = f"{type(error).__name__}: {first_line}".removesuffix(": ")
    place = _place(error, folder.resolve())
    return f"{words} ({place})" if place else words


def _place(error: BaseException, folder: Path) -> str | None:
    """File and line of the innermost frame in the pack's folder."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        if path.is_relative_to(folder):
            return f"{path.relative_to(folder)}:{frame.lineno}"
    return None
