"""Wizards inside conversations: told apart, idempotent, and only by explicit input."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import pytest

from whence.app.platform import Platform
from whence.kernel.errors import Invalid
from whence.kernel.ids import new_id
from whence.records import store as records
from whence.wizards.chatting import SeveralWizards, WizardInput, handle
from whence.wizards.payload import StepPayload
from whence.wizards.status import RunStatus
from whence.wizards.store import NoSuchRun

pytestmark = pytest.mark.anyio
Say = Callable[..., Awaitable[StepPayload]]


@pytest.fixture
def say(platform: Platform) -> Say:
    async def send(chat: UUID, subject: Any = None, **wizard_input_fields: Any) -> StepPayload:
        wizard_input = WizardInput.model_validate(wizard_input_fields)
        async with platform.unit(platform.owner) as session:
            return await handle(
                session, platform.owner, platform.wizards, chat, wizard_input, subject=subject
            )

    return send


ABOUT = {"inputStepId": "about", "inputResponses": {"title": "Tea", "length": "short"}}


async def test_a_wizard_goes_on_in_its_conversation(say: Say) -> None:
    chat = new_id()
    await say(chat, action="init", wizardId="sample_pack.write")
    second = await say(chat, action="respond", **ABOUT)
    words = {"inputStepId": "words", "inputResponses": {"text": "It is ready."}}
    review = await say(chat, action="respond", **words)
    resumed = await say(chat, action="resume")
    back = await say(chat, action="back")
    one = await say(chat, action="change", inputStepId="about")
    end = await say(chat, action="respond", inputStepId="review")

    assert [p.step.id for p in (second, review, back, one)] == ["words", "review", "words", "about"]
    assert resumed == review
    assert end.progress.status is RunStatus.COMPLETED


async def test_two_wizards_at_once_are_told_apart(say: Say) -> None:
    chat = new_id()
    one = await say(chat, action="init", wizardId="sample_pack.write")
    two = await say(chat, action="init", wizardId="sample_pack.write")

    with pytest.raises(SeveralWizards):
        await say(chat, action="respond", **ABOUT)
    await say(chat, action="respond", wizardRunId=str(one.wizard_run_id), **ABOUT)

    left = await say(chat, action="resume", wizardRunId=str(two.wizard_run_id))
    assert (left.step.id, left.revision) == ("about", 0)
    await say(chat, action="cancel", wizardRunId=str(two.wizard_run_id))
    assert (await say(chat, action="resume")).step.id == "words"


async def test_a_repeated_init_with_its_own_id_begins_one_run(say: Say) -> None:
    chat, run = new_id(), str(new_id())
    for _ in range(2):
        await say(chat, action="init", wizardId="sample_pack.write", wizardRunId=run)

    assert str((await say(chat, action="resume")).wizard_run_id) == run


async def test_a_run_is_not_found_from_another_conversation(say: Say) -> None:
    run = (await say(new_id(), action="init", wizardId="sample_pack.write")).wizard_run_id

    for act in ("respond", "resume", "back", "cancel", "change"):
        with pytest.raises(NoSuchRun):
            await say(new_id(), action=act, wizardRunId=str(run), **ABOUT)
    with pytest.raises(NoSuchRun, match="No wizard is open"):
        await say(new_id(), action="resume")


async def test_a_conversation_about_a_record_begins_its_wizard_about_it(
    say: Say, platform: Platform
) -> None:
    kind = platform.kind("notes")
    async with platform.unit(platform.owner) as session:
        note = await records.create(session, platform.owner, kind, kind.record(title="Old"))
    init = {"action": "init", "wizardId": "sample_pack.write"}

    about = await say(new_id(), ("notes", note.id), **init)
    other = await say(new_id(), ("items", note.id), **init)

    assert (about.values, about.provenance["title"].source) == ({"title": "Old"}, "the note")
    assert other.values == {}


async def test_input_that_misses_something_says_what(say: Say) -> None:
    chat = new_id()
    with pytest.raises(Invalid, match="wizardId"):
        await say(chat, action="init")
    await say(chat, action="init", wizardId="sample_pack.write")
    with pytest.raises(Invalid, match="inputStepId"):
        await say(chat, action="respond")
