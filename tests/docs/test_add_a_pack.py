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

PAGE = "docs/add-a-pack.md"


@pytest.fixture
def checkout(repository: Path, tmp_path: Path) -> Path:
    """A folder that looks like the root of the repository to the commands."""
    (tmp_path / "tests").symlink_to(repository / "tests")
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "whence").symlink_to(Path(sys.executable).with_name("whence"))
    return tmp_path


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
        timeout=120,
    )

    assert ran.returncode == 0, ran.stderr
    assert "memos.research" in ran.stdout
    assert "count_memo_words" in ran.stdout
    assert re.search(r"│ right +│ +2 │", ran.stdout)
    assert "memos.memos: 1 added, 0 updated, 0 unchanged, 0 refused" in ran.stdout
    dossier = json.loads(ran.stdout.splitlines()[-1])
    assert dossier["body"] == {"words": 4}
    assert [claim["verdict"] for claim in dossier["claims"]] == ["supported"]
    assert [item["reason"] for item in dossier["evidence"]] == ["the memo itself"]


def test_every_name_that_must_differ_is_renamed(checkout: Path, page: Callable[[str], Any]) -> None:
    copy, rename, *_ = page(PAGE).code("sh")
    subprocess.run(["bash", "-ec", f"{copy}\n{rename}"], cwd=checkout, check=True)

    files = [path for path in (checkout / "my_packs" / "memos").rglob("*") if path.is_file()]
    assert not [path.name for path in files if path.suffix == ".bak"]
    for path in files:
        if path.suffix in {".py", ".sql"}:
            text = path.read_text(encoding="utf-8")
            assert "sample_pack" not in text
            assert "note" not in text.lower()


def test_every_file_of_the_sample_pack_is_explained(
    repository: Path, page: Callable[[str], Any]
) -> None:
    section = page(PAGE).section("What is in it")
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

    calls = [row[0] for row in table_rows(page(PAGE).section("What is in it")) if "run." in row[0]]
    named = {call.split("run.")[1].split("(")[0].strip("`") for call in calls}
    assert named
    assert not [
        name for name in named if name not in {*dir(RunContext), *RunContext.__dataclass_fields__}
    ]
    larger = page(PAGE).section("What a larger pack adds")
    for field in ("checks", "show", "sample", "services"):
        assert f"`{field}" in larger
        assert field in Pack.__dataclass_fields__
