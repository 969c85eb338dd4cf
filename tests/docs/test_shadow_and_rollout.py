"""The example of a rollout works: its commands are run as they stand there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from whence.research.versions import Mode

PAGE = "docs/shadow-and-rollout.md"


@pytest.fixture
def checkout(repository: Path, tmp_path: Path) -> Path:
    """A folder that looks like the root of the repository to the commands."""
    (tmp_path / "tests").symlink_to(repository / "tests")
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "whence").symlink_to(Path(sys.executable).with_name("whence"))
    return tmp_path


@pytest.mark.long
def test_following_it_shows_the_difference_and_gives_the_candidate_work(
    checkout: Path, database_url: str, page: Callable[[str], Any]
) -> None:
    script = "\n".join(["set -euo pipefail", *page(PAGE).code("sh")])
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("WHENCE_")
    }
    environment |= {"WHENCE_HOME": str(checkout / "home"), "WHENCE_DATABASE_URL": database_url}

    ran = subprocess.run(
        ["bash", "-c", script],
        cwd=checkout,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )

    assert ran.returncode == 0, ran.stderr
    dossiers = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]
    result = [(one["flowVersion"], one["lane"], one["body"]["words"]) for one in dossiers]
    assert result[:4] == [
        ("1", "primary", 4),
        ("1", "primary", 4),
        ("2", "shadow", 4),
        ("2", "shadow", 8),
    ]
    assert "0 of 1 claims agree: version 1 as shown, version 2 in the shadow" in ran.stdout
    assert "1 of 2 claims agree, over 2 records." in ran.stdout
    # Half of the records, told apart by ids that are new in each test.
    assert result[4] in [("1", "primary", 4), ("2", "primary", 8)]


def test_each_mode_of_the_setting_is_explained(page: Callable[[str], Any]) -> None:
    section = page(PAGE).section("4. Give it work")

    assert all(f"notes/research={mode}" in section for mode in Mode)
