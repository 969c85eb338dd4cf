"""Runs over REST: what is refused and with which body, what is once, and whose a run is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import pytest
from sqlalchemy import text

from whence.app.platform import Platform
from whence.kernel.ids import new_id
from whence.tenancy.principal import Principal, Role, Scope
from wizards.serving import Form, client_of, serving

pytestmark = pytest.mark.anyio
SHORT = {"title": "Tea", "length": "short"}
LONG = {"title": "Tea", "length": "long"}
WORDS = {"text": "It is ready."}


@pytest.fixture
async def owner(platform: Platform, serve: str) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(platform, serve) as client:
        yield client


@pytest.fixture
async def form(owner: httpx.AsyncClient) -> Form:
    made = Form(owner)
    await made.begin()
    return made


async def count(platform: Platform, table: str) -> int:
    async with platform.unit(platform.owner) as session:
        return (await session.execute(text(f"SELECT count(*) FROM {table}"))).scalar_one()


async def test_a_late_revision_is_refused_with_the_step_as_it_is_now(form: Form) -> None:
    now = await form.answer("about", SHORT, 0)

    refused = await form.refused("stale-submit", "about", LONG, 0)

    assert refused["current"] == now == await form.read()
    assert refused["status"] == 409
    early = await form.refused("stale-submit", "words", WORDS, 2)
    assert early["current"] == now


async def test_a_step_that_is_not_on_the_path_is_refused_with_the_one_that_is(form: Form) -> None:
    now = await form.answer("about", SHORT)

    for step in ("outline", "review", "written", "nothing", "ABOUT"):
        refused = await form.refused("not-on-path", step, {"points": ["a"]})
        assert (refused["status"], refused["current"]) == (409, now)
        refused = await form.client.get(form.path, params={"step": step})
        assert (refused.status_code, refused.json()["current"]) == (409, now)
        for action in ("change", "back"):
            assert (await form.post(action=action, stepId=step)).json()["current"] == now


async def test_a_run_that_has_ended_says_how_and_is_read_as_before(form: Form) -> None:
    for step, reply in (("about", SHORT), ("words", WORDS)):
        await form.answer(step, reply)
    end = await form.answer("review")
    cancelled = Form(form.client)
    await cancelled.begin()
    stopped = (await cancelled.post(action="cancel")).json()

    assert (await form.refused("wizard-ended", "about", LONG))["current"] == end
    assert (await form.post(action="cancel")).json() == end == await form.read()
    assert (await cancelled.refused("wizard-ended", "about", SHORT))["current"] == stopped
    assert (stopped["progress"]["status"], stopped["submitLabel"]) == ("cancelled", None)
    assert stopped["nav"] == {"back": None, "change": [], "cancel": False}
    assert (await cancelled.post(action="back")).status_code == 409


async def test_an_expired_run_says_until_when_it_could_be_answered(platform: Platform) -> None:
    old = platform.wizards.newest("sample_pack.write")
    async with (
        serving(platform, [replace(old, expires=timedelta(0))]) as url,
        client_of(platform, url) as client,
    ):
        form = Form(client)
        shown = await form.begin()

        refused = await form.refused("wizard-ended", "about", SHORT)

        assert refused["current"] == shown
        assert (shown["progress"]["status"], shown["nav"]["cancel"]) == ("expired", True)
        assert refused["detail"] == shown["progress"]["reason"]
        assert (await client.get(form.runs)).json() == []
        assert (await form.post(action="cancel")).json()["progress"]["status"] == "cancelled"


async def test_a_run_keeps_to_its_version_and_is_told_when_that_is_gone(
    platform: Platform, form: Form
) -> None:
    old = platform.wizards.newest("sample_pack.write")
    new = replace(old, version="2", title="Write a better note")
    await form.answer("about", SHORT)
    before = await form.read()

    async with serving(platform, [new, old]) as url, client_of(platform, url) as client:
        form.client = client
        assert await form.read() == before
        assert (await Form(client).begin())["definition"]["version"] == "2"
        after = await form.answer("words", WORDS)
        assert after["definition"] == {"id": "sample_pack.write", "version": "1"}
    async with serving(platform, [new]) as url, client_of(platform, url) as client:
        form.client = client
        gone = await form.read()
        refused = await form.refused("wizard-ended", "review")
        assert refused["current"] == gone
        assert gone["progress"]["status"] == "withdrawn"
        assert [line["value"] for line in gone["summary"]] == ["Tea", "short", "It is ready."]
        assert (await form.post(action="back")).json()["current"] == gone
        assert (await form.post(action="cancel")).json()["progress"]["status"] == "cancelled"


async def test_a_completed_run_of_a_version_that_is_gone_still_says_so(
    platform: Platform, form: Form
) -> None:
    old = platform.wizards.newest("sample_pack.write")
    for step, reply in (("about", SHORT), ("words", WORDS)):
        await form.answer(step, reply)
    end = await form.answer("review")

    new = replace(old, version="2")
    async with serving(platform, [new]) as url, client_of(platform, url) as client:
        form.client = client
        shown = await form.read()

    assert (shown["progress"]["status"], shown["ui"]["record"]) == (
        "completed",
        end["ui"]["record"],
    )
    assert shown["step"]["title"] == "This form is complete"
    assert "Version 1" in shown["step"]["why"]


async def test_nobody_else_finds_a_run_and_it_looks_like_one_that_there_is_not(
    platform: Platform, serve: str, form: Form, new_principal: Callable[..., Principal]
) -> None:
    before = await form.read()
    for who in (new_principal(Role.OWNER, platform.owner.org_id), new_principal(Role.OWNER)):
        async with client_of(platform, serve, who) as client:
            for path in (form.path, f"{form.runs}/{new_id()}"):
                answers = [await client.get(path)]
                for action in ("respond", "back", "change", "cancel"):
                    body = {"action": action, "stepId": "about", "responses": SHORT}
                    answers.append(await client.post(path, json=body))
                problems = [answer.json() for answer in answers]
                assert {problem["type"] for problem in problems} == {"/problems/not-found"}
                assert {problem["detail"] for problem in problems} == {
                    "There is no such run of a wizard, or it is not yours."
                }
            assert (await client.get(form.runs)).json() == []
            taken = await client.post(form.runs, json={"runId": before["wizardRunId"]})
            is_colleague = who.org_id == platform.owner.org_id
            assert taken.status_code == (404 if is_colleague else 201)
    assert await form.read() == before


async def test_a_run_is_found_under_its_own_wizard_only(
    platform: Platform, owner: httpx.AsyncClient, form: Form
) -> None:
    path = form.path.replace("sample_pack.write", "leave.request")
    for answer in (
        await owner.get(path),
        await owner.post(path, json={"stepId": "about", "responses": SHORT}),
        await owner.post(path, json={"action": "cancel"}),
    ):
        assert answer.status_code == 404
    unknown = await owner.post("/api/wizards/nothing/runs")
    assert unknown.json()["detail"].startswith("There is no wizard 'nothing'. Available wizards: ")
    assert (await owner.get("/api/wizards/nothing/runs")).status_code == 404


async def test_who_may_only_read_answers_nothing(
    platform: Platform, serve: str, form: Form
) -> None:
    async with client_of(platform, serve, scopes={Scope.READ}) as reader:
        form.client = reader
        shown = await form.read()
        assert (await form.post(stepId="about", responses=SHORT)).status_code == 403
        assert (await form.post(action="cancel")).status_code == 403
        assert (await reader.post(form.runs)).status_code == 403
        assert await form.read() == shown


async def test_the_same_submit_again_gives_the_same_answer(platform: Platform, form: Form) -> None:
    run = str(new_id())
    begun = [await form.begin(runId=run) for _ in range(2)]
    assert begun[0] == begun[1]

    for revision, (step, reply) in enumerate((("about", SHORT), ("words", WORDS), ("review", {}))):
        once = await form.answer(step, reply, revision)
        assert await form.answer(step, reply, revision) == once
        assert await form.answer(step, reply) == once  # the last one is known without a revision
    assert await count(platform, "sample_pack.notes") == 1
    assert await count(platform, "whence.wizard_answers") == 3


async def test_the_same_submit_at_the_same_instant_has_one_effect(
    platform: Platform, form: Form
) -> None:
    for step, reply in (("about", SHORT), ("words", WORDS)):
        await form.answer(step, reply)

    answers = await asyncio.gather(*[form.answer("review", {}, 2) for _ in range(6)])

    assert all(one == answers[0] for one in answers)
    assert await count(platform, "sample_pack.notes") == 1


async def test_of_different_submits_at_the_same_instant_one_is_taken(
    platform: Platform, form: Form
) -> None:
    titles = [f"Title {number}" for number in range(6)]
    bodies = [{"title": title, "length": "short"} for title in titles]

    sent = await asyncio.gather(
        *[form.post(stepId="about", responses=body, revision=0) for body in bodies]
    )

    assert sorted(answer.status_code for answer in sent) == [200, *[409] * 5]
    assert await count(platform, "whence.wizard_answers") == 1
    [taken] = [at for at, answer in enumerate(sent) if answer.status_code == 200]
    about = await form.read(step="about")
    assert about["values"] == bodies[taken]
    assert {answer.json()["current"]["revision"] for answer in sent if answer.is_error} == {1}


async def test_a_record_deleted_meanwhile_takes_the_run_along(
    owner: httpx.AsyncClient, platform: Platform
) -> None:
    note: Any = (await owner.post("/api/notes", json={"title": "A", "text": "b"})).json()
    form = Form(owner)
    await form.begin(subjectId=note["id"])

    await owner.delete(f"/api/notes/{note['id']}")

    assert (await owner.get(form.path)).status_code == 404
    begun = await owner.post(form.runs, json={"subjectId": note["id"]})
    assert begun.status_code == 404
    assert await count(platform, "whence.wizard_runs") == 0


async def test_a_step_may_be_answered_with_a_list_of_questions_and_values(form: Form) -> None:
    pairs = [{"questionId": "title", "value": "Tea"}, {"questionId": "length", "value": "short"}]

    by_list = await form.answer("about", pairs, 0)

    assert by_list["step"]["id"] == "words"
    assert by_list == await form.answer("about", SHORT, 0)
