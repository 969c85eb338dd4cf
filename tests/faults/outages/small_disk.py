"""A small disk of a test's own (a tmpfs), that it fills and frees."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

MB = 1024 * 1024


class Disk:
    """A mounted folder of a few megabytes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    def fill(self, *, leave: int = 0) -> None:
        """Leave this many bytes free (the file system rounds to its blocks)."""
        free = os.statvfs(self.folder)
        count = free.f_bavail * free.f_frsize - leave
        with self._ballast.open("ab") as file, contextlib.suppress(OSError):
            while count > 0:
                count -= file.write(bytes(min(count, MB)))
                file.flush()

    def free(self) -> None:
        """Give back what `fill` took."""
        self._ballast.unlink(missing_ok=True)


@contextmanager
def mounted(folder: Path, megabytes: int) -> Iterator[Disk]:
    """A tmpfs of this size on `folder`, unmounted at the end; skips where that is not allowed."""
    options = f"size={megabytes}m,mode=755"
    command = ["mount", "-t", "tmpfs", "-o", options, "whence-test", str(folder)]
    try:
        process = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    except FileNotFoundError:
        pytest.skip("there is no mount command, so that no small disk can be made")
    if process.returncode:
        pytest.skip(f"no small disk can be mounted here: {process.stderr.strip()}")
    try:
        yield Disk(folder)
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True, timeout=120)
