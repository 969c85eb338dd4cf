"""The audit log of an organization: filtered, paged, exported, and its own only."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from whence.app.platform import Platform
from whence.kernel.clock import now
from whence.kernel.errors import Forbidden
from whence.kernel.ids import new_id
from whence.kernel.paging import RowCursor
from whence.records import audit_log, store
from whence.records.audit_log import AuditEntry, AuditFilter
from whence.tenancy.audit import BY_OPERATOR, attempt, audit
from whence.tenancy.principal import Principal, Role, agent_of

pytestmark = pytest.mark.anyio
ALL = AuditFilter()


async def entries(
    platform: Platform,
    who: Principal,
    wanted: AuditFilter = ALL,
    *,
    limit: int = 50,
    before: RowCursor | None = None,
) -> list[AuditEntry]:
    async with platform.unit(who) as session:
        return await audit_log.entries(session, who, wanted, limit=limit, before=before)


async def write(platform: Platform, who: Principal, action: str, **detail: Any) -> None:
    async with platform.unit(who) as session:
        await audit(session, who, action, "notes", new_id(), detail)


@pytest.fixture
def owner(new_principal: Callable[..., Principal]) -> Principal:
    return new_principal(Role.OWNER)


async def test_a_line_has_its_values_before_and_after(platform: Platform, owner: Principal) -> None:
    await write(platform, owner, "update", before={"title": "A"}, after={"title": "B"}, run="x")
    await write(platform, owner, "set", limits={"before": 1, "after": 2})
    await write(platform, owner, "note", words="one")
    note, pair, update = await entries(platform, owner)
    assert [(c.field, c.before, c.after) for c in update.changes] == [("title", "A", "B")]
    assert update.detail == {"run": "x"}
    assert [(c.field, c.before, c.after) for c in pair.changes] == [("limits", 1, 2)]
    assert (note.changes, note.detail) == ([], {"words": "one"})


async def test_what_a_stranger_tried_does_not_bear_the_name_of_the_account(
    platform: Platform, owner: Principal
) -> None:
    await write(platform, owner, "accept_failed", **attempt("192.0.2.1"))
    await write(platform, owner, "reset_password", **BY_OPERATOR)
    await write(platform, agent_of(owner), "update", words="one")
    agent, operator, stranger = await entries(platform, owner)
    assert (stranger.user_name, stranger.user_id) == ("Somebody not signed in", owner.user_id)
    assert operator.user_name == "The operator of the server"
    assert stranger.detail == {"address": "192.0.2.1"}
    assert (agent.by_agent, agent.detail) == (True, {"words": "one"})


async def test_filters_and_pages(platform: Platform, owner: Principal) -> None:
    for action in ("one", "two", "three"):
        await write(platform, owner, action)
    first = await entries(platform, owner, limit=2)
    assert [line.action for line in first] == ["three", "two"]
    after = RowCursor(first[-1].at, first[-1].id)
    assert [line.action for line in await entries(platform, owner, before=after)] == ["one"]
    assert [e.action for e in await entries(platform, owner, AuditFilter(action="two"))] == ["two"]
    assert await entries(platform, owner, AuditFilter(kind="items")) == []
    assert await entries(platform, owner, AuditFilter(until=now() - timedelta(hours=1))) == []
    assert len(await entries(platform, owner, AuditFilter(since=now() - timedelta(hours=1)))) == 3


async def test_another_organization_and_a_member_read_nothing(
    platform: Platform, owner: Principal, new_principal: Callable[..., Principal]
) -> None:
    await write(platform, owner, "update")
    assert await entries(platform, new_principal(Role.OWNER)) == []
    with pytest.raises(Forbidden):
        await entries(platform, new_principal(Role.MEMBER, owner.org_id))


async def test_a_spreadsheet_runs_nothing_of_an_export(
    platform: Platform, owner: Principal
) -> None:
    await write(platform, owner, "update", reason="=HYPERLINK(1)")
    text = "".join([line async for line in audit_log.exported(platform.db, owner, ALL)])
    head, line = text.splitlines()
    assert head == ",".join(audit_log.COLUMNS)
    assert "'=HYPERLINK(1)" in line


async def test_a_line_is_told_with_the_title_of_its_record(
    platform: Platform, owner: Principal
) -> None:
    kind = platform.kind("notes")
    record = kind.record.model_validate({"title": "Ferry times", "text": "At noon, and at six."})
    async with platform.unit(owner) as session:
        note = await store.create(session, owner, kind, record)
    await write(platform, owner, "note")
    async with platform.unit(owner) as session:
        lines = await audit_log.entries(session, owner, ALL, limit=50)
        titled = await audit_log.titled(session, platform.kinds.values(), lines)
    assert [(line.subject_id == note.id, line.subject_title) for line in titled] == [
        (False, None),
        (True, "Ferry times"),
    ]
