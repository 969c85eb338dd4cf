"""A token that may write and not read: for programs that bring records in and see none."""

from __future__ import annotations

import re

import httpx
import pytest

from transports.documented import document
from whence.app.platform import Platform
from whence.kernel.ids import new_id
from whence.tenancy import tokens
from whence.tenancy.principal import Scope
from whence.transports.edge.access import ACCESS

pytestmark = pytest.mark.anyio


async def test_it_is_refused_by_every_route_that_reads_and_brings_a_record_in(
    platform: Platform, anonymous: httpx.AsyncClient
) -> None:
    secret = await tokens.issue(platform.db, platform.owner, "scanner", scopes={Scope.WRITE})
    anonymous.headers["Authorization"] = f"Bearer {secret}"
    paths = (await document(anonymous))["paths"]
    reading = [(m, p) for p, calls in paths.items() for m in calls if calls[m][ACCESS] == "read"]
    assert len(reading) > 10
    for method, path in reading:
        address = re.sub(r"\{\w+\}", str(new_id()), path)
        async with anonymous.stream(method, address) as answer:
            assert answer.status_code == 403, (method, path)
    made = await anonymous.post("/api/notes", json={"title": "A", "text": "b"})
    assert made.status_code == 201
