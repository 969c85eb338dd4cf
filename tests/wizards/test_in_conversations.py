"""A wizard inside a conversation, as clients see it over a real socket and over REST."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from whence.app.platform import Platform
from whence.kernel.ids import new_id
from whence.records import store
from whence.tenancy import tokens
from wizards.talking import ABOUT, REVIEW, RUNS, WAYS, WORDS, Talker

pytestmark = pytest.mark.anyio
WRITE = {"wizardId": "sample_pack.write"}


@pytest.fixture(params=sorted(WAYS))
async def talker(
    request: pytest.FixtureRequest, platform: Platform, serve: str
) -> AsyncIterator[Talker]:
    kind, who = platform.kind("notes"), platform.owner
    await platform.turns.load()  # as a server does: the first message would hold up all others
    async with platform.unit(who) as session:
        record = kind.record(title="Old", text="four words stand here")
        note = await store.create(session, who, kind, record)
    token = await tokens.issue(platform.db, who, "talker")
    async with WAYS[request.param](serve, token, f"notes/{note.id}") as made:
        yield made


def drawn(message: dict[str, Any]) -> dict[str, Any]:
    return message["meta"]["wizard"]


async def test_each_step_comes_back_as_it_is_for_a_client_to_draw(talker: Talker) -> None:
    first = await talker.wizard("init", **WRITE)
    run = drawn(first)["wizardRunId"]
    assert (first["intent"], first["content"]) == ("wizard", drawn(first)["textFallback"])
    assert drawn(first) == await talker.standalone(run)

    request = ["about"]
    for answer in (ABOUT, WORDS):
        after = await talker.wizard("respond", **answer)
        assert drawn(after) == await talker.standalone(run)
        request.append(drawn(after)["step"]["id"])
    assert request == ["about", "words", "review"]

    assert drawn(await talker.wizard("resume")) == await talker.standalone(run)
    back = drawn(await talker.wizard("back"))
    assert back == await talker.standalone(run, "words")
    changed = drawn(await talker.wizard("change", inputStepId="about"))
    assert changed == await talker.standalone(run, "about")


async def test_a_wrong_answer_comes_back_as_over_rest_with_its_errors(talker: Talker) -> None:
    run = drawn(await talker.wizard("init", **WRITE))["wizardRunId"]
    wrong = {"title": "", "length": "endless"}

    shown = drawn(await talker.wizard("respond", inputStepId="about", inputResponses=wrong))

    body = {"stepId": "about", "responses": wrong}
    assert shown == (await talker.rest.post(f"{RUNS}/{run}", json=body)).json()
    assert [error["field"] for error in shown["errors"]] == ["title", "length"]


async def test_a_plain_message_is_answered_and_leaves_the_wizard_as_it_is(talker: Talker) -> None:
    await talker.wizard("init", **WRITE)
    before = drawn(await talker.wizard("respond", **ABOUT))

    text = await talker.say("How long is it?")
    looks_like_an_answer = await talker.say("It is ready.")

    assert (text["intent"], text["status"]) == ("question", "complete")
    assert "wizard" not in text["meta"] | looks_like_an_answer["meta"]
    assert drawn(await talker.wizard("resume")) == before
    assert drawn(await talker.wizard("respond", revision=before["revision"], **WORDS))["step"][
        "id"
    ] == "review"  # fmt: skip


async def test_the_chat_goes_on_where_it_was_before_the_wizard(talker: Talker) -> None:
    unclear = await talker.say("hm")
    await talker.wizard("init", **WRITE)
    for answer in (ABOUT, WORDS, ABOUT, WORDS, ABOUT, WORDS):
        await talker.wizard("respond", **answer)

    again = await talker.say("hm")

    assert unclear["intent"] == "unknown"
    assert again["intent"] == "question"  # asked back once already


async def test_a_completed_wizard_is_told_by_its_payload_also_when_sent_again(
    talker: Talker,
) -> None:
    run = drawn(await talker.wizard("init", **WRITE))["wizardRunId"]
    for answer in (ABOUT, WORDS):
        await talker.wizard("respond", **answer)

    end = drawn(await talker.wizard("respond", revision=2, **REVIEW))
    again = drawn(await talker.wizard("respond", revision=2, **REVIEW))
    resumed = drawn(await talker.wizard("resume"))

    assert (end["progress"]["status"], end["step"]["kind"]) == ("completed", "outcome")
    assert end["ui"]["record"] == {"kind": "notes", "id": talker.record.removeprefix("notes/")}
    assert end == again == resumed == await talker.standalone(run)
    refused = await talker.wizard("respond", **ABOUT)
    assert refused["meta"] == {"refused": "RunEnded", "wizard": end}


async def test_two_wizards_at_once_are_told_apart_and_a_doubtful_input_names_both(
    talker: Talker,
) -> None:
    one = drawn(await talker.wizard("init", **WRITE))
    two = drawn(await talker.wizard("init", **WRITE))

    refused = await talker.wizard("respond", **ABOUT)

    assert refused["meta"]["refused"] == "SeveralWizards"
    assert refused["meta"].keys() == {"refused", "wizards"}  # no figure of it lacks a source
    named = refused["meta"]["wizards"]
    assert [(each["wizardRunId"], each["title"], each["revision"]) for each in named] == [
        (two["wizardRunId"], "Write a note", 0),
        (one["wizardRunId"], "Write a note", 0),
    ]
    assert all(each["wizardRunId"] in refused["content"] for each in named)
    meant = {"wizardRunId": one["wizardRunId"]}
    assert drawn(await talker.wizard("respond", **meant, **ABOUT))["step"]["id"] == "words"
    assert await talker.standalone(two["wizardRunId"]) == two
    await talker.wizard("cancel", wizardRunId=two["wizardRunId"])
    assert drawn(await talker.wizard("resume"))["wizardRunId"] == one["wizardRunId"]


async def test_an_older_revision_is_refused_with_the_step_as_it_is_now(talker: Talker) -> None:
    await talker.wizard("init", **WRITE)
    now = drawn(await talker.wizard("respond", revision=0, **ABOUT))
    other = {"inputStepId": "about", "inputResponses": {"title": "Coffee", "length": "long"}}

    refused = await talker.wizard("respond", revision=0, **other)

    assert refused["meta"] == {"refused": "StaleSubmit", "wizard": now}
    assert refused["content"].startswith("The wizard has moved on")
    assert drawn(await talker.wizard("respond", revision=0, **ABOUT)) == now


async def test_the_same_message_again_and_answered_anew_begin_no_second_run(
    talker: Talker,
) -> None:
    body = {"clientMessageId": str(new_id()), "wizardInput": {"action": "init", **WRITE}}
    once = await talker.send(**body)
    first = await talker.answer(once["answerId"])
    assert (await talker.send(**body))["answerId"] == once["answerId"]

    path = f"/api/{talker.record}/chat/sessions/{talker.session_id}/regenerate"
    anew = (await talker.rest.post(path)).json()

    assert drawn(await talker.answer(anew["answerId"])) == drawn(first)
    assert len((await talker.rest.get(RUNS)).json()) == 1


@pytest.mark.parametrize(
    ("wizard_input", "field"),
    [
        ({"action": "guess"}, "action"),
        ({}, "action"),
        ({"action": "respond", "inputResponses": [1]}, "inputResponses"),
        ({"action": "respond", "revision": -1}, "revision"),
        ({"action": "resume", "wizardRunId": "x"}, "wizardRunId"),
        ({"action": "resume", "colour": "red"}, "colour"),
    ],
)
async def test_input_that_is_not_right_is_told_field_by_field(
    talker: Talker, wizard_input: dict[str, Any], field: str
) -> None:
    sent = await talker.send(clientMessageId=str(new_id()), wizardInput=wizard_input)
    refused = await talker.answer(sent["answerId"])

    assert refused["status"] == "complete"
    assert refused["meta"]["refused"] == "Invalid"
    assert [error["field"] for error in refused["meta"]["errors"]] == [field]


async def test_more_than_an_answer_is_refused_before_it_is_kept(talker: Talker) -> None:
    await talker.wizard("init", **WRITE)
    huge = {"title": "T" * 70_000, "length": "short"}
    wizard_input = {"action": "respond", "inputStepId": "about", "inputResponses": huge}

    refused = await talker.send(clientMessageId=str(new_id()), wizardInput=wizard_input)

    assert "messageId" not in refused
    assert "the limit is" in str(refused)
    page = await talker.rest.get(f"/api/chat/sessions/{talker.session_id}/messages")
    assert len(page.json()["items"]) == 2


async def test_a_record_of_a_kind_with_one_wizard_begins_it_without_its_name(
    talker: Talker,
) -> None:
    begun = drawn(await talker.wizard("init"))

    assert begun["definition"]["id"] == "sample_pack.write"
    assert begun["values"] == {"title": "Old"}


async def test_answers_may_come_as_a_list_of_questions_with_their_values(talker: Talker) -> None:
    await talker.wizard("init", **WRITE)
    pairs = [{"questionId": "title", "value": "Tea"}, {"questionId": "length", "value": "short"}]

    answered = drawn(
        await talker.wizard("respond", inputStepId="about", inputResponses=pairs, revision=0)
    )
    repeated = drawn(await talker.wizard("respond", revision=0, **ABOUT))

    assert answered["step"]["id"] == "words"
    assert repeated == answered


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([{"questionId": "title", "value": 1}, {"questionId": "title"}], "'title' is answered tw"),
        ([{"question": "title", "value": "Tea"}], "entry 0 must be {questionId, value}"),
        (["Tea"], "entry 0 must be {questionId, value}"),
    ],
)
async def test_a_list_that_is_no_list_of_answers_is_refused(
    talker: Talker, pairs: list[Any], message: str
) -> None:
    begun = drawn(await talker.wizard("init", **WRITE))

    refused = await talker.wizard("respond", inputStepId="about", inputResponses=pairs)

    assert refused["meta"]["refused"] == "Invalid"
    assert message in refused["content"]
    assert drawn(await talker.wizard("resume")) == begun


async def test_messages_need_no_id_of_the_client(talker: Talker) -> None:
    one = await talker.send(content="How long is it?")
    answer = await talker.answer(one["answerId"])
    two = await talker.send(content="How long is it?", clientMessageId=None)

    assert (one["isNew"], two["isNew"]) == (True, True)
    assert one["messageId"] != two["messageId"]
    assert answer["status"] == "complete"
