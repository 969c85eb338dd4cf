"""Deciding on proposals over HTTP, and reading what became of a record."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import httpx
import pytest

from chat.proposal_desk import Desk, rewrite
from whence.app.platform import Platform
from whence.chat.proposals.tables import ProposalRow
from whence.kernel.clock import now
from whence.tenancy import tokens
from whence.tenancy.principal import Principal, Role, Scope

pytestmark = pytest.mark.anyio


@pytest.fixture
def desk(platform: Platform) -> Desk:
    return Desk(platform)


@pytest.fixture
def asks(platform: Platform, serve: str) -> Callable[..., Any]:
    """`await asks("POST", path)` as the owner; `who=`, `scopes=` and a body as `json=`."""

    async def ask(
        method: str, path: str, who: Principal | None = None, scopes: Any = None, **more: Any
    ) -> httpx.Response:
        secret = await tokens.issue(platform.db, who or platform.owner, "t", scopes=scopes)
        async with httpx.AsyncClient(base_url=serve, timeout=30) as client:
            headers = {"Authorization": f"Bearer {secret}"}
            return await client.request(method, path, headers=headers, **more)

    return ask


def problem(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["type"].removeprefix("/problems/")


async def test_a_proposal_is_shown_applied_and_taken_back(desk: Desk, asks: Any) -> None:
    note = await desk.note("One", "words")
    chat, message = UUID(int=1), UUID(int=2)
    made = await desk.propose(note, text="new", chat_session_id=chat, message_id=message)
    [shown] = (await asks("GET", f"/api/notes/{note}/proposals")).json()["items"]
    assert shown["changes"] == [{"field": "text", "before": "words", "after": "new"}]
    assert (shown["status"], shown["reason"]) == ("proposed", "It was asked.")
    assert (shown["chatSessionId"], shown["messageId"]) == (str(chat), str(message))

    address = f"/api/proposals/{made.id}"
    applied = await asks("POST", f"{address}/apply", json={"reason": "Right"})
    assert applied.status_code == 200
    assert applied.json() == {
        "proposalId": str(made.id),
        "status": "applied",
        "kind": "notes",
        "subjectId": str(note),
        "itemId": None,
        "version": 2,
        "changes": [{"field": "text", "before": "words", "after": "new"}],
        "reason": "Right",
        "at": applied.json()["at"],
    }
    assert (await asks("POST", f"{address}/apply")).json() == applied.json()
    undone = (await asks("POST", f"{address}/undo")).json()
    assert undone["changes"] == [{"field": "text", "before": "new", "after": "words"}]
    assert (await asks("GET", f"/api/notes/{note}")).json()["text"] == "words"


async def test_the_history_tells_who_what_why_and_by_which_proposal(desk: Desk, asks: Any) -> None:
    note = await desk.note("One", "words")
    made = await desk.propose(note, text="new", reason="You asked.")
    await desk.apply(made)
    await desk.change(note, title="Two")
    await desk.undo(await _applied(desk, note), reason="A slip")
    lines = (await asks("GET", f"/api/notes/{note}/audit")).json()["items"]
    assert [(one["action"], one["reason"]) for one in lines] == [
        ("undo_proposal", "A slip"),
        ("apply_proposal", "Once more."),
        ("propose_change", "Once more."),
        ("update", None),
        ("apply_proposal", "You asked."),
        ("propose_change", "You asked."),
        ("create", None),
    ]
    assert lines[4]["changes"] == [{"field": "text", "before": "words", "after": "new"}]
    assert lines[4]["proposalId"] == lines[5]["proposalId"] == str(made.id)
    assert lines[5]["changes"] == []
    assert lines[6]["changes"] == [
        {"field": "text", "before": None, "after": "words"},
        {"field": "title", "before": None, "after": "One"},
    ]
    assert {one["userId"] for one in lines} == {str(desk.owner.user_id)}
    assert lines[0]["userName"]


async def _applied(desk: Desk, note: UUID) -> ProposalRow:
    made = await desk.propose(note, text="again", reason="Once more.")
    await desk.apply(made)
    return made


@pytest.mark.parametrize("what", ["audit", "proposals"])
async def test_pages_hold_every_entry_once(desk: Desk, asks: Any, what: str) -> None:
    note = await desk.note()
    for number in range(5):
        await desk.propose(note, text=f"text {number}")
    whole = (await asks("GET", f"/api/notes/{note}/{what}")).json()
    assert whole["nextCursor"] is None
    items, cursor = [], None
    for _ in range(10):
        params = {"limit": 2} | ({"cursor": cursor} if cursor else {})
        page = (await asks("GET", f"/api/notes/{note}/{what}", params=params)).json()
        items += page["items"]
        if not (cursor := page["nextCursor"]):
            break
    assert items == whole["items"]
    bad = await asks("GET", f"/api/notes/{note}/{what}", params={"cursor": "bm90fG91cnM="})
    assert problem(bad) == (422, "invalid")


async def test_each_refusal_has_its_own_type(
    desk: Desk, asks: Any, database_url: str, new_principal: Any
) -> None:
    member = new_principal(Role.MEMBER, desk.owner.org_id)
    viewer = new_principal(Role.VIEWER, desk.owner.org_id)
    note = await desk.note("One", "words")

    async def ask(proposal: ProposalRow, act: str, **more: Any) -> tuple[int, str]:
        return problem(await asks("POST", f"/api/proposals/{proposal.id}/{act}", **more))

    made = await desk.propose(note, text="a")
    assert await ask(made, "undo") == (409, "not-applied")
    assert await ask(made, "apply", who=member) == (403, "not-yours")
    assert await ask(made, "apply", who=viewer) == (403, "forbidden")
    few = [Scope.READ, Scope.PROPOSE]
    assert await ask(made, "apply", scopes=few) == (403, "forbidden")
    assert await ask(made, "apply", json={"reason": "x" * 2_001}) == (422, "invalid")
    await desk.apply(made)
    assert await ask(made, "apply", who=member) == (409, "already-applied")
    await desk.undo(made)
    assert await ask(made, "apply") == (409, "already-undone")
    declined, late, stale = [await desk.propose(note, text=text) for text in "bcd"]
    await desk.decline(declined)
    assert await ask(declined, "apply") == (409, "already-declined")
    rewrite(database_url, late, expires_at=now())
    assert await ask(late, "apply") == (409, "proposal-expired")
    rewrite(database_url, stale, reason="another")
    assert await ask(stale, "apply") == (409, "not-as-proposed")
    changed = await desk.propose(note, text="e")
    await desk.change(note, text="f")
    refused = await asks("POST", f"/api/proposals/{changed.id}/apply")
    assert problem(refused) == (409, "record-changed")
    assert refused.json()["errors"] == [{"field": "text", "message": "was 'words', is 'f'"}]

    listed = (await asks("GET", f"/api/notes/{note}/proposals")).json()["items"]
    assert [one["status"] for one in listed] == ["stale", "stale", "expired", "declined", "undone"]


async def test_others_see_a_proposal_and_not_the_conversation_it_came_from(
    desk: Desk, asks: Any, new_principal: Any
) -> None:
    note = await desk.note()
    await desk.propose(note, text="a", chat_session_id=UUID(int=1), message_id=UUID(int=2))
    viewer = new_principal(Role.VIEWER, desk.owner.org_id)
    [shown] = (await asks("GET", f"/api/notes/{note}/proposals", who=viewer)).json()["items"]
    assert shown["changes"][0]["after"] == "a"
    assert (shown["chatSessionId"], shown["messageId"]) == (None, None)
