"""An empty database, a copy of the sample pack, and `pack check` on it."""

from __future__ import annotations

import shutil
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

import whence.packs
from whence.app.check.pack import check_pack
from whence.kernel.ids import new_id

SAMPLE_PACK = Path(__file__).parents[1] / "fixtures" / "sample_pack"
NO_ADDRESSES: Callable[..., None] = lambda pack, others: None  # noqa: E731
Faults = dict[str, tuple[str, ...]]


@pytest.fixture
def empty_database(postgres: str) -> Iterator[str]:
    """The address of a database in which nothing is yet; dropped after the test."""
    name = f"empty_{new_id().hex}"
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield make_conninfo(postgres, dbname=name)
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
def copy(tmp_path: Path) -> Iterator[Path]:
    """A copy of the sample pack under a name of its own, with a sample that asserts itself."""
    folder = tmp_path / f"copied_{tmp_path.name.replace('-', '_')}"
    shutil.copytree(SAMPLE_PACK, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for path in [*folder.rglob("*.py"), *folder.rglob("*.sql")]:
        text = path.read_text().replace("sample_pack", folder.name)
        path.write_text(text.replace("count_words", f"count_{folder.name}"))
    manifest = folder / "pack.py"
    text = manifest.read_text()
    text = text.replace("import Evaluation, Pack", "import Evaluation, Pack, Sample")
    sample = 'sample=Sample(FOLDER / "sample", (("notes", "notes.jsonl"),), ("notes", "n1")),'
    manifest.write_text(text.replace("    folder=FOLDER,\n", f"    folder=FOLDER,\n    {sample}\n"))
    (folder / "sample" / "expect.yml").write_text("notes: {rows: 1, refused: 0}\n")
    yield folder
    if str(tmp_path) in whence.packs.__path__:  # or a later test would discover it
        whence.packs.__path__.remove(str(tmp_path))


@pytest.fixture
def check() -> Callable[[Path, str], Awaitable[Faults]]:
    """The faults of a pack, by the name of the check."""

    async def check(folder: Path, database: str) -> Faults:
        results = check_pack(folder, [], NO_ADDRESSES, database)
        return {result.check: result.faults async for result in results}

    return check
