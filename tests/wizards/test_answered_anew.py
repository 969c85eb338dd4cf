"""A wizard's input that is answered anew takes back nothing that was answered since."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from whence.app.platform import Platform
from whence.records import store
from whence.tenancy import tokens
from wizards.talking import ABOUT, RUNS, RestTalker

pytestmark = pytest.mark.anyio
COFFEE = {"title": "Coffee", "length": "short"}
WRITE = {"wizardId": "sample_pack.write"}


@pytest.fixture
async def talker(platform: Platform, serve: str) -> AsyncIterator[RestTalker]:
    kind, who = platform.kind("notes"), platform.owner
    async with platform.unit(who) as session:
        record = kind.record(title="Old", text="four words stand here")
        note = await store.create(session, who, kind, record)
    token = await tokens.issue(platform.db, who, "talker")
    async with RestTalker(serve, token, f"notes/{note.id}") as made:
        yield made


async def anew(talker: RestTalker) -> dict[str, Any]:
    path = f"/api/{talker.record}/chat/sessions/{talker.session_id}/regenerate"
    begun = (await talker.rest.post(path)).raise_for_status().json()
    return (await talker.answer(begun["answerId"]))["meta"]


async def test_a_submit_without_a_revision_is_no_new_one(talker: RestTalker) -> None:
    run = (await talker.wizard("init", **WRITE))["meta"]["wizard"]["wizardRunId"]
    await talker.wizard("respond", **ABOUT)
    body = {"stepId": "about", "responses": COFFEE, "revision": 1}
    newer = (await talker.rest.post(f"{RUNS}/{run}", json=body)).raise_for_status().json()

    for _ in range(2):
        assert (await anew(talker))["wizard"] == newer
    assert (await talker.standalone(run, "about"))["values"] == COFFEE


async def test_without_anything_newer_it_is_told_once_more(talker: RestTalker) -> None:
    await talker.wizard("init", **WRITE)
    step = (await talker.wizard("respond", **ABOUT))["meta"]["wizard"]
    assert [(await anew(talker))["wizard"] for _ in range(2)] == [step, step]


async def test_a_submit_that_was_not_valid_is_held_to_the_rules_again(talker: RestTalker) -> None:
    await talker.wizard("init", **WRITE)
    wrong = {"title": "", "length": "short"}
    submit = {"inputStepId": "about", "inputResponses": wrong}
    step = (await talker.wizard("respond", **submit))["meta"]["wizard"]
    assert step["errors"]
    assert (await anew(talker))["wizard"] == step
