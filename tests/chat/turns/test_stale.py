"""Old research is announced in the answer, with an offer that a `yes` takes up."""

from __future__ import annotations

import psycopg
import pytest

from chat.slow_model import SlowModel
from chat.turns.conftest import Desk, desk_of
from chat.turns.test_turns import research
from whence.app import build
from whence.chat.transcript.views import MessageAnswer
from whence.kernel.settings import Settings
from whence.records import store

pytestmark = pytest.mark.anyio
OFFER = "so it may be out of date"


def aged(database_url: str, days: int) -> None:
    """The research was made so long ago."""
    with psycopg.connect(database_url) as admin:
        back = "UPDATE whence.dossiers SET created_at = created_at - make_interval(days => %s)"
        admin.execute(back, (days,))


async def changed(desk: Desk) -> None:
    async with desk.platform.unit(desk.who) as session:
        kind = desk.platform.kind("notes")
        await store.patch(session, desk.who, kind, desk.note, {"title": "Another"}, None)


def is_offered(answer: MessageAnswer, why: str) -> bool:
    """Announced as a fact with a reference to the research, and offered."""
    *_, fact = [
        line for line in answer.content.split("\n\n") if line.endswith("Shall I research it again?")
    ]
    assert why in fact
    assert OFFER in fact
    number = fact[fact.index("[") + 1 : fact.index("]")]
    [run] = [each for each in answer.citations if str(each.number) == number]
    assert run.kind == "run"
    assert answer.meta.get("checked") is None
    return answer.meta.get("offer") == "research"


async def test_fresh_research_is_not_announced_and_a_yes_to_nothing_starts_nothing(
    desk: Desk,
) -> None:
    await research(desk)
    answer = await desk.say("How long is it?")
    assert OFFER not in answer.content
    assert "offer" not in answer.meta
    assert (await desk.say("yes")).intent != "research"


async def test_research_older_than_the_packs_age_is_offered_anew_and_yes_starts_it(
    desk: Desk, database_url: str
) -> None:
    await research(desk)
    aged(database_url, 45)
    answer = await desk.say("How long is it?")
    assert "The note has 4 words [1]" in answer.content
    assert is_offered(answer, "is 45 days old")
    begun = await desk.say("yes please")
    assert (begun.intent, begun.content[:14]) == ("research", "I have started")
    async with build.worker(desk.platform):
        await desk.until(
            lambda events: any(
                e.type == "message" and e.payload["role"] == "notice" for e in events
            )
        )
    assert OFFER not in (await desk.say("How long is it?")).content


async def test_research_from_before_the_records_last_change_is_offered_anew(desk: Desk) -> None:
    await research(desk)
    await changed(desk)
    answer = await desk.say("How long is it?")
    assert is_offered(answer, "predates the last change of this note")
    assert (await desk.say("ok, go ahead")).intent == "research"


async def test_both_reasons_are_told_and_no_is_no(desk: Desk, database_url: str) -> None:
    await research(desk)
    aged(database_url, 31)
    await changed(desk)
    answer = await desk.say("How long is it?")
    assert is_offered(answer, "is 31 days old and predates")
    assert (await desk.say("no, thanks")).intent != "research"


async def test_it_is_announced_below_the_answer_of_a_model_too(
    settings: Settings, model: SlowModel, database_url: str
) -> None:
    changes = {"model": "ollama:slow", "model_base_url": model.base}
    async with build.platform(settings) as rules:
        desk = await desk_of(rules, rules.owner)
        await research(desk)
    aged(database_url, 45)
    async with build.platform(settings.model_copy(update=changes)) as platform:
        model.say("It is short.")
        model.end()
        request = desk.on(platform)
        answer = await request.say("How long is it?")
        assert answer.content.startswith("It is short.")
        assert is_offered(answer, "is 45 days old")
        assert (await request.say("yes")).intent == "research"


@pytest.mark.parametrize(
    ("last_words", "starts"),
    [
        ("It is short. Shall I say more?", False),
        ("It was not researched yet. It is short.", False),
        ("Shall I say more? Or shall I start the research now??", True),
    ],
)
async def test_a_yes_to_a_model_is_one_to_what_it_asked_last(
    slow: Desk, model: SlowModel, last_words: str, starts: bool
) -> None:
    model.say(last_words, " ")
    model.end()
    assert (await slow.say("How long is it?")).meta.get("offer") == "research"
    model.say("More. ")
    model.end()
    assert ((await slow.say("yes")).intent == "research") is starts


async def test_below_an_answer_that_failed_a_yes_means_another_try_and_no_research(
    settings: Settings,
) -> None:
    changes = {"model": "ollama:away", "model_base_url": "http://127.0.0.1:9"}
    async with build.platform(settings.model_copy(update=changes)) as platform:
        desk = await desk_of(platform, platform.owner)
        answer = await desk.say("How long is it?")
        assert (answer.status, answer.meta["notice"]["retry"]) == ("complete", True)
        assert "offer" not in answer.meta
        assert (await desk.say("yes")).intent != "research"
