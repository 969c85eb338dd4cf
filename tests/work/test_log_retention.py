"""The logs of calls are kept for a while, the audit log as long as an operator says."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import psycopg
import pytest
from pydantic import ValidationError

from pruning import prune
from row_security import owned_by_no_superuser
from whence.app import build
from whence.kernel.ids import new_id
from whence.kernel.settings import Settings
from whence.work import retention

pytestmark = pytest.mark.anyio
LOGS = ("tool_calls", "model_calls", "audit_log")


@pytest.fixture
def database(database_url: str) -> Any:
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("DELETE FROM whence.audit_log")
        yield connection


def leave(database: Any, org: UUID, days_ago: float, run: UUID | None = None) -> None:
    """A line in each log."""
    values = {"org": org, "id": new_id(), "run": run, "days": days_ago}
    database.execute(
        "INSERT INTO whence.tool_calls (org_id, id, run_id, user_id, caller, tool, scope,"
        " arguments, outcome, latency_ms, at) VALUES (%(org)s, %(id)s, %(run)s, %(id)s, 'api',"
        " 'look', 'read', '{}', 'ok', 1, now() - %(days)s * interval '1 day')",
        values,
    )
    database.execute(
        "INSERT INTO whence.model_calls (org_id, id, run_id, skill, outcome, latency_ms, at) VALUES"
        " (%(org)s, %(id)s, %(run)s, 'skill', 'ok', 1, now() - %(days)s * interval '1 day')",
        values,
    )
    database.execute(
        "INSERT INTO whence.audit_log (org_id, id, user_id, action, kind, detail, at) VALUES"
        " (%(org)s, %(id)s, %(id)s, 'update', 'notes', '{}',"
        " now() - %(days)s * interval '1 day')",
        values,
    )


def rows_left(database: Any) -> list[int]:
    """How many lines each log has."""
    counted = (database.execute(f"SELECT count(*) FROM whence.{log}").fetchone() for log in LOGS)
    return [row[0] for row in counted]


async def test_lines_of_calls_go_after_their_days_in_every_organization(
    platform: Any, database: Any, new_principal: Any
) -> None:
    for org in (platform.owner.org_id, new_principal().org_id):
        leave(database, org, 89.9)
        leave(database, org, 90.1)
    pruned = await prune(platform, batch=1)
    assert (pruned["tool_calls"], pruned["model_calls"]) == (2, 2)
    assert rows_left(database) == [2, 2, 4]


async def test_the_audit_log_goes_only_where_it_is_set_and_never_younger_than_30_days(
    platform: Any, database: Any
) -> None:
    for days in (29.9, 30.1, 400.0):
        leave(database, platform.owner.org_id, days)
    settings = platform.settings.model_copy(update={"audit_days": 365.0})
    assert (await prune(platform, settings))["audit_log"] == 1
    with pytest.raises(ValidationError, match="30"):
        Settings(audit_days=29)
    # Not even by whoever calls the function itself.
    everything = "SELECT whence.prune_audit_log(now(), 100)"
    assert await platform.db.call(everything, {}) == 1
    assert rows_left(database)[2] == 1


async def test_the_tool_calls_of_a_run_that_has_not_ended_stay(
    platform: Any, database: Any
) -> None:
    """They tell a node that runs again which of its changes are made."""
    run, org = new_id(), platform.owner.org_id
    database.execute(
        "INSERT INTO whence.work (org_id, id, type, queue, handler, status, priority, requested_by,"
        " created_at) VALUES (%s, %s, 'research', 'whence', 'research.attempt', 'paused', 0, %s,"
        " now())",
        (org, run, new_id()),
    )
    leave(database, org, 400, run)
    assert (await prune(platform))["tool_calls"] == 0
    database.execute("UPDATE whence.work SET status = 'success', completed_at = now()")
    assert (await prune(platform))["tool_calls"] == 1


async def test_every_worker_keeps_the_rules(
    platform: Any, database: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "PERIOD_SECONDS", 0.05)
    leave(database, platform.owner.org_id, 100)
    async with build.worker(platform):
        while rows_left(database)[:2] != [0, 0]:
            await asyncio.sleep(0.05)


async def test_an_owner_that_row_security_binds_removes_them_too(
    platform: Any, database: Any
) -> None:
    """The installer of an external database is no superuser."""
    leave(database, platform.owner.org_id, 100)
    functions = ("prune_tool_calls", "prune_model_calls", "prune_audit_log")
    settings = platform.settings.model_copy(update={"audit_days": 30.0})
    with owned_by_no_superuser(database, LOGS, functions, reads=["work"]):
        pruned = await prune(platform, settings)
        assert [pruned[log] for log in LOGS] == [1, 1, 1]
