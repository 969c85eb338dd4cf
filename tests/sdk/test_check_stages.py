"""`whence pack check` names the true cause of each stage that fails: migrations, tables, sample."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from whence.app.check.figures import figure_faults
from whence.app.check.sample import evaluation_faults
from whence.sdk import Sample
from whence.sdk.testing import load_pack

pytestmark = pytest.mark.anyio
Check = Callable[[Path, str], Awaitable[dict[str, tuple[str, ...]]]]
LAST_SQL = Path("migrations") / "versions" / "0004_external_ids.sql"


def _append(path: Path, statement: str) -> None:
    path.write_text(f"{path.read_text()}\n{statement}\n")


async def test_a_sample_import_that_raises_is_a_fault_of_the_sample(
    copy: Path, empty_database: str, check: Check
) -> None:
    imports = copy / "imports.py"
    imports.write_text(
        imports.read_text().replace("    await upsert_all(", '    {}["colour"]\n    upsert_all(')
    )
    faults = await check(copy, empty_database)
    assert faults["migrations"] == faults["tables"] == ()
    [fault] = faults["sample"]
    assert "the import of notes.jsonl by 'notes' fails: KeyError: 'colour' (imports.py:" in fault
    assert "evaluations" in faults


async def test_a_sample_row_that_the_database_refuses_is_a_fault_of_the_sample(
    copy: Path, empty_database: str, check: Check
) -> None:
    _append(copy / LAST_SQL, f"ALTER TABLE {copy.name}.notes ADD CHECK (title = 'Never');")
    faults = await check(copy, empty_database)
    assert faults["migrations"] == faults["tables"] == ()
    [fault] = faults["sample"]
    assert "violates check constraint" in fault
    assert "migrations" not in fault


async def test_a_migration_that_fails_is_named_by_its_file(
    copy: Path, empty_database: str, check: Check
) -> None:
    _append(copy / LAST_SQL, "CREATE TABEL wrong;")
    faults = await check(copy, empty_database)
    [fault] = faults["migrations"]
    assert "syntax error" in fault
    assert "0004_external_ids.py:" in fault
    assert faults.keys().isdisjoint({"tables", "sample"})
    assert "evaluations" in faults


async def test_two_heads_are_named_with_the_line_to_write(copy: Path, check: Check) -> None:
    versions = copy / "migrations" / "versions"
    versions.joinpath("0006_colour.py").write_text('revision = "0006"\ndown_revision = "0004"\n')
    [fault] = (await check(copy, "never used"))["migrations"]
    assert "two heads, 0005_labels.py and 0006_colour.py" in fault
    assert 'write down_revision = "0005" in 0006_colour.py' in fault


async def test_a_kind_whose_imported_ids_may_repeat_is_refused(
    copy: Path, empty_database: str, check: Check
) -> None:
    _append(
        copy / LAST_SQL,
        f"DROP INDEX {copy.name}.notes_external_id, {copy.name}.remarks_external_id;"
        f"ALTER TABLE {copy.name}.remarks ADD UNIQUE (org_id, external_id);",
    )
    faults = await check(copy, empty_database)
    notes, remarks = faults["tables"]
    assert "notes may hold two records with the same external_id" in notes
    assert (
        f"CREATE UNIQUE INDEX notes_external_id ON {copy.name}.notes (org_id, external_id) "
        "WHERE deleted_at IS NULL"
    ) in notes
    assert "a deleted record cannot be imported again" in remarks


async def test_a_column_that_no_record_can_fill_is_refused(
    copy: Path, empty_database: str, check: Check
) -> None:
    _append(
        copy / LAST_SQL,
        f"ALTER TABLE {copy.name}.notes ADD COLUMN colour text NOT NULL;"
        f"ALTER TABLE {copy.name}.notes ADD COLUMN shade text NOT NULL DEFAULT 'light';",
    )
    [fault] = (await check(copy, empty_database))["tables"]
    assert "notes.colour is NOT NULL without a default" in fault


def test_a_figure_that_a_flow_cannot_recompute_is_seen(copy: Path) -> None:
    own = f"count_{copy.name}@1"
    typed, forked = copy / "typed.py", copy / "forked.py"
    typed.write_text(typed.read_text().replace(f'recomputations={{"{own}": recount}},', ""))
    forked.write_text(forked.read_text().replace(f'Figure("{own}")', 'Figure("depth@1")'))
    by_type, by_fork = sorted(figure_faults(load_pack(copy)), reverse=True)
    assert by_type.startswith("typed.py:")
    assert f"'{own}'" in by_type
    assert "of the flow 'glance' (1)," in by_type
    assert by_fork.startswith("forked.py:")
    assert "'depth@1'" in by_fork


def test_every_figure_of_the_sample_pack_can_be_recomputed(copy: Path) -> None:
    assert list(figure_faults(load_pack(copy))) == []


def test_an_evaluation_that_raises_is_named_with_its_line(copy: Path) -> None:
    evals = copy / "evals.py"
    evals.write_text(evals.read_text().replace("    rows =", "    None + 1\n    rows ="))
    pack: Any = load_pack(copy)
    sample = Sample(copy / "sample", (), ("notes", "n1"))
    [evaluation] = pack.evals
    offered = replace(pack, sample=sample, evals=[replace(evaluation, sample=copy / "sample")])
    [fault] = evaluation_faults(offered)
    assert "TypeError: " in fault
    assert "(evals.py:" in fault
