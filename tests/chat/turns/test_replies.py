"""What comes of courtesies, of other languages, and of who asks what changed; without a model."""

from __future__ import annotations

import pytest

from chat.turns.conftest import Desk
from chat.turns.test_turns import research
from whence.chat.language.language_detection import ENGLISH_ONLY
from whence.records import store

pytestmark = pytest.mark.anyio


async def test_a_courtesy_is_returned_and_does_not_count_as_unclear(desk: Desk) -> None:
    first, second, third = [await desk.say(each) for each in ("hi", "thanks!", "hmm")]
    assert first.content.startswith("Hello.")
    assert second.content == "You are welcome."
    assert third.content.endswith("or have it researched?")


async def test_another_language_is_told_at_once_that_rules_read_english(desk: Desk) -> None:
    for request in ("Wie lang ist das?", "Warum ist das so kurz und was ist es?"):
        assert (await desk.say(request)).content.startswith(ENGLISH_ONLY)


async def test_what_changed_is_told_from_the_last_two_researches(desk: Desk) -> None:
    await research(desk)
    alone = await desk.say("What changed since last time?")
    assert alone.content.startswith("There is no earlier research to compare")
    kind = desk.platform.kind("notes")
    async with desk.platform.unit(desk.who) as session:
        row = await store.get(session, kind, desk.note)
        changes = {"text": "now it has five words"}
        await store.patch(session, desk.who, kind, desk.note, changes, row.version)
    await research(desk)
    answer = await desk.say("What changed since last time?")
    assert "Before: “The note has 4 words”; now: “The note has 5 words” [3][2]." in (answer.content)
    assert {each.kind for each in answer.citations} == {"run", "claim"}
    assert "uncited" not in str(answer.meta.get("checked", ""))
