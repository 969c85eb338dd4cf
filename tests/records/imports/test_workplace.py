"""The folder of an import's file: gone with the import, also when its process is killed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from whence.app import build
from whence.kernel.settings import Settings
from whence.records.files.files import stored_files
from whence.records.imports.workplace import remove_leftovers, workplace

pytestmark = pytest.mark.anyio
KILLED = """
import os, sys
from pathlib import Path
from whence.records.imports.workplace import workplace
with workplace(Path(sys.argv[1])) as folder:
    (folder / "upload.csv").write_text("id")
    os._exit(9)
"""


def killed_in(parent: Path) -> None:
    process = subprocess.run([sys.executable, "-c", KILLED, str(parent)], check=False, timeout=120)
    assert process.returncode == 9


def test_a_folder_goes_with_its_import(tmp_path: Path) -> None:
    parent = tmp_path / "new"

    def fail() -> None:
        with workplace(parent) as folder:
            (folder / "upload.csv").write_text("id")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert list(parent.iterdir()) == []


def test_what_a_killed_process_left_is_removed_and_what_a_living_one_uses_is_kept(
    tmp_path: Path,
) -> None:
    killed_in(tmp_path)
    (tmp_path / "another-file").touch()
    with workplace(tmp_path) as folder:
        assert len(list(tmp_path.iterdir())) == 3
        assert remove_leftovers(tmp_path) == 1
        assert sorted(tmp_path.iterdir()) == [tmp_path / "another-file", folder]
    assert remove_leftovers(tmp_path) == 0


async def test_the_next_start_removes_what_a_killed_import_left(
    settings: Settings, platform: Any
) -> None:
    parent = stored_files(platform.db, settings).spool.folder
    killed_in(parent)
    assert len(list(parent.iterdir())) == 1
    async with build.platform(settings):
        assert list(parent.iterdir()) == []
