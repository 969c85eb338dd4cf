"""The how-to works: its commands are run as they stand there, on a database of their own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from whence.app.new_pack import write_pack

PAGE = "docs/add-a-pack.md"


@pytest.fixture
def checkout(repository: Path, tmp_path: Path) -> Path:
    """A folder that looks like the root of the repository to the commands."""
    (tmp_path / "tests").symlink_to(repository / "tests")
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    for program in ("whence", "pytest"):
        place = tmp_path / ".venv" / "bin" / program
        place.symlink_to(Path(sys.executable).with_name(program))
    return tmp_path


@pytest.mark.long
def test_following_it_gives_a_pack_that_is_found_measured_imported_and_researched(
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
    assert "fails" not in ran.stdout
    assert "3 passed" in ran.stdout
    assert re.search(r"│ right +│ +2 │", ran.stdout)
    assert "fleet.vehicles: 2 added, 0 updated, 0 unchanged, 0 refused" in ran.stdout
    dossier = json.loads(ran.stdout.splitlines()[-1])
    assert dossier["body"] == {"words": 4}
    assert [claim["verdict"] for claim in dossier["claims"]] == ["supported"]
    assert [item["reason"] for item in dossier["evidence"]] == ["its own text"]


def test_every_file_of_a_new_pack_is_explained(tmp_path: Path, page: Callable[[str], Any]) -> None:
    section = page(PAGE).section("1. Write it")
    names = {path.name for path in write_pack(tmp_path, "fleet", "vehicle").iterdir()}
    assert not [name for name in names - {"__init__.py"} if f"`{name}" not in section]


def test_every_file_of_the_sample_pack_is_explained(
    repository: Path, page: Callable[[str], Any]
) -> None:
    section = page(PAGE).section("What the sample pack has")
    folder = repository / "tests" / "fixtures" / "sample_pack"
    names = {
        path.name for path in folder.iterdir() if path.name not in ("__init__.py", "__pycache__")
    }

    assert not [name for name in names if f"`{name}" not in section]


def test_what_it_says_a_run_offers_is_there(
    page: Callable[[str], Any], table_rows: Callable[[str], Any]
) -> None:
    from whence.sdk import Pack
    from whence.sdk.research import RunContext

    calls = [
        row[0]
        for row in table_rows(page(PAGE).section("What the sample pack has"))
        if "run." in row[0]
    ]
    named = {call.split("run.")[1].split("(")[0].strip("`") for call in calls}
    assert named
    assert not [
        name for name in named if name not in {*dir(RunContext), *RunContext.__dataclass_fields__}
    ]
    larger = page(PAGE).section("What a larger pack adds")
    for field in ("checks", "show", "sample", "services"):
        assert f"`{field}" in larger
        assert field in Pack.__dataclass_fields__
