"""`undo that` in a conversation: proposed the other way round, written only when applied."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chat.proposal_desk import Desk as Proposals
from chat.turns.conftest import Desk
from whence.chat.proposals.applying import apply_action
from whence.chat.transcript import sessions
from whence.records.audit import BY_AGENT
from whence.tenancy.principal import Principal, Role, principal

pytestmark = pytest.mark.anyio


async def applied(desk: Desk, content: str) -> None:
    """Ask for a change and apply it, as the person of this conversation."""
    answer = await desk.say(content)
    await apply_action(desk.platform.db, desk.who, desk.platform.kinds, answer.id, 0)


async def title(desk: Desk) -> str:
    values = await Proposals(desk.platform).values(desk.note)
    return values["title"]


async def test_the_last_change_is_taken_back_when_its_undoing_is_applied(desk: Desk) -> None:
    await applied(desk, "set the title to Another")
    answer = await desk.say("undo that")
    assert answer.intent == "action"
    assert "undo your last change of the title" in answer.content
    [change] = answer.actions[0]["changes"]
    assert (change["before"], change["after"]) == ("Another", "A note")
    assert await title(desk) == "Another"
    [*_, request] = await Proposals(desk.platform).audit(desk.note, "propose_change")
    assert request.detail[BY_AGENT] is True
    await apply_action(desk.platform.db, desk.who, desk.platform.kinds, answer.id, 0)
    assert await title(desk) == "A note"
    lines = await Proposals(desk.platform).audit(desk.note, "apply_proposal")
    assert lines[-1].detail["reason"].startswith("undo that (undoes the change applied on ")


async def test_of_several_changes_the_last_is_taken_back_or_the_one_that_is_named(
    desk: Desk,
) -> None:
    await applied(desk, "set the title to Another")
    table = Proposals(desk.platform)
    await table.apply(await table.propose(desk.note, text="other words"))
    last, named = await desk.say("revert that"), await desk.say("put the title back")
    assert [change["field"] for change in last.actions[0]["changes"]] == ["text"]
    assert [change["after"] for change in named.actions[0]["changes"]] == ["A note"]


async def test_with_nothing_applied_there_is_nothing_to_undo(desk: Desk) -> None:
    answer = await desk.say("undo that")
    assert "there is nothing to undo" in answer.content
    assert answer.actions == []


async def test_what_was_only_proposed_need_not_be_undone(desk: Desk) -> None:
    await applied(desk, "set the title to Another")
    await desk.say("set the title to A third")
    answer = await desk.say("undo that")
    assert "proposed but not applied" in answer.content
    assert answer.actions == []


async def test_a_proposal_that_can_no_longer_be_applied_hides_no_change(desk: Desk) -> None:
    await applied(desk, "set the title to Another")
    await desk.say("set the title to A third")
    await Proposals(desk.platform).change(desk.note, text="By hand")
    answer = await desk.say("undo that")
    assert [change["after"] for change in answer.actions[0]["changes"]] == ["A note"]


async def test_a_field_that_was_changed_again_since_is_not_taken_back(desk: Desk) -> None:
    await applied(desk, "set the title to Another")
    await Proposals(desk.platform).change(desk.note, title="By hand")
    answer = await desk.say("undo that")
    assert "title was changed again since [1]" in answer.content
    assert answer.actions == []
    assert await title(desk) == "By hand"


async def test_another_field_that_was_changed_since_is_in_nobodys_way(desk: Desk) -> None:
    await applied(desk, "set the title to Another")
    await Proposals(desk.platform).change(desk.note, text="By hand")
    answer = await desk.say("undo that")
    assert [change["after"] for change in answer.actions[0]["changes"]] == ["A note"]


async def test_nobody_takes_back_what_another_person_applied(
    desk: Desk, new_principal: Callable[..., Principal]
) -> None:
    await applied(desk, "set the title to Another")
    other = await sitting_at(desk, new_principal(Role.MEMBER, desk.who.org_id))
    assert "there is nothing to undo" in (await other.say("undo that")).content


async def test_a_viewer_is_told_why_nothing_is_undone(desk: Desk) -> None:
    await applied(desk, "set the title to Another")
    viewer = await sitting_at(desk, principal(desk.who.org_id, desk.who.user_id, Role.VIEWER))
    answer = await viewer.say("undo that")
    assert answer.content.startswith("I cannot propose this change:")
    assert answer.actions == []


async def sitting_at(desk: Desk, who: Principal) -> Desk:
    """Somebody's own conversation about the same note."""
    async with desk.platform.unit(who) as session:
        conversation = await sessions.open_session(session, who, "notes", desk.note)
    return Desk(desk.platform, who, desk.note, conversation.id)
