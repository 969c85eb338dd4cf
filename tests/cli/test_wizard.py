"""`whence wizard`: answered from a file, or left with a word where nobody sits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from conftest import SAMPLE_PACKS
from whence.app.platform import Platform
from whence.cli.wizard_form import parse_value
from whence.cli.wizards import begin_run
from whence.wizards import service
from whence.wizards.payload import Choice, FieldShown
from whence.wizards.status import Origin

WIZARD = ("wizard", "sample_pack.write")
PACKS = {"WHENCE_PACK_DIRS": str(SAMPLE_PACKS)}
ANSWERS = {
    "about": {"title": "Tea", "length": "short"},
    "words": {"text": "It is ready."},
}


@pytest.fixture
def answers(tmp_path: Path) -> Any:
    def write_answers(answers: dict[str, Any]) -> Path:
        path = tmp_path / "answers.json"
        path.write_text(json.dumps(answers), encoding="utf-8")
        return path

    return write_answers


def test_a_wizard_is_answered_from_a_file(shell: Any, answers: Any) -> None:
    listed = shell.run("wizard", **PACKS)
    process = shell.run(*WIZARD, "--answers", answers(ANSWERS), "--json", **PACKS)

    assert "sample_pack.write  Write a note" in listed.stdout
    assert process.returncode == 0, process.stderr
    ended = json.loads(process.stdout.splitlines()[-1])
    assert (ended["progress"]["status"], ended["ui"]["record"]["kind"]) == ("completed", "notes")


def test_it_says_what_it_wrote_and_the_next_command_which_works(shell: Any, answers: Any) -> None:
    process = shell.run(*WIZARD, "--answers", answers(ANSWERS), **PACKS)

    next_line = next(line for line in process.stderr.splitlines() if line.startswith("Next: "))
    command = next_line.removeprefix("Next: whence ").split()
    assert f"Written: {command[1]}" in process.stderr
    researched = shell.run(*command, **PACKS)
    assert researched.returncode == 0, researched.stderr


def test_answers_that_are_missing_or_wrong_are_named(shell: Any, answers: Any) -> None:
    missing = shell.run(*WIZARD, "--answers", answers({"about": ANSWERS["about"]}), **PACKS)
    wrong = shell.run(*WIZARD, "--answers", answers({"about": {"title": "Tea"}}), **PACKS)
    alone = shell.run(*WIZARD, **PACKS)

    assert (missing.returncode, wrong.returncode, alone.returncode) == (2, 2, 1)
    assert "'words' (text)" in missing.stderr
    assert "length: This field is required." in wrong.stderr
    assert "--answers FILE" in alone.stderr


@pytest.mark.parametrize(
    ("words", "is_list", "value"),
    [("2", False, "b"), ("Beta", False, "b"), ("A", False, "a"), ("1, beta", True, ["a", "b"])],
)
def test_a_choice_is_meant_by_its_number_its_words_or_its_value(
    words: str, is_list: bool, value: Any
) -> None:
    field = FieldShown(
        name="x",
        label="X",
        widget="radio",
        required=True,
        choices=[Choice(value="a", label="Alpha"), Choice(value="b", label="Beta")],
    )

    assert parse_value(field, words, is_list=is_list) == value


@pytest.mark.anyio
async def test_the_terminal_goes_on_with_its_own_form_and_not_with_one_of_another_client(
    platform: Platform,
) -> None:
    who, wizards = platform.owner, platform.wizards

    async def start(origin: Origin) -> UUID:
        async with platform.unit(who) as unit:
            payload = await service.start(unit, who, wizards, WIZARD[1], origin=origin)
        return payload.wizard_run_id

    over_rest = await start(Origin.API)
    first = await begin_run(platform, WIZARD[1], None, new=False)
    assert first.wizard_run_id != over_rest
    await start(Origin.API)
    again = await begin_run(platform, WIZARD[1], None, new=False)
    assert again.wizard_run_id == first.wizard_run_id
    anew = await begin_run(platform, WIZARD[1], None, new=True)
    assert anew.wizard_run_id not in (first.wizard_run_id, over_rest)
