"""`whence pack new` writes a pack that passes its own tests and the check as it stands."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

import whence.packs
from whence.app.check.pack import check_pack
from whence.app.new_pack import FolderExists, write_pack
from whence.cli.packs import app
from whence.kernel.errors import Invalid

pytestmark = pytest.mark.anyio
WHENCE = str(Path(sys.executable).with_name("whence"))


@pytest.fixture(autouse=True)
def packs_of_the_tree() -> Iterator[None]:
    """What a test wrote is forgotten after it."""
    before = list(whence.packs.__path__)
    yield
    whence.packs.__path__[:] = before


@pytest.mark.parametrize(
    ("name", "noun"), [("fleet_check", "company_car"), ("depot", None)], ids=["noun", "no noun"]
)
async def test_a_new_pack_keeps_the_contract(
    tmp_path: Path, empty_database: str, name: str, noun: str | None
) -> None:
    folder = write_pack(tmp_path, name, noun)
    results = check_pack(folder, [], lambda pack, others: None, empty_database)
    faults = {result.check: result.faults async for result in results}
    assert {check: words for check, words in faults.items() if words} == {}
    assert {"tables", "sample", "evaluations"} <= faults.keys()


def test_a_new_pack_has_names_of_its_own_everywhere(tmp_path: Path) -> None:
    folder = write_pack(tmp_path, "fleet", "assembly")
    for path in folder.rglob("*"):
        assert "blank" not in path.name
        assert path.is_dir() or "blank" not in path.read_text().lower()
    assert "class AssemblyRow(" in (folder / "records.py").read_text()
    assert 'kind="assemblies"' in (folder / "kind.py").read_text()
    assert '"""An assembly, and its table.' in (folder / "records.py").read_text()
    assert (folder / "migrations" / "versions" / "0001_assemblies.sql").is_file()


@pytest.mark.parametrize(
    "name", ["Upper", "two-words", "2nd", "", "class", "a__b", "../out", "x" * 41, "naïve"]
)
def test_a_bad_name_is_refused_in_words(tmp_path: Path, name: str) -> None:
    with pytest.raises(Invalid, match="lower-case letters"):
        write_pack(tmp_path, name)
    with pytest.raises(Invalid, match="cannot name a record"):
        write_pack(tmp_path, "fleet", name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["jobs", "whence", "pg_fleet", "order"])
def test_a_name_that_postgresql_or_the_engine_uses_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(Invalid, match="of the engine or of PostgreSQL"):
        write_pack(tmp_path, name)


def test_a_noun_whose_class_means_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="'Context' is in use"):
        write_pack(tmp_path, "fleet", "context")


def test_a_place_that_cannot_hold_a_pack_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(Invalid, match="cannot be written"):
        write_pack(tmp_path / "file", "fleet", "vehicle")


def test_an_existing_folder_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "fleet").mkdir()
    with pytest.raises(FolderExists, match="exists already"):
        write_pack(tmp_path, "fleet")
    assert list((tmp_path / "fleet").iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["resale"], "'resale' already"),
        (["fleet", "--record", "item"], "name another with --record"),
        (["auth"], "'auth' already"),
        (["runs"], "'runs' already"),
        (["fleet", "--record", "vehicles"], "write the noun in the singular"),
        (["vehicles", "--record", "vehicle"], "cannot both be 'vehicles'"),
    ],
)
def test_a_name_that_is_taken_is_refused(tmp_path: Path, arguments: list[str], words: str) -> None:
    result = CliRunner().invoke(app, ["new", *arguments, "--into", str(tmp_path)])
    assert words in str(result.exception)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_from_an_empty_folder_to_a_checked_pack(tmp_path: Path) -> None:
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("WHENCE_")
    } | {"WHENCE_HOME": str(tmp_path / "home"), "WHENCE_PACK_DIRS": ""}
    empty = tmp_path / "empty"
    empty.mkdir()

    def run(*command: str) -> str:
        process = subprocess.run(
            command,
            cwd=empty,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert process.returncode == 0, process.stdout + process.stderr
        return process.stdout

    assert "whence pack check fleet" in run(WHENCE, "pack", "new", "fleet", "--record", "vehicle")
    assert "3 passed" in run(sys.executable, "-m", "pytest", "-p", "no:schemathesis", "fleet")
    checked = run(WHENCE, "pack", "check", "fleet")
    assert "ok    sample" in checked
    assert "fails" not in checked
    environment["WHENCE_PACK_DIRS"] = str(empty)
    assert "vehicles" in run(WHENCE, "pack", "list")
    run(
        sys.executable,
        "-m",
        "ruff",
        "check",
        "--isolated",
        "--select=E,F",
        "--line-length=100",
        ".",
    )
