"""Requests to outside sources are counted by day, and each source keeps what it answered last."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC

import pytest

from whence.app.platform import Platform
from whence.app.source_settings import ask_source, source_settings
from whence.kernel.clock import now
from whence.kernel.errors import Forbidden, Unavailable
from whence.tenancy.owner_acts import TESTS_PER_HOUR, TooManyTests
from whence.tenancy.principal import Principal, Role
from whence.tools.sources import (
    LastAnswer,
    SourceRequest,
    count_requests,
    last_answers,
    source_days,
)

pytestmark = pytest.mark.anyio
AWAY = SourceRequest.failed("shop", Unavailable("No answer."))


async def count(platform: Platform, who: Principal, *requests: SourceRequest) -> LastAnswer:
    async with platform.unit(who) as session:
        await count_requests(session, requests)
        return (await last_answers(session, who))["shop"]


async def test_a_source_is_away_since_its_first_failure_until_it_answers(
    platform: Platform, new_principal: Callable[..., Principal]
) -> None:
    owner = new_principal(Role.OWNER)
    first = await count(platform, owner, AWAY)
    second = await count(platform, owner, AWAY, AWAY)
    assert first.is_away
    assert second.failing_since == first.failing_since
    assert (second.answered_at, second.error) == (None, "No answer.")
    # One of several answers: it is there.
    third = await count(platform, owner, AWAY, SourceRequest("shop"))
    assert (third.failing_since, third.is_away, third.error) == (None, False, None)
    today = now().astimezone(UTC).date()
    async with platform.unit(owner) as session:
        [day] = await source_days(session, owner, today)
    assert (day.requests, day.failures) == (5, 4)

    other = new_principal(Role.OWNER)
    async with platform.unit(other) as session:
        assert await last_answers(session, other) == {}
        assert await source_days(session, other, today) == []


async def test_tests_are_for_owners_and_so_many_an_hour(
    platform: Platform, new_principal: Callable[..., Principal]
) -> None:
    owner = new_principal(Role.OWNER)
    member = new_principal(Role.MEMBER, owner.org_id)
    with pytest.raises(Forbidden):
        await source_settings(platform, member)
    with pytest.raises(Forbidden):
        await ask_source(platform, member, "spelling")
    for _ in range(TESTS_PER_HOUR):
        assert (await ask_source(platform, owner, "spelling")).answered
    with pytest.raises(TooManyTests) as refused:
        await ask_source(platform, owner, "spelling")
    assert refused.value.retry_after
    assert 0 < refused.value.retry_after <= 3600
    # Another organization has tests of its own.
    assert (await ask_source(platform, new_principal(Role.OWNER), "spelling")).answered
