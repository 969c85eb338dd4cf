"""What happens between proposing and applying: other changes, other clicks, other people."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Annotated, Any

import psycopg
import pytest
from pydantic import StringConstraints

from chat.proposal_desk import Desk, at_once, rewrite
from chat.waiting import until_it_waits
from whence.app import build
from whence.app.platform import Platform
from whence.chat.proposals import refusals
from whence.chat.proposals import service as proposals
from whence.chat.proposals.views import Applied
from whence.kernel.errors import Invalid, NotReady
from whence.kernel.wire import Wire
from whence.records import store
from whence.tenancy.principal import Role

pytestmark = pytest.mark.anyio


@pytest.fixture
def desk(platform: Platform) -> Desk:
    return Desk(platform)


@pytest.fixture
async def elsewhere(platform: Platform) -> AsyncIterator[Desk]:
    """Another process on the same database."""
    async with build.platform(platform.settings) as other:
        yield Desk(other)


async def test_a_record_that_changed_is_not_changed_by_an_old_proposal(desk: Desk) -> None:
    note = await desk.note("One", "words")
    made = await desk.propose(note, text="mine")
    await desk.change(note, text="yours", title="Two")
    with pytest.raises(refusals.RecordChanged, match="text was 'words', is 'yours'") as refused:
        await desk.apply(made)
    assert refused.value.context["errors"] == [
        {"field": "title", "message": "was 'One', is 'Two'"},
        {"field": "text", "message": "was 'words', is 'yours'"},
    ]
    assert (await desk.values(note))["text"] == "yours"
    assert (await desk.proposal(made)).status == "proposed"


async def test_another_field_that_changed_is_told_as_well(desk: Desk) -> None:
    note = await desk.note("One", "words")
    made = await desk.propose(note, text="mine")
    await desk.change(note, title="Two")
    with pytest.raises(refusals.RecordChanged, match="title was 'One', is 'Two'"):
        await desk.apply(made)


async def test_a_record_changed_back_is_not_the_one_that_was_looked_at(desk: Desk) -> None:
    note = await desk.note("One", "words")
    made = await desk.propose(note, text="mine")
    await desk.change(note, text="else")
    await desk.change(note, text="words")
    with pytest.raises(refusals.RecordChanged, match="changed back"):
        await desk.apply(made)


async def test_a_field_that_research_set_without_a_new_version_is_noticed(desk: Desk) -> None:
    note = await desk.note("One", "words")
    made, other = await desk.propose(note, text="mine"), await desk.propose(note, title="Two")
    await desk.find(note, text="found")
    with pytest.raises(refusals.RecordChanged, match="text was 'words', is 'found'"):
        await desk.apply(made)
    assert (await desk.apply(other)).version == 2


async def test_what_was_changed_since_is_not_taken_back(desk: Desk) -> None:
    note = await desk.note("One", "words")
    made = await desk.propose(note, text="mine")
    await desk.apply(made)
    await desk.change(note, text="yours")
    with pytest.raises(refusals.RecordChanged, match="text was 'mine', is 'yours'"):
        await desk.undo(made)
    assert (await desk.values(note))["text"] == "yours"
    assert (await desk.proposal(made)).status == "applied"


async def test_taking_back_waits_for_no_change_of_another_field_either(desk: Desk) -> None:
    note = await desk.note("One", "words")
    made = await desk.propose(note, text="mine")
    await desk.apply(made)
    await desk.change(note, title="Two")
    with pytest.raises(refusals.RecordChanged):
        await desk.undo(made)


async def test_proposals_on_the_same_record_exclude_each_other(desk: Desk) -> None:
    note = await desk.note()
    one, other = await desk.propose(note, text="a"), await desk.propose(note, title="B")
    await desk.apply(one)
    with pytest.raises(refusals.RecordChanged):
        await desk.apply(other)


async def test_many_clicks_at_once_have_one_effect_and_one_answer(
    desk: Desk, elsewhere: Desk
) -> None:
    note = await desk.note()
    made = await desk.propose(note, text="new")
    desks = (desk, elsewhere)
    result = await at_once(*(desks[n % 2].apply(made, reason=f"Click {n}") for n in range(8)))
    assert result == [result[0]] * 8
    assert isinstance(result[0], Applied)
    assert (await desk.values(note))["version"] == 2
    assert len(await desk.audit(note, "apply_proposal")) == 1


async def test_many_undos_at_once_have_one_effect_and_one_answer(
    desk: Desk, elsewhere: Desk
) -> None:
    note = await desk.note()
    made = await desk.propose(note, text="new")
    await desk.apply(made)
    desks = (desk, elsewhere)
    result = await at_once(*(desks[n % 2].undo(made) for n in range(8)))
    assert result == [result[0]] * 8
    assert (await desk.values(note))["version"] == 3
    assert len(await desk.audit(note, "undo_proposal")) == 1


async def test_two_tabs_with_a_proposal_each_have_one_effect(desk: Desk, elsewhere: Desk) -> None:
    for turn in range(6):
        note = await desk.note()
        one, other = await desk.propose(note, text="a"), await desk.propose(note, text="b")
        result = await at_once(desk.apply(one), elsewhere.apply(other))
        assert sorted(type(each).__name__ for each in result) == ["Applied", "RecordChanged"], turn
        [line] = await desk.audit(note, "apply_proposal")
        values = await desk.values(note)
        assert (values["text"], values["version"]) == (line.detail["after"]["text"], 2)


async def test_two_people_at_once_have_one_effect(
    desk: Desk, elsewhere: Desk, new_principal: Any
) -> None:
    member = new_principal(Role.MEMBER, desk.owner.org_id)
    note = await desk.note()
    mine, yours = await desk.propose(note, text="a"), await desk.propose(note, member, text="b")
    result = await at_once(
        desk.apply(mine),
        elsewhere.apply(yours, member),
        desk.apply(mine, member),
        elsewhere.apply(yours),
    )
    assert sum(isinstance(each, Applied) for each in result) == 1
    refused = {type(each) for each in result if not isinstance(each, Applied)}
    assert refused <= {refusals.RecordChanged, refusals.NotYours, refusals.AlreadyApplied}
    assert len(await desk.audit(note, "apply_proposal")) == 1
    assert (await desk.values(note))["version"] == 2


async def test_applying_and_declining_at_once_is_one_of_the_two(
    desk: Desk, elsewhere: Desk
) -> None:
    for _ in range(6):
        note = await desk.note()
        made = await desk.propose(note, text="new")
        await at_once(desk.apply(made), elsewhere.decline(made))
        status = (await desk.proposal(made)).status
        versions = {"applied": 2, "declined": 1}
        assert (await desk.values(note))["version"] == versions[status]


async def test_applying_while_somebody_types_loses_no_change(desk: Desk, elsewhere: Desk) -> None:
    for _ in range(6):
        note = await desk.note("One", "words")
        made = await desk.propose(note, text="mine")
        applied, _ = await at_once(desk.apply(made), elsewhere.change(note, title="Two"))
        assert isinstance(applied, Applied | refusals.RecordChanged)
        values = await desk.values(note)
        assert values["title"] == "Two"
        assert values["text"] == ("mine" if isinstance(applied, Applied) else "words")
        assert values["version"] == 2 + isinstance(applied, Applied)


async def test_applying_waits_for_a_change_under_way_and_then_sees_it(
    desk: Desk, looker: psycopg.Connection[Any]
) -> None:
    note = await desk.note("One", "words")
    made = await desk.propose(note, text="mine")
    async with desk.platform.unit(desk.owner) as session:
        kind = desk.platform.kind("notes")
        await store.patch(session, desk.owner, kind, note, {"text": "yours"}, None)
        click = asyncio.create_task(desk.apply(made))
        await until_it_waits(looker, click)
        assert not click.done()
    with pytest.raises(refusals.RecordChanged):
        await click
    assert (await desk.values(note))["text"] == "yours"


async def test_after_a_restart_a_click_gets_the_answer_it_would_have_got(
    desk: Desk, settings: Any
) -> None:
    note = await desk.note()
    made, later = await desk.propose(note, text="new"), await desk.propose(note, text="newer")
    first = await desk.apply(made)
    async with build.platform(settings) as again:
        assert await Desk(again).apply(made) == first
        with pytest.raises(refusals.RecordChanged):
            await Desk(again).apply(later)
        assert (await Desk(again).undo(made)).version == 3
    assert (await desk.values(note))["version"] == 3


async def test_a_proposal_that_was_rewritten_is_not_applied(desk: Desk, database_url: str) -> None:
    note = await desk.note()
    made = await desk.propose(note, text="new")
    rewrite(database_url, made, after='{"text": "planted"}')
    with pytest.raises(refusals.NotAsProposed):
        await desk.apply(made)
    assert (await desk.values(note))["version"] == 1


async def test_the_application_can_rewrite_no_proposal_and_take_no_step_twice(
    desk: Desk, database_url: str
) -> None:
    made = await desk.propose(await desk.note(), text="new")
    await desk.apply(made)
    with psycopg.connect(database_url, autocommit=True) as app:
        app.execute("SET ROLE whence_app")
        app.execute("SELECT set_config('whence.org_id', %s, false)", (str(made.org_id),))
        for column in ("after", "user_id", "digest", "expires_at", "subject_version"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                app.execute(f"UPDATE whence.proposals SET {column} = {column}".encode())
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            app.execute("DELETE FROM whence.proposals")
        for status in ("applied", "proposed", "declined"):
            with pytest.raises(psycopg.errors.CheckViolation):
                app.execute("UPDATE whence.proposals SET status = %s", (status,))


async def test_rules_that_changed_meanwhile_are_todays(desk: Desk) -> None:
    """The pack's next release takes shorter texts, and trims them."""
    note = await desk.note("One", "words")
    short = await desk.propose(note, text="  fine  ")
    long = await desk.propose(note, text="far too long")
    release = replace(desk.platform.kind("notes"), record=_ShorterNote)
    newer = Desk(replace(desk.platform, kinds={**desk.platform.kinds, "notes": release}))
    with pytest.raises(refusals.RulesChanged):
        await newer.apply(short)
    with pytest.raises(Invalid, match="text: Enter at most 8"):
        await newer.apply(long)
    assert (await desk.values(note))["version"] == 1


class _ShorterNote(Wire):
    title: str
    text: Annotated[str, StringConstraints(strip_whitespace=True, max_length=8)]


async def test_nothing_is_left_when_the_caller_fails_after_applying(desk: Desk) -> None:
    note = await desk.note("One", "words")
    made = await desk.propose(note, text="new")

    async def caller() -> None:
        async with desk.platform.unit(desk.owner) as session:
            await proposals.apply(session, desk.owner, desk.platform.kinds, made.id)
            raise NotReady

    with pytest.raises(NotReady):
        await caller()
    assert await desk.values(note) == {"title": "One", "text": "words", "version": 1}
    assert (await desk.proposal(made)).status == "proposed"
    assert await desk.audit(note, "apply_proposal") == []
