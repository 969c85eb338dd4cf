"""leave.request over REST, in a conversation, and on the command line: one outcome."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Shell, bare
from whence.app.platform import Platform
from whence.records import store
from whence.tenancy import tokens
from wizards.serving import Form, client_of
from wizards.talking import SocketTalker

pytestmark = pytest.mark.anyio
LEAVE = "leave.request"
Payload = dict[str, Any]
ANSWERS: dict[str, dict[str, Any]] = {
    "reason": {"reason": "family_care", "title": "For my mother"},
    "who": {"relation": "parent"},
    "need": {"medicalNeed": "yes"},
    "dates": {"startsOn": "2026-03-02", "endsOn": "2026-04-10"},
    "pattern": {"pattern": "intermittent"},
    "hours_off": {"hoursOffPerWeek": 8},
    "place": {"worksInCalifornia": "yes"},
    "employer": {"publicEmployer": False, "employees": 300},
    "site": {"employeesWithin75Miles": 80},
    "service": {"hiredOn": "2020-01-01"},
    "hours": {"hoursLast12Months": 1500, "weeklyHours": 40},
    "year": {"yearMethod": "fixed"},
    "year_start": {"leaveYearStarts": "07-01"},
    "before": {"wasTaken": True},
    "earlier_1": {"startsOn": "2025-07-07", "endsOn": "2025-07-25", "laws": ["fmla", "cfra"]},
    "holidays": {"worksHolidays": "no"},
    "spouse": {"spouseSameEmployer": "no"},
    "notice": {"foreseeable": "yes", "noticeGivenOn": "2026-02-20"},
    "certification": {"certification": "asked"},
    "certification_days": {"certificationAskedOn": "2026-02-20"},
    "review": {},
}


async def over_rest(platform: Platform, url: str) -> Payload:
    async with client_of(platform, url) as client:
        form = Form(client, LEAVE)
        shown = await form.begin()
        while shown["progress"]["status"] == "open":
            step = shown["step"]["id"]
            shown = await form.answer(step, ANSWERS[step], shown["revision"])
            assert shown["errors"] == []
    return shown


async def in_a_conversation(platform: Platform, url: str) -> Payload:
    kind, who = platform.kind("notes"), platform.owner
    async with platform.unit(who) as session:
        note = await store.create(session, who, kind, kind.record(title="A note", text="words"))
    token = await tokens.issue(platform.db, who, "talker")
    async with SocketTalker(url, token, f"notes/{note.id}") as talker:
        message = await talker.wizard("init", wizardId=LEAVE)
        while (shown := message["meta"]["wizard"])["progress"]["status"] == "open":
            step = shown["step"]["id"]
            message = await talker.wizard(
                "respond",
                wizardRunId=shown["wizardRunId"],
                revision=shown["revision"],
                inputStepId=step,
                inputResponses=ANSWERS[step],
            )
            assert message["meta"]["wizard"]["errors"] == []
    return shown


def on_the_command_line(shell: Shell, folder: Path) -> Payload:
    path = folder / "answers.json"
    path.write_text(json.dumps(ANSWERS), encoding="utf-8")
    process = shell.run("wizard", LEAVE, "--answers", path, "--json")
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout.splitlines()[-1])


def without_ids(shown: Payload) -> Payload:
    """What a payload says, without which run and record it is."""
    ui = {name: value for name, value in shown["ui"].items() if name != "record"}
    return {**shown, "wizardRunId": None, "ui": ui}


async def test_the_same_answers_have_the_same_outcome_wherever_they_are_given(
    platform: Platform, serve: str, tmp_path: Path
) -> None:
    settings = platform.settings
    assert settings.database_url is not None
    url = settings.database_url.get_secret_value()
    shell = Shell(bare() | {"WHENCE_DATABASE_URL": url, "WHENCE_HOME": str(settings.home)})

    ended = [
        await over_rest(platform, serve),
        await in_a_conversation(platform, serve),
        on_the_command_line(shell, tmp_path),
    ]

    for shown in ended:
        assert shown["progress"]["status"] == "completed"
        assert shown["step"]["title"] == "Appears eligible under FMLA and CFRA"
        assert without_ids(shown) == without_ids(ended[0])
    kind = platform.kind("leave-requests")
    async with platform.unit(platform.owner) as session:
        rows = [await store.get(session, kind, shown["ui"]["record"]["id"]) for shown in ended]
        records = [kind.parse(row) for row in rows]
    assert len({row.id for row in rows}) == 3
    assert records[0] == records[1] == records[2]
