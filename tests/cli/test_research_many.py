"""`whence research KIND --all|--filter`: many records, one display, and what became of each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conftest import SAMPLE_PACKS

PACKS = {"WHENCE_PACK_DIRS": str(SAMPLE_PACKS)}


@pytest.fixture
def notes(shell: Any, tmp_path: Path) -> Any:
    file = tmp_path / "notes.csv"
    file.write_text("id,title,text\n" + "".join(f"N-{n},Note {n},words {n}\n" for n in range(5)))
    process = shell.run("import", "sample_pack.notes", file, **PACKS)
    assert process.returncode == 0, process.stderr
    return shell


def test_all_records_of_a_kind_are_researched(notes: Any) -> None:
    process = notes.run("research", "notes", "--all", "--json", **PACKS)

    assert process.returncode == 0, process.stderr
    summary = json.loads(process.stdout)
    assert summary["counts"]["done"] == 5
    assert {each["record"] for each in summary["records"]} == {f"notes/N-{n}" for n in range(5)}
    shown = json.loads(notes.run("show", "notes/N-3", "--json", **PACKS).stdout)
    assert shown["dossier"] is not None


def test_a_filter_chooses_them_as_it_does_in_a_list(notes: Any) -> None:
    process = notes.run("research", "notes", "--filter", "title=Note 2", **PACKS)
    none = notes.run("research", "notes", "--filter", "title=Nothing", **PACKS)

    assert process.stdout.strip() == "1 done"
    assert none.stdout.strip() == "No record matches."


def test_a_record_that_needs_no_research_is_left_out_with_the_reason(
    notes: Any, tmp_path: Path
) -> None:
    file = tmp_path / "more.csv"
    file.write_text("id,title,text\nN-9,Done: it,some words\n")
    assert notes.run("import", "sample_pack.notes", file, **PACKS).returncode == 0

    process = notes.run("research", "notes", "--all", **PACKS)

    assert process.returncode == 0, process.stderr
    assert process.stdout.splitlines()[0] == "5 done, 1 left out"
    assert "notes/N-9: left out: " in process.stdout
    assert "it is done" in process.stdout


def test_what_cannot_be_meant_is_refused_with_the_fix(notes: Any) -> None:
    for words, fix in (
        (("notes",), "add --all or --filter"),
        (("notes/N-1", "--all"), "take a kind"),
        (("notes", "--all", "--interactive"), "neither --interactive"),
        (("notes", "--filter", "colour=red"), "no 'colour'"),
        (("nothing", "--all"), "no subject kind"),
    ):
        refused = notes.run("research", *words, **PACKS)
        assert refused.returncode == 2, refused.stderr
        assert fix in refused.stderr
