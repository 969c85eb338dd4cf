"""The one policy for trying again: how often, how late, and what is not tried again at all."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whence.kernel.clock import now
from whence.kernel.errors import Invalid, Unavailable
from whence.kernel.retry import MAX_RETRY_AFTER, RetryPolicy, retry, retry_after

pytestmark = pytest.mark.anyio
QUICK = RetryPolicy(first_wait=0.01)


class Outside:
    """An outside system that fails as it is told to, then answers."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.calls = 0
        self.waits: list[float] = []

    async def ask(self) -> str:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return "an answer"

    async def waiting(self, seconds: float) -> None:
        self.waits.append(seconds)


async def test_what_passes_is_tried_again_and_answers():
    outside = Outside(Unavailable("away"), Unavailable("away"))
    assert await retry(outside.ask, policy=QUICK, before_wait=outside.waiting) == "an answer"
    assert outside.calls == 3
    first, second = outside.waits
    assert 0.005 <= first <= 0.01 <= second <= 0.02


async def test_the_third_failure_is_the_last_and_says_how_often_it_was_tried():
    outside = Outside(*[Unavailable(f"away {n}") for n in range(5)])
    with pytest.raises(Unavailable, match="away 2") as caught:
        await retry(outside.ask, policy=QUICK)
    assert (outside.calls, caught.value.attempts) == (3, 3)


async def test_tries_that_a_call_made_itself_count():
    outside = Outside(*[Unavailable(f"away {n}") for n in range(9)])
    with pytest.raises(Unavailable) as caught:
        await retry(lambda: retry(outside.ask, policy=QUICK), policy=QUICK)
    assert (outside.calls, caught.value.attempts) == (3, 3)


async def test_what_waiting_does_not_cure_is_not_tried_again():
    outside = Outside(Invalid("wrong"))
    with pytest.raises(Invalid):
        await retry(outside.ask, policy=QUICK)
    assert outside.calls == 1


async def test_a_system_is_not_asked_sooner_than_it_says():
    outside = Outside(Unavailable("away", retry_after=0.1))
    await retry(outside.ask, policy=QUICK, before_wait=outside.waiting)
    assert 0.1 <= outside.waits[0] <= 0.11


async def test_a_system_that_asks_for_more_than_one_can_wait_is_given_up():
    outside = Outside(Unavailable("away", retry_after=21))
    with pytest.raises(Unavailable):
        await retry(outside.ask, policy=QUICK)
    assert outside.calls == 1


async def test_who_is_cancelled_while_it_waits_is_cancelled_at_once():
    outside = Outside(Unavailable("away", retry_after=15))
    waiting = asyncio.create_task(retry(outside.ask, policy=QUICK))
    while not outside.calls:
        await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait({waiting}, timeout=10)
    assert waiting.cancelled()


async def test_what_is_raised_before_a_wait_ends_the_tries():
    outside = Outside(Unavailable("away"))

    async def refuse(_: float) -> None:
        raise Invalid("no budget for a second try")

    with pytest.raises(Invalid):
        await retry(outside.ask, policy=QUICK, before_wait=refuse)
    assert outside.calls == 1


@given(st.integers(1, 9), st.floats(0, 20))
def test_a_wait_is_never_shorter_than_asked_nor_longer_than_the_jitter_allows(tries, retry_after):
    policy = RetryPolicy()
    most = min(policy.first_wait * 2 ** (tries - 1), policy.longest_wait)
    assert retry_after + most / 2 <= policy.wait(tries, retry_after) <= retry_after + most


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": " 12 "}, 12.0),
        ({"retry-after": "9" * 400}, MAX_RETRY_AFTER),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "Wed, 01 Jan 2025 11:00:00 GMT"}, 0.0),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": ""}, None),
        ({}, None),
    ],
)
def test_retry_after_is_read_in_all_its_forms(headers, seconds):
    assert retry_after(headers) == seconds


@pytest.mark.parametrize("usegmt", [True, False])
def test_retry_after_as_a_date(usegmt):
    date = format_datetime(now() + timedelta(seconds=90), usegmt=usegmt)
    seconds = retry_after({"retry-after": date})
    assert seconds is not None
    assert 85 < seconds <= 90
