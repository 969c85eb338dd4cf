"""A home of its own for a benchmark, removed afterwards."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def home() -> Iterator[Path]:
    """A folder that the database's account may enter."""
    folder = Path(tempfile.mkdtemp(prefix="whence-bench-", dir="/var/tmp"))
    folder.chmod(0o755)
    try:
        yield folder / "home"
    finally:
        shutil.rmtree(folder, ignore_errors=True)
