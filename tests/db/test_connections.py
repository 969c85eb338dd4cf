"""What a connection of the pool carries from one unit of work to the next: nothing."""

from __future__ import annotations

import logging
import traceback
from collections.abc import AsyncIterator
from typing import Any

import pytest
from sqlalchemy import text

from whence.db import database
from whence.db.database import Database
from whence.kernel.ids import new_id
from whence.tenancy import tokens

pytestmark = pytest.mark.anyio
PRIVATE = "a brass sextant from the attic"


@pytest.fixture
async def one_connection(platform: Any, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Database]:
    """A database with a pool of one: whoever comes next has the same connection."""
    monkeypatch.setattr(database, "POOL_SIZE", 1)
    opened = Database(platform.db.conninfo)
    yield opened
    await opened.close()


async def _tenant_left_behind(db: Database) -> str | None:
    """What the connection says outside of every unit."""
    async with db._engine.connect() as connection:
        query = text("SELECT nullif(current_setting('whence.org_id', true), '')")
        return await connection.scalar(query)


async def test_the_tenant_ends_with_its_transaction(one_connection: Database) -> None:
    async with one_connection.unit(new_id()) as session:
        query = text("SELECT nullif(current_setting('whence.org_id', true), '')")
        assert await session.scalar(query)
    assert await _tenant_left_behind(one_connection) is None


async def test_the_tenant_that_a_token_leads_to_ends_with_its_transaction(
    platform: Any, one_connection: Database
) -> None:
    secret = await tokens.issue(platform.db, platform.owner, "script")
    await tokens.authenticate(one_connection, secret, ("api",))
    assert await _tenant_left_behind(one_connection) is None


async def test_a_failed_statement_is_told_without_its_values(
    platform: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(Exception, match="no_such_column") as caught:
        async with platform.unit(platform.owner) as session:
            await session.execute(text("SELECT :value || no_such_column"), {"value": PRIVATE})
    with caplog.at_level(logging.DEBUG):
        logging.getLogger("whence.test").error("failed", exc_info=caught.value)
    assert PRIVATE not in caplog.text
    assert PRIVATE not in "".join(traceback.format_exception(caught.value))
