"""Runs: what is asked, what is kept, what a second submit does, and what completing writes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import text

from whence.app.platform import Platform
from whence.kernel.errors import Conflict, Forbidden, Invalid, NotFound
from whence.kernel.ids import new_id
from whence.records import store as records
from whence.tenancy.principal import Principal, Role, principal
from whence.wizards import store
from whence.wizards.catalog import Wizards
from whence.wizards.runs import NotOnPath, RunEnded, StaleSubmit
from whence.wizards.status import RunStatus

pytestmark = pytest.mark.anyio


async def rows(platform: Platform, query: str, **values: Any) -> list[Any]:
    async with platform.unit(platform.owner) as session:
        return list((await session.execute(text(query), values)).all())


async def test_a_run_goes_from_question_to_outcome(desk: Any) -> None:
    first = await desk.start()
    run = first.wizard_run_id
    second = await desk.respond(run, "about", 0, title="Tea", length="long")
    third = await desk.respond(run, "outline", 1, points=["water", "leaves"])
    review = await desk.respond(run, "words", 2, text="It is ready.")
    end = await desk.respond(run, "review", 3)

    request = [payload.step.id for payload in (first, second, third, review, end)]
    assert request == ["about", "outline", "words", "review", "written"]
    assert end.progress.status is RunStatus.COMPLETED
    assert end.step.title == "Your note is written"
    assert end.derived[0].result == "met"


async def test_what_is_known_is_not_asked_and_is_shown_with_its_source(desk: Any) -> None:
    review = await desk.reviewed()

    [author] = [line for line in review.summary if line.step_id == "author"]
    assert (author.shown, author.source, author.change) == ("Owner", "your profile", "author")


async def test_what_is_known_can_be_changed(desk: Any) -> None:
    run = (await desk.reviewed()).wizard_run_id

    shown = await desk.look(run, "author")
    assert shown.values == {"author": "Owner"}
    assert shown.provenance["author"].source == "your profile"
    changed = await desk.respond(run, "author", author="Ada")

    [author] = [line for line in changed.summary if line.step_id == "author"]
    assert (author.shown, author.source) == ("Ada", "you")


async def test_an_invalid_answer_comes_back_with_its_errors_and_is_not_kept(desk: Any) -> None:
    run = (await desk.start()).wizard_run_id

    again = await desk.respond(run, "about", title="", length="endless")

    assert (again.step.id, again.revision) == ("about", 0)
    assert {(error.field, error.code) for error in again.errors} == {
        ("title", "missing"),
        ("length", "literal_error"),
    }
    assert again.values["length"] == "endless"


async def test_a_check_blocks_and_a_warning_does_not(desk: Any) -> None:
    run = (await desk.start()).wizard_run_id
    await desk.respond(run, "about", title="TEA", length="short")

    blocked = await desk.respond(run, "words", text="TEA")
    warned = await desk.respond(run, "words", text="TEA NOW")

    assert [error.code for error in blocked.errors] == ["only_title"]
    assert warned.step.id == "review"
    assert [(item.step_id, item.code) for item in warned.ui.warnings] == [("words", "loud")]


async def test_the_same_submit_twice_has_one_effect(desk: Any, platform: Platform) -> None:
    run = (await desk.start()).wizard_run_id

    once = await desk.respond(run, "about", 0, title="Tea", length="short")
    twice = await desk.respond(run, "about", 0, title="Tea", length="short")

    assert once == twice
    assert await rows(platform, "SELECT count(*) FROM whence.wizard_answers") == [(1,)]


async def test_two_submits_at_once_have_one_effect(desk: Any, platform: Platform) -> None:
    run = (await desk.reviewed()).wizard_run_id

    payloads = await asyncio.gather(*[desk.respond(run, "review", 2) for _ in range(5)])

    assert {payload.progress.status for payload in payloads} == {RunStatus.COMPLETED}
    assert await rows(platform, "SELECT count(*) FROM sample_pack.notes") == [(1,)]


async def test_another_answer_on_an_older_revision_is_refused_with_what_is_there_now(
    desk: Any,
) -> None:
    run = (await desk.start()).wizard_run_id
    await desk.respond(run, "about", 0, title="Tea", length="short")

    with pytest.raises(StaleSubmit) as refused:
        await desk.respond(run, "about", 0, title="Coffee", length="short")

    assert refused.value.context["current"] == (await desk.look(run)).as_json()


async def test_a_step_that_the_answers_do_not_lead_to_cannot_be_answered(desk: Any) -> None:
    run = (await desk.start()).wizard_run_id
    await desk.respond(run, "about", title="Tea", length="short")

    for step in ("outline", "review", "nothing"):
        with pytest.raises(NotOnPath):
            await desk.respond(run, step, points=[])


async def test_back_shows_the_step_before_and_changes_nothing(desk: Any) -> None:
    review = await desk.reviewed()

    words = await desk.back(review.wizard_run_id)

    assert (words.step.id, words.values) == ("words", {"text": "It is ready."})
    assert (words.nav.back, words.revision) == ("author", review.revision)
    assert await desk.look(review.wizard_run_id) == review


async def test_completing_creates_a_record_and_says_so_in_the_audit_log(
    desk: Any, platform: Platform
) -> None:
    run = (await desk.reviewed()).wizard_run_id
    end = await desk.respond(run, "review")

    async with platform.unit(platform.owner) as session:
        note = await records.get(session, platform.kind("notes"), end.ui.record.id)
    assert (note.title, note.text) == ("Tea", "It is ready.")
    acts = await rows(platform, "SELECT action, kind FROM whence.audit_log ORDER BY at")
    assert acts[-3:] == [
        ("start_wizard", "wizards"),
        ("create", "notes"),
        ("complete_wizard", "wizards"),
    ]


async def test_a_run_about_a_record_writes_into_it(desk: Any, platform: Platform) -> None:
    kind = platform.kind("notes")
    async with platform.unit(platform.owner) as session:
        note = await records.create(session, platform.owner, kind, kind.record(title="Old"))

    first = await desk.start(subject_id=note.id)
    assert first.values == {"title": "Old"}
    end = await desk.respond((await desk.reviewed(subject_id=note.id)).wizard_run_id, "review")

    assert end.ui.record.id == note.id
    async with platform.unit(platform.owner) as session:
        after = await records.get(session, kind, note.id)
    assert (after.title, after.text, after.version) == ("Tea", "It is ready.", 2)


async def test_a_cancelled_run_is_read_but_not_answered(desk: Any) -> None:
    run = (await desk.reviewed()).wizard_run_id

    ended = await desk.cancel(run)

    assert ended.progress.status is RunStatus.CANCELLED
    assert ended.nav.cancel is False
    assert (await desk.cancel(run)) == ended
    with pytest.raises(RunEnded):
        await desk.respond(run, "review")


async def test_an_expired_run_says_so_and_can_be_cancelled(desk: Any) -> None:
    old = desk.wizards.newest("sample_pack.write")
    short = Wizards([replace(old, expires=timedelta(0))], desk.wizards.kinds)
    past = replace(desk, wizards=short)

    shown = await past.start()

    assert shown.progress.status is RunStatus.EXPIRED
    assert "start again" in shown.progress.reason
    with pytest.raises(RunEnded, match="start again"):
        await past.respond(shown.wizard_run_id, "about", title="Tea", length="short")
    assert (await past.cancel(shown.wizard_run_id)).progress.status is RunStatus.CANCELLED


async def test_a_run_keeps_to_the_version_that_it_began_with(desk: Any) -> None:
    old = desk.wizards.newest("sample_pack.write")
    new = replace(old, version="2", title="Write a better note")
    both = replace(desk, wizards=Wizards([new, old], desk.wizards.kinds))
    run = (await desk.reviewed()).wizard_run_id

    assert (await both.look(run)).ui.title == "Write a note"
    assert (await both.start()).definition.version == "2"


async def test_a_run_of_a_version_that_is_gone_is_told_read_and_cancelled(desk: Any) -> None:
    new = replace(desk.wizards.newest("sample_pack.write"), version="2")
    later = replace(desk, wizards=Wizards([new], desk.wizards.kinds))
    run = (await desk.reviewed()).wizard_run_id

    shown = await later.look(run)

    assert shown.progress.status is RunStatus.WITHDRAWN
    assert "version 1" in shown.step.why
    assert [(line.step_id, line.value) for line in shown.summary][-1] == ("words", "It is ready.")
    with pytest.raises(RunEnded, match="no longer available"):
        await later.respond(run, "review")
    assert (await later.cancel(run)).progress.status is RunStatus.CANCELLED


async def test_nobody_else_finds_a_run(
    desk: Any, platform: Platform, new_principal: Callable[..., Principal]
) -> None:
    run = (await desk.start()).wizard_run_id
    colleague = new_principal(Role.OWNER, platform.owner.org_id)
    for who in (colleague, new_principal(Role.OWNER)):
        other = replace(desk, who=who)
        for act in (other.look(run), other.back(run), other.cancel(run), other.respond(run, "a")):
            with pytest.raises(store.NoSuchRun):
                await act
        async with platform.unit(who) as session:
            assert await store.open_runs(session, who) == []


async def test_a_viewer_starts_nothing(
    desk: Any, platform: Platform, new_principal: Callable[..., Principal]
) -> None:
    viewer = new_principal(Role.VIEWER, platform.owner.org_id)

    with pytest.raises(Forbidden):
        await replace(desk, who=viewer).start()


async def test_who_may_not_write_any_more_looks_at_a_run_and_changes_nothing(desk: Any) -> None:
    before = await desk.reviewed()
    run = before.wizard_run_id
    viewer = replace(desk, who=principal(desk.who.org_id, desk.who.user_id, Role.VIEWER))

    assert await viewer.look(run) == before
    for act in (viewer.respond(run, "review"), viewer.cancel(run), viewer.start(run_id=run)):
        with pytest.raises(Forbidden):
            await act
    assert await desk.look(run) == before


async def test_starting_again_with_the_same_id_begins_nothing_new(desk: Any) -> None:
    run_id: UUID = new_id()
    first = await desk.start(run_id=run_id)
    await desk.respond(run_id, "about", title="Tea", length="short")

    again = await desk.start(run_id=run_id)

    assert (first.wizard_run_id, again.wizard_run_id, again.revision) == (run_id, run_id, 1)
    with pytest.raises(Conflict):
        await desk.start(run_id=run_id, chat_session_id=new_id())


async def test_what_there_is_not_cannot_be_started(desk: Any) -> None:
    bare = replace(desk.wizards.newest("sample_pack.write"), kind=None, fill=None, known=None)
    about_nothing = replace(desk, wizards=Wizards([bare], {}))

    with pytest.raises(NotFound, match=r"sample_pack\.write"):
        await desk.start("leave.nothing")
    with pytest.raises(NotFound):
        await desk.start(subject_id=new_id())
    with pytest.raises(Invalid):
        await about_nothing.start(subject_id=new_id())


async def test_a_slip_is_told_before_it_is_sent_and_loses_nothing(desk: Any) -> None:
    run = (await desk.start()).wizard_run_id
    await desk.respond(run, "about", title="Tea", length="long")
    await desk.respond(run, "outline", points=["water", "leaves"])
    review = await desk.respond(run, "words", text="It is ready.")

    slip = await desk.consequences(run, "about", title="Tea", length="short")
    assert [(line.label, line.shown) for line in slip.set_aside] == [("Points", "water, leaves")]
    assert await desk.look(run) == review  # asking changes nothing

    without = await desk.respond(run, "about", title="Tea", length="short")
    assert "outline" not in {line.step_id for line in without.summary}
    correction = await desk.consequences(run, "about", title="Tea", length="long")
    assert [line.shown for line in correction.restored] == ["water, leaves"]
    corrected = await desk.respond(run, "about", title="Tea", length="long")
    assert corrected.step.id == "review"
    assert corrected.summary == review.summary
