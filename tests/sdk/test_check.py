"""`whence pack check` sees each way in which a pack can break the contract, and names the fix."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from whence.app import discovery
from whence.app.check.code import import_faults, prompt_faults
from whence.app.check.names import name_faults
from whence.app.check.sample import evaluation_faults
from whence.sdk import Sample
from whence.sdk.testing import load_pack

pytestmark = pytest.mark.anyio
Check = Callable[..., Awaitable[dict[str, tuple[str, ...]]]]


async def test_a_pack_that_keeps_the_contract_passes(
    copy: Path, empty_database: str, check: Check
) -> None:
    faults = await check(copy, empty_database)
    assert {name: words for name, words in faults.items() if words} == {}
    assert {"imports", "names", "prompts", "routes", "ui", "tables", "sample"} <= faults.keys()


async def test_open_tables_foreign_schemas_and_wrong_counts_are_seen(
    copy: Path, empty_database: str, check: Check
) -> None:
    migration = copy / "migrations" / "versions" / "0001_notes.sql"
    text = migration.read_text()
    migration.write_text(
        f"{text}\nCREATE TABLE {copy.name}.open (id uuid PRIMARY KEY);\n"
        "CREATE TABLE whence.foreign_table (org_id uuid, id uuid, PRIMARY KEY (org_id, id));\n"
    )
    (copy / "sample" / "expect.yml").write_text("notes: {rows: 2, refused: 0}\n")
    faults = await check(copy, empty_database)
    words = "\n".join(faults["tables"])
    assert f"add SELECT whence.protect('{copy.name}.open')" in words
    assert f"{copy.name}.open has no org_id in its key" in words
    assert "whence.foreign_table, outside the pack's schema" in words
    assert "says notes.rows is 2, but it is 1" in "\n".join(faults["sample"])


async def test_a_manifest_that_cannot_be_loaded_ends_the_check(copy: Path, check: Check) -> None:
    (copy / "flow.py").write_text("raise RuntimeError('broken')\n")
    faults = await check(copy, "never used")
    assert "RuntimeError: broken" in faults["manifest"][0]
    assert "tables" not in faults


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("from whence.research.context import RunContext", "import RunContext from whence.sdk"),
        ("import whence.db.database", "import from whence.sdk"),
        ("from whence import chat", "imports whence.chat"),
        ("from whence.packs.resale import records", "imports whence.packs.resale"),
        ("from fastapi import APIRouter", "declare a route"),
        ("import psycopg", "use the session"),
        ("import httpx", "whence.sdk.http"),
        ("def", "not valid Python"),
    ],
)
def test_an_import_past_the_sdk_is_seen_by_line(copy: Path, line: str, words: str) -> None:
    (copy / "more.py").write_text(f"{line}\n")
    [fault] = import_faults(copy)
    assert fault.startswith("more.py")
    assert words in fault


def test_a_prompt_whose_input_is_missing_is_seen(copy: Path) -> None:
    path = copy / "page_list.md"
    path.write_text(path.read_text().replace("count", "colour"))
    [fault] = prompt_faults(load_pack(copy))
    assert "takes 'colour'" in fault


def test_names_that_do_not_fit_or_are_taken_are_seen(copy: Path) -> None:
    pack: Any = load_pack(copy)
    words = "\n".join(
        [
            *name_faults(replace(pack, id="Upper"), []),
            *name_faults(replace(pack, id="jobs"), []),
            *name_faults(pack, [pack]),
        ]
    )
    for part in (
        "must be lower-case letters",
        "is a schema of the engine",
        f"is in the schema '{copy.name}'",
        "must begin with 'Upper.'",
        "another pack has the id",
        "has the kind 'notes' too",
        f"has the tool 'count_{copy.name}' too",
    ):
        assert part in words


def test_an_evaluation_that_differs_from_its_sample_is_seen(copy: Path) -> None:
    pack: Any = load_pack(copy)
    (copy / "sample" / "expect.yml").write_text("evals: {words: {right: 1}}\n")
    sample = Sample(copy / "sample", (), ("notes", "n1"))
    [evaluation] = pack.evals
    offered = replace(pack, sample=sample, evals=[replace(evaluation, sample=copy / "sample")])
    [fault] = evaluation_faults(offered)
    assert "gives right = 2" in fault
    (copy / "sample" / "labelled.jsonl").unlink()
    [fault] = evaluation_faults(offered)
    assert "fails on" in fault


def test_the_packs_that_ship_keep_the_contract_of_code_names_and_prompts() -> None:
    packs = discovery.discover([])
    for pack in packs:
        others = [other for other in packs if other is not pack]
        assert [*import_faults(pack.folder), *name_faults(pack, others), *prompt_faults(pack)] == []


async def test_tables_that_differ_from_the_kinds_are_named_before_the_sample_is_imported(
    copy: Path, empty_database: str, check: Check
) -> None:
    last = copy / "migrations" / "versions" / "0003_word_counts.sql"
    last.write_text(
        f"{last.read_text()}\nALTER TABLE {copy.name}.notes DROP COLUMN text,"
        " ALTER COLUMN title TYPE uuid USING NULL;\n"
        f"ALTER TABLE {copy.name}.remarks DROP CONSTRAINT remarks_org_id_note_id_fkey;\n"
    )
    faults = await check(copy, empty_database)
    words = "\n".join(faults["tables"])
    assert f"{copy.name}.notes has no column text; add a migration" in words
    assert f"{copy.name}.notes.title is uuid and NoteRow declares" in words
    assert f"{copy.name}.remarks.note_id has no foreign key" in words
    assert "sample" not in faults


async def test_a_search_without_a_column_and_a_flow_without_a_kind_are_seen(
    copy: Path, check: Check
) -> None:
    subject, flow = copy / "subject.py", copy / "typed.py"
    subject.write_text(subject.read_text().replace('search=("title"', 'search=("titel"'))
    flow.write_text(flow.read_text().replace('kind="notes"', 'kind="nodes"'))
    words = "\n".join((await check(copy, "never used"))["kinds"])
    assert "names 'titel' in search" in words
    assert "is about 'nodes', which no pack brings" in words
