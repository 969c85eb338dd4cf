"""Migrations that are not in one line are named by file, before Alembic meets them."""

from __future__ import annotations

from pathlib import Path

import pytest

from whence.db.migrate import CORE_TREE, SplitMigrations, Tree, migrate
from whence.db.revisions import line_faults, revisions


def _folder(tmp_path: Path, **files: tuple[str, object]) -> Path:
    versions = tmp_path / "versions"
    versions.mkdir()
    for name, (own, before) in files.items():
        text = f"revision: str = {own!r}\ndown_revision = {before!r}\n"
        versions.joinpath(f"{name}.py").write_text(text)
    return tmp_path


def _faults(folder: Path) -> list[str]:
    return list(line_faults(revisions(folder)))


def test_the_core_is_in_one_line() -> None:
    assert _faults(CORE_TREE) == []
    assert len(revisions(CORE_TREE)) == len(list(CORE_TREE.glob("versions/*.py")))


def test_a_branch_is_put_behind_the_other_head_by_its_first_file(tmp_path: Path) -> None:
    folder = _folder(
        tmp_path,
        a=("0001", None),
        b=("0002", "0001"),
        c=("0003", "0001"),
        d=("0004", "0003"),
    )
    [fault] = _faults(folder)
    assert "two heads, b.py and d.py" in fault
    assert fault.endswith('write down_revision = "0002" in c.py')


def test_a_merge_is_one_line(tmp_path: Path) -> None:
    folder = _folder(
        tmp_path,
        a=("0001", None),
        b=("0002", "0001"),
        c=("0003", "0001"),
        d=("0004", ("0002", "0003")),
    )
    assert _faults(folder) == []


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"a": ("1", None), "b": ("1", None)}, "a.py and b.py both have the revision '1'"),
        ({"a": ("1", None), "b": ("3", "2")}, "b.py follows the revision '2', which no file has"),
        ({"a": ("1", "2"), "b": ("2", "1")}, "set down_revision = None in the first"),
        ({"a": ("1", None), "b": ("2", None)}, 'write down_revision = "1" in b.py'),
    ],
)
def test_other_breaks_of_the_line_are_named(
    tmp_path: Path, files: dict[str, tuple[str, object]], words: str
) -> None:
    assert words in _faults(_folder(tmp_path, **files))[0]


def test_a_start_with_split_migrations_is_refused_with_the_files(
    tmp_path: Path, postgres: str
) -> None:
    folder = _folder(tmp_path, a=("1", None), b=("2", None))
    with pytest.raises(SplitMigrations, match=r"'split' .* a\.py and b\.py"):
        migrate(postgres, [Tree("split", folder)], [], None)
