"""A folder for the file of an import while it is read: it goes with the import, however that ends.

A folder is locked by `flock` as long as its process lives. What a killed process left behind holds
no lock, and the next start removes it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

_PREFIX = "import-"


@contextmanager
def workplace(parent: Path) -> Generator[Path]:
    """A new folder below `parent`, removed at the end."""
    parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder, descriptor = _locked_folder(parent)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(descriptor)


def remove_leftovers(parent: Path) -> int:
    """Remove the folders of processes that ended without doing so; how many there were."""
    removed = 0
    for folder in parent.glob(f"{_PREFIX}*"):
        if (descriptor := _locked(folder)) is not None:
            shutil.rmtree(folder, ignore_errors=True)
            os.close(descriptor)
            removed += 1
    return removed


def _locked_folder(parent: Path) -> tuple[Path, int]:
    """A new folder and its lock; another one if a start took the new one for a leftover."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
        if (descriptor := _locked(folder)) is None:
            continue
        if folder.exists():
            return folder, descriptor
        os.close(descriptor)


def _locked(folder: Path) -> int | None:
    """The descriptor that holds the lock of a folder; None where another process has it."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
