"""A change is proposed, shown, applied once by its person, and taken back; or nothing happens."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import psycopg
import pytest

from chat.proposal_desk import Desk, rewrite
from whence.app.platform import Platform
from whence.chat.proposals import refusals
from whence.chat.proposals import service as proposals
from whence.kernel.clock import now
from whence.kernel.errors import Forbidden, Invalid, NotFound
from whence.kernel.ids import new_id
from whence.tenancy.principal import Role, Scope, agent_of

pytestmark = pytest.mark.anyio


@pytest.fixture
def desk(platform: Platform) -> Desk:
    return Desk(platform)


async def test_a_proposal_shows_before_and_after_and_changes_nothing(desk: Desk) -> None:
    note = await desk.note("One", "words")
    made = await desk.propose(note, text="better words", reason="  You said so. ")
    assert (made.before, made.after) == ({"text": "words"}, {"text": "better words"})
    assert (made.status, made.reason, made.subject_version) == ("proposed", "You said so.", 1)
    assert made.expires_at - made.created_at == proposals.LIFETIME
    assert await desk.values(note) == {"title": "One", "text": "words", "version": 1}


async def test_applying_writes_the_record_its_history_and_the_proposal(desk: Desk) -> None:
    note = await desk.note("One", "words")
    made = await desk.propose(note, title="Two", text="more words")
    decided = await desk.apply(made, reason="Yes, that is right.")
    assert (decided.version, decided.status, decided.reason) == (
        2,
        "applied",
        "Yes, that is right.",
    )
    assert await desk.values(note) == {"title": "Two", "text": "more words", "version": 2}
    [line] = await desk.audit(note, "apply_proposal")
    assert line.user_id == desk.owner.user_id
    assert line.detail == {
        "before": {"title": "One", "text": "words"},
        "after": {"title": "Two", "text": "more words"},
        "reason": "Yes, that is right.",
        "proposal": str(made.id),
        "version": 2,
    }


async def test_a_second_click_gets_the_answer_of_the_first(desk: Desk) -> None:
    note = await desk.note()
    made = await desk.propose(note, text="new")
    first = await desk.apply(made, reason="Yes")
    await desk.change(note, text="newer")
    assert await desk.apply(made, reason="Yes, again") == first
    assert (await desk.values(note))["text"] == "newer"
    assert len(await desk.audit(note, "apply_proposal")) == 1


async def test_undoing_gives_the_values_back_once(desk: Desk) -> None:
    note = await desk.note("One", "words")
    made = await desk.propose(note, title="Two", text="new")
    await desk.apply(made)
    decided = await desk.undo(made, reason="A mistake")
    assert (decided.version, decided.status) == (3, "undone")
    assert [(c.field, c.before, c.after) for c in decided.changes] == [
        ("text", "new", "words"),
        ("title", "Two", "One"),
    ]
    assert await desk.values(note) == {"title": "One", "text": "words", "version": 3}
    await desk.change(note, text="later")
    assert await desk.undo(made, reason="Once more") == decided
    assert (await desk.values(note))["text"] == "later"
    [line] = await desk.audit(note, "undo_proposal")
    assert line.detail["reason"] == "A mistake"
    assert line.detail["proposal"] == str(made.id)


async def test_what_was_taken_back_is_not_applied_again(desk: Desk) -> None:
    made = await desk.propose(await desk.note(), text="new")
    await desk.apply(made)
    await desk.undo(made)
    with pytest.raises(refusals.AlreadyUndone):
        await desk.apply(made)
    with pytest.raises(refusals.AlreadyUndone):
        await desk.decline(made)


async def test_what_was_never_applied_cannot_be_taken_back(desk: Desk) -> None:
    made = await desk.propose(await desk.note(), text="new")
    with pytest.raises(refusals.NotApplied):
        await desk.undo(made)


async def test_a_declined_proposal_is_over(desk: Desk) -> None:
    note = await desk.note()
    made = await desk.propose(note, text="new")
    await desk.decline(made)
    assert (await desk.decline(made)).status == "declined"
    with pytest.raises(refusals.AlreadyDeclined):
        await desk.apply(made)
    assert (await desk.values(note))["version"] == 1
    assert len(await desk.audit(note, "decline_proposal")) == 1


async def test_an_applied_proposal_cannot_be_declined(desk: Desk) -> None:
    made = await desk.propose(await desk.note(), text="new")
    await desk.apply(made)
    with pytest.raises(refusals.AlreadyApplied, match="undo"):
        await desk.decline(made)


async def test_a_proposal_expires(desk: Desk, database_url: str) -> None:
    note = await desk.note()
    made = await desk.propose(note, text="new")
    moved = now() - timedelta(seconds=1)
    rewrite(database_url, made, expires_at=moved)
    with pytest.raises(refusals.ProposalExpired):
        await desk.apply(made)
    assert (await desk.values(note))["version"] == 1


async def test_what_was_applied_in_time_stays_answered_after_its_time(
    desk: Desk, database_url: str
) -> None:
    made = await desk.propose(await desk.note(), text="new")
    first = await desk.apply(made)
    rewrite(database_url, made, expires_at=now() - timedelta(days=1))
    assert await desk.apply(made) == first


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"title": ""}, "title: Enter at least 1 character"),
        ({"title": None}, "title: Enter text"),
        ({"text": 4}, "text: Enter text"),
        ({"colour": "red"}, "A note has no field 'colour'; it has title, text."),
        ({"id": str(new_id())}, "no field 'id'"),
        ({"version": 7}, "no field 'version'"),
        ({"text": "words"}, "nothing to change"),
        ({}, "nothing to change"),
        ({"text": "a\x00b"}, "a number is too large, or a text has a character"),
    ],
)
async def test_a_change_that_the_record_refuses_is_told_in_words_and_not_stored(
    desk: Desk, changes: dict[str, Any], words: str, database_url: str
) -> None:
    note = await desk.note("One", "words")
    with pytest.raises(Invalid, match=words):
        await desk.propose(note, changes=changes)
    with psycopg.connect(database_url) as admin:
        assert admin.execute("SELECT count(*) FROM whence.proposals").fetchone() == (0,)
    assert await desk.audit(note, "propose_change") == []


@pytest.mark.parametrize("reason", ["", "  \n", "x" * 2_001])
async def test_a_change_needs_a_reason_of_some_length(desk: Desk, reason: str) -> None:
    with pytest.raises(Invalid, match="reason"):
        await desk.propose(await desk.note(), text="new", reason=reason)


async def test_evidence_and_claims_must_be_the_records_own(desk: Desk) -> None:
    note = await desk.note()
    with pytest.raises(Invalid, match="neither evidence nor a claim"):
        await desk.propose(note, text="new", evidence=[new_id()])
    with pytest.raises(Invalid, match=r"'price\.median' is neither"):
        await desk.propose(note, text="new", claims=["price.median"])


async def test_a_change_of_a_record_that_there_is_not_is_not_found(desk: Desk) -> None:
    with pytest.raises(NotFound):
        await desk.propose(new_id(), text="new")
    with pytest.raises(NotFound, match="no such proposal"):
        await desk.apply(new_id())


async def test_a_record_that_was_taken_away_is_not_changed(desk: Desk) -> None:
    note = await desk.note()
    made = await desk.propose(note, text="new")
    async with desk.platform.unit(desk.owner) as session:
        await desk.platform.deletion.delete(session, desk.owner, desk.platform.kind("notes"), note)
    with pytest.raises(NotFound):
        await desk.apply(made)
    assert (await desk.proposal(made)).status == "proposed"


async def test_a_viewer_neither_proposes_nor_applies(desk: Desk, new_principal: Any) -> None:
    viewer = new_principal(Role.VIEWER, desk.owner.org_id)
    note = await desk.note()
    with pytest.raises(Forbidden):
        await desk.propose(note, viewer, text="new")
    made = await desk.propose(note, text="new")
    for act in (desk.apply, desk.undo, desk.decline):
        with pytest.raises(Forbidden, match="You can read here"):
            await act(made, viewer)


async def test_a_token_without_the_scope_proposes_and_does_not_apply(desk: Desk) -> None:
    token = replace(desk.owner, scopes=frozenset({Scope.READ, Scope.PROPOSE}))
    made = await desk.propose(await desk.note(), token, text="new")
    with pytest.raises(Forbidden, match="This token lacks the scope 'write'"):
        await desk.apply(made, token)


async def test_an_agent_proposes_and_never_applies(desk: Desk) -> None:
    agent = agent_of(desk.owner)
    note = await desk.note()
    made = await desk.propose(note, agent, text="new")
    for act in (desk.apply, desk.undo, desk.decline):
        with pytest.raises(refusals.AgentsMayNotApply):
            await act(made, agent)
    assert (await desk.values(note))["version"] == 1
    assert (await desk.apply(made)).version == 2


async def test_another_person_is_refused(desk: Desk, new_principal: Any) -> None:
    member = new_principal(Role.MEMBER, desk.owner.org_id)
    note = await desk.note()
    made = await desk.propose(note, text="new")
    for act in (desk.apply, desk.undo, desk.decline):
        with pytest.raises(refusals.NotYours):
            await act(made, member)
    await desk.apply(made)
    with pytest.raises(refusals.AlreadyApplied, match="Somebody else"):
        await desk.apply(made, member)
    with pytest.raises(refusals.NotYours):
        await desk.undo(made, member)


async def test_another_organization_finds_no_proposal(desk: Desk, new_principal: Any) -> None:
    stranger = new_principal(Role.OWNER)
    made = await desk.propose(await desk.note(), text="new")
    for act in (desk.apply, desk.undo, desk.decline):
        with pytest.raises(NotFound):
            await act(made, stranger)
