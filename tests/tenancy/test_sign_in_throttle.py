"""Slowing guesses down in the database: for all processes at once, and never the known browser."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from whence.db.database import Database
from whence.kernel.clock import now
from whence.tenancy import accounts, sessions, sign_in_throttle
from whence.tenancy.accounts import WrongCredentials
from whence.tenancy.sign_in_throttle import TooManyTries
from whence.tenancy.throttle import ACCOUNT, KNOWN_FOR, PAIR, Bucket

pytestmark = pytest.mark.anyio
EMAIL = "ada@example.org"
HERE, THERE = "192.0.2.7", "198.51.100.9"


async def guess(db: Any, times: int, address: str = THERE, email: str = EMAIL) -> int:
    """How many of so many tries at once were let through."""
    results = await asyncio.gather(
        *(sign_in_throttle.count(db, email, address) for _ in range(times)), return_exceptions=True
    )
    assert all(isinstance(item, TooManyTries | sign_in_throttle.Attempt) for item in results)
    return sum(isinstance(item, sign_in_throttle.Attempt) for item in results)


@pytest.fixture(autouse=True)
def stopped_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The throttle sees one moment: on a slow machine the first pause, of a second, would pass."""
    moment = now()
    monkeypatch.setattr(sign_in_throttle, "now", lambda: moment)


@pytest.fixture
async def second_process(platform: Any) -> AsyncIterator[Database]:
    db = Database(platform.db.conninfo)
    yield db
    await db.close()


async def test_guesses_at_once_do_not_slip_through_together(platform: Any) -> None:
    assert await guess(platform.db, 15) == PAIR.free


async def test_all_processes_slow_down_together(platform: Any, second_process: Database) -> None:
    let = await asyncio.gather(guess(platform.db, 8), guess(second_process, 8))
    assert sum(let) == PAIR.free


async def test_who_is_slowed_is_told_for_how_long_and_then_let_through(
    platform: Any, sql: Any
) -> None:
    await guess(platform.db, 10)
    with pytest.raises(TooManyTries) as caught:
        await sign_in_throttle.count(platform.db, EMAIL, THERE)
    assert 1 <= caught.value.retry_after <= PAIR.longest
    earlier = timedelta(seconds=caught.value.retry_after)
    sql("UPDATE whence.sign_in_tries SET at = at - %s", (earlier,))
    await sign_in_throttle.count(platform.db, EMAIL, THERE)


async def test_a_right_password_is_not_even_looked_at_while_slowed(
    platform: Any, new_person: Any
) -> None:
    person = await new_person()
    await guess(platform.db, 10, email=person.email)
    with pytest.raises(TooManyTries):
        await accounts.sign_in(platform.db, person.email, person.password, address=THERE)


async def test_an_unknown_account_is_slowed_like_one_that_exists(
    platform: Any, new_person: Any
) -> None:
    person = await new_person()
    lets = [
        await guess(platform.db, 10, address=address, email=email)
        for email, address in ((person.email, HERE), ("nobody@example.org", THERE))
    ]
    assert lets == [PAIR.free, PAIR.free]


async def test_the_known_browser_and_the_known_address_sign_in_under_attack(
    platform: Any, new_person: Any
) -> None:
    db, person = platform.db, await new_person()
    who = await accounts.sign_in(db, person.email, person.password, address=HERE)
    started = await sessions.start(db, who, label="x", settings=platform.settings)
    await sessions.end(db, started.who, started.who.credential)  # signed out, yet remembered
    for n in range(1, 8):
        await guess(db, 6, address=f"198.51.100.{n}", email=person.email)
    with pytest.raises(TooManyTries) as caught:  # from somewhere new: some minutes at most
        await accounts.sign_in(db, person.email, person.password, address="203.0.113.5")
    assert caught.value.retry_after <= ACCOUNT.longest
    await accounts.sign_in(db, person.email, person.password, address=HERE)
    await guess(db, 10, address=HERE, email=person.email)  # now from the same address, too
    with pytest.raises(TooManyTries):
        await accounts.sign_in(db, person.email, person.password, address=HERE)
    await accounts.sign_in(db, person.email, person.password, address=HERE, device=started.refresh)
    with pytest.raises(WrongCredentials):
        await accounts.sign_in(db, person.email, "wrong", address=HERE, device=started.refresh)


async def test_anothers_browser_is_no_known_one(platform: Any, new_person: Any) -> None:
    db, person, thief = platform.db, await new_person(), await new_person()
    started = await sessions.start(db, thief.who, label="x", settings=platform.settings)
    await guess(db, 10, email=person.email)
    for device in (started.refresh, "whr_a.b", "garbage", ""):
        with pytest.raises(TooManyTries):
            await accounts.sign_in(db, person.email, person.password, address=THERE, device=device)


async def test_one_ipv6_subscriber_is_one_address(platform: Any) -> None:
    let = [await guess(platform.db, 1, address=f"2001:db8:1:2::{n:x}") for n in range(1, 12)]
    assert sum(let) == PAIR.free
    assert await guess(platform.db, 1, address="2001:db8:1:3::1") == 1
    assert await guess(platform.db, 1, address="::ffff:192.0.2.9") == 1


async def test_old_counters_are_forgotten_but_not_where_somebody_belongs(
    platform: Any, new_person: Any, sql: Any
) -> None:
    person = await new_person()
    await guess(platform.db, 1)
    await accounts.sign_in(platform.db, person.email, person.password, address=HERE)
    sql("UPDATE whence.sign_in_tries SET at = at - interval '2 days'")
    await accounts.sign_in(platform.db, person.email, person.password, address=THERE)
    [(old,)] = sql("SELECT count(*) FROM whence.sign_in_tries WHERE at < now() - interval '1 day'")
    assert old == 1
    sql(
        "UPDATE whence.sign_in_tries SET at = at - %s, succeeded_at = succeeded_at - %s",
        (KNOWN_FOR, KNOWN_FOR),
    )
    await accounts.sign_in(platform.db, person.email, person.password, address=THERE)
    assert len(sql("SELECT 1 FROM whence.sign_in_tries")) == 3


async def test_counters_hold_neither_addresses_nor_e_mails(platform: Any, sql: Any) -> None:
    await guess(platform.db, 3)
    rows = str(sql("SELECT t::text FROM whence.sign_in_tries t"))
    for reported in (EMAIL, THERE):
        assert reported not in rows
        assert reported.encode().hex() not in rows


def test_a_right_password_takes_back_its_own_try_and_not_the_guesses_of_others() -> None:
    at = now()
    attempt = sign_in_throttle.Attempt(
        pair=b"pair", address=b"address", account=b"account", device=None
    )
    levels = {b"pair": 3.0, b"address": 9.0, b"account": 40.0}
    result = {key: Bucket(level, at) for key, level in levels.items()}
    left = {
        key: bucket.level for key, bucket in sign_in_throttle.forgiven(result, attempt, at).items()
    }
    assert left == {b"pair": 0.0, b"address": 8.0, b"account": 39.0}


async def test_guessers_are_slowed_as_before_after_the_owner_signed_in(
    platform: Any, new_person: Any, sql: Any
) -> None:
    db, person = platform.db, await new_person()
    await accounts.sign_in(db, person.email, person.password, address=HERE)
    for n in range(1, 8):
        await guess(db, 6, address=f"198.51.100.{n}", email=person.email)
    account = "SELECT max(level) FROM whence.sign_in_tries"
    [(before,)] = sql(account)
    await accounts.sign_in(db, person.email, person.password, address=HERE)
    [(after,)] = sql(account)
    assert before - 2 < after <= before
