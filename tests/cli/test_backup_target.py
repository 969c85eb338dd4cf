"""Where `whence backup` may write."""

from __future__ import annotations

from pathlib import Path

import pytest

from whence.cli.backup import backup
from whence.kernel.errors import Invalid


@pytest.mark.parametrize("force", [True, False])
def test_a_folder_is_refused_and_a_file_in_it_suggested(tmp_path: Path, force: bool) -> None:
    with pytest.raises(Invalid, match=r"is a folder; name a file in it, such as '.*/whence.tar'"):
        backup(tmp_path, force=force)
