"""Files that are no backup of this version are told apart."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from whence.db import archive


def test_a_backup_of_a_later_format_is_called_newer_and_not_damaged(tmp_path: Path) -> None:
    manifest = tmp_path / archive.MANIFEST
    manifest.write_text('{"format": 99, "whence": "9.0"}')
    file = tmp_path / "later.tar"
    with tarfile.open(file, "w") as tar:
        tar.add(manifest, archive.MANIFEST)
    with pytest.raises(archive.NoBackup, match=r"newer version of whence \(format 99\)"):
        archive.unpack(file, tmp_path / "into")
