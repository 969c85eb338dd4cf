"""The sample pack's spelling flow: it waits for an outside system, then does without it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from whence.app import build
from whence.evidence import dossiers
from whence.kernel.errors import Unavailable
from whence.kernel.health import Health
from whence.kernel.services import Services
from whence.records import store
from whence.work import transitions

pytestmark = pytest.mark.anyio


class Checker:
    """Away for some calls, and then finds one misspelt word."""

    def __init__(self, away: int) -> None:
        self.away = away

    async def check(self, text: str) -> list[str]:
        self.away -= 1
        if self.away >= 0:
            raise Unavailable("The checker is away.", retry_after=0.01)
        return ["teh"]


async def checked(platform: Any, away: int, note: Any) -> tuple[Mapping[str, Any], Any]:
    """How a run over a note ended, and its dossier."""
    checker = sys.modules["whence.packs.sample_pack.spelling"].SpellChecker
    changed = replace(platform, services=Services([Health(), checker(Checker(away).check)]))
    kind, owner = changed.kind("notes"), changed.owner
    async with build.worker(changed):
        async with changed.unit(owner) as session:
            submitted = await changed.ask(session, owner, kind, note.id, flow="spelling")
        async for batch in changed.bus.tail(owner.org_id, submitted.id):
            if batch[-1].type == "job_complete":
                break
        async with changed.unit(owner) as session:
            return batch[-1].payload, await dossiers.of_run(session, submitted.id)


@pytest.fixture
async def note(platform: Any) -> Any:
    kind = platform.kind("notes")
    async with platform.unit(platform.owner) as session:
        record = kind.record(title="A note", text="teh note")
        return await store.create(session, platform.owner, kind, record)


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transitions, "MAX_OUTAGES", 2)


async def test_the_run_pauses_and_goes_on_once_the_system_is_back(platform: Any, note: Any) -> None:
    ended, dossier = await checked(platform, 3, note)
    assert (ended["status"], ended["partial"]) == ("success", False)
    assert dossier.body == {"words": ["teh"]}


async def test_after_the_last_pause_it_does_without_and_retires_nothing(
    platform: Any, note: Any
) -> None:
    _, complete = await checked(platform, 0, note)
    ended, partial = await checked(platform, 99, note)
    assert (ended["status"], ended["partial"]) == ("success", True)
    assert (partial.is_current, partial.not_done) == (False, ["the spelling was not checked"])
    assert partial.notices == [
        "This research is incomplete; the earlier, complete dossier stays the current one."
    ]
    lane = dossiers.Lane("notes", note.id, "spelling")
    async with platform.unit(platform.owner) as session:
        assert (await dossiers.current(session, lane)).id == complete.id
