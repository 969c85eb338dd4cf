"""Files that are no backup of this version are told apart, and what no backup holds is refused."""

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


@pytest.mark.parametrize("name", ["home/postgres/base/1", "home/cache/a", "home/demo/a", "other"])
def test_a_file_that_no_backup_holds_is_named(tmp_path: Path, name: str) -> None:
    content = tmp_path / "content"
    content.write_text("x")
    file = tmp_path / "backup.tar"
    with tarfile.open(file, "w") as tar:
        tar.add(content, name)
    with pytest.raises(archive.NoBackup, match=f"holds '{name}', which does not belong"):
        archive.unpack(file, tmp_path / "into")
