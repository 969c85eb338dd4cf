"""What owners may do only so often: each act is a line of the audit log, and the lines are counted.

The log is the organization's own, so organizations do not affect one another, and every process
counts the same lines.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from math import ceil
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.kernel.clock import now
from whence.kernel.errors import TooMany
from whence.tenancy.audit import audit
from whence.tenancy.principal import Principal, require_owner

TESTS_PER_HOUR = 20
"""Test calls of models and sources of one organization; each costs money or a part of a quota."""
_HOUR = timedelta(hours=1)
_TESTS = ("test_model", "test_source")
_LOCK = text("SELECT pg_advisory_xact_lock(hashtextextended('whence.tests ' || :org, 0))")
_COUNT = text("""
    SELECT count(*), min(at) FROM whence.audit_log
    WHERE org_id = whence.current_org() AND at > :since AND action = ANY(:actions)
""")


class TooManyTests(TooMany):
    """An organization may test models and sources 20 times an hour; try again later."""


async def record_test(
    session: AsyncSession, who: Principal, kind: str, detail: Mapping[str, Any]
) -> None:
    """Record a test call of a `model` or `source` before it is made.

    Raises Forbidden except for owners, and TooManyTests with the seconds to wait.
    """
    require_owner(who)
    await session.execute(_LOCK, {"org": str(who.org_id)})
    values = {"since": now() - _HOUR, "actions": list(_TESTS)}
    count, first = (await session.execute(_COUNT, values)).one()
    if count >= TESTS_PER_HOUR:
        raise TooManyTests(retry_after=max(1, ceil((first + _HOUR - now()).total_seconds())))
    await audit(session, who, f"test_{kind}", kind, None, detail)
