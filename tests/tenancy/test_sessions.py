"""Sessions: a short access token, a refresh secret that changes, and an end that acts at once."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from whence.kernel.errors import Forbidden, NotFound
from whence.kernel.ids import new_id
from whence.tenancy import sessions
from whence.tenancy.access import SessionEnded
from whence.tenancy.principal import SCOPES, Role
from whence.tenancy.refreshing import GRACE
from whence.tenancy.sessions import ReusedRefresh, Started
from whence.tenancy.tokens import BadToken

pytestmark = pytest.mark.anyio
WAIT_OUT_GRACE = (
    "UPDATE whence.sessions SET rotated_at = rotated_at - make_interval(secs => %s)",
    (GRACE.total_seconds() + 1,),
)


@pytest.fixture
def start(platform: Any) -> Any:
    async def begin(who: Any = None, label: str = "Firefox") -> Started:
        who = who or platform.owner
        return await sessions.start(platform.db, who, label=label, settings=platform.settings)

    return begin


@pytest.fixture
def refresh(platform: Any) -> Any:
    async def again(secret: str) -> Started:
        return await sessions.refresh(platform.db, secret, settings=platform.settings)

    return again


async def test_an_access_token_speaks_for_its_user_and_names_its_session(
    platform: Any, start: Any
) -> None:
    started = await start()
    who = await sessions.authenticate(platform.db, started.access)
    assert who == started.who == platform.owner
    [listed] = await sessions.listed(platform.db, who)
    assert (listed.id, listed.label, listed.is_current) == (who.credential, "Firefox", True)


async def test_no_secret_of_a_session_is_in_the_database(
    start: Any, refresh: Any, sql: Any
) -> None:
    first = await start()
    second = await refresh(first.refresh)
    rows = str(sql("SELECT s::text FROM whence.sessions s"))
    for secret in (first.refresh, second.refresh):
        for part in secret.removeprefix("whr_").split("."):
            assert part not in rows
            assert part.encode().hex() not in rows


async def test_every_refresh_gives_a_new_secret_and_a_later_end(
    platform: Any, start: Any, refresh: Any
) -> None:
    first = await start()
    second = await refresh(first.refresh)
    assert second.refresh != first.refresh
    assert second.refresh_expires_at > first.refresh_expires_at
    assert second.who.credential == first.who.credential
    assert await sessions.authenticate(platform.db, second.access) == platform.owner


async def test_a_secret_that_is_used_again_ends_the_whole_session(
    platform: Any, start: Any, refresh: Any, sql: Any
) -> None:
    first = await start()
    second = await refresh(first.refresh)
    sql(*WAIT_OUT_GRACE)
    with pytest.raises(ReusedRefresh):
        await refresh(first.refresh)
    for ended in (first, second):
        with pytest.raises(SessionEnded):
            await refresh(ended.refresh)
        with pytest.raises(SessionEnded):
            await sessions.authenticate(platform.db, ended.access)
    assert sql("SELECT ended_by FROM whence.sessions") == [("reuse",)]
    assert sql("SELECT count(*) FROM whence.audit_log WHERE action = 'reused_refresh'") == [(1,)]


async def test_a_secret_two_turns_old_ends_the_session_even_within_the_grace(
    start: Any, refresh: Any, sql: Any
) -> None:
    first = await start()
    second = await refresh(first.refresh)
    sql(*WAIT_OUT_GRACE)
    await refresh(second.refresh)
    with pytest.raises(ReusedRefresh):
        await refresh(first.refresh)


async def test_two_tabs_that_refresh_at_once_get_the_same_secret_and_stay_signed_in(
    platform: Any, start: Any, refresh: Any, sql: Any, raced: Any
) -> None:
    first = await start()
    both = await raced("sessions", [refresh(first.refresh) for _ in range(4)])
    assert len({item.refresh for item in both}) == 1
    for item in both:
        assert await sessions.authenticate(platform.db, item.access) == platform.owner
    sql(*WAIT_OUT_GRACE)
    await refresh(both[0].refresh)


async def test_a_reply_that_was_lost_can_be_asked_for_again(
    start: Any, refresh: Any, sql: Any
) -> None:
    first = await start()
    lost = await refresh(first.refresh)
    assert (await refresh(first.refresh)).refresh == lost.refresh
    assert (await refresh(lost.refresh)).refresh == lost.refresh  # too young to turn again
    assert (await refresh(first.refresh)).refresh == lost.refresh


@pytest.mark.parametrize(
    "secret", ["", "whr_", "whr_.", "whr_a.b", "whr_a.b.c", "x" * 5000, "whr_é.é", "whr_\ud800.x"]
)
async def test_a_secret_that_was_never_given_is_refused(
    start: Any, refresh: Any, secret: str
) -> None:
    await start()
    with pytest.raises(SessionEnded):
        await refresh(secret)


async def test_a_right_family_with_an_invented_turn_ends_the_session(
    start: Any, refresh: Any
) -> None:
    started = await start()
    family = started.refresh.split(".")[0]
    with pytest.raises(ReusedRefresh):
        await refresh(f"{family}.invented")
    with pytest.raises(SessionEnded):
        await refresh(started.refresh)


async def test_a_session_ends_without_use(
    start: Any, refresh: Any, sql: Any, platform: Any
) -> None:
    started = await start()
    sql("UPDATE whence.sessions SET expires_at = now() - interval '1 second'")
    with pytest.raises(SessionEnded):
        await refresh(started.refresh)
    with pytest.raises(SessionEnded):
        await sessions.authenticate(platform.db, started.access)


async def test_signing_out_ends_the_access_token_at_once(platform: Any, start: Any) -> None:
    started, other = await start(), await start()
    await sessions.end(platform.db, started.who, started.who.credential)
    with pytest.raises(BadToken):
        await sessions.authenticate(platform.db, started.access)
    await sessions.authenticate(platform.db, other.access)
    with pytest.raises(NotFound):
        await sessions.end(platform.db, started.who, started.who.credential)


async def test_signing_out_everywhere_reaches_every_organization_of_the_user_and_nobody_else(
    platform: Any, start: Any, new_principal: Any, sql: Any
) -> None:
    elsewhere, fellow = new_principal(), new_principal(Role.MEMBER, platform.owner.org_id)
    me = replace(elsewhere, user_id=platform.owner.user_id)
    sql(
        "INSERT INTO whence.memberships (org_id, user_id, role) VALUES (%s, %s, 'viewer')",
        (me.org_id, me.user_id),
    )
    mine = [await start(), await start(), await start(me)]
    theirs = [await start(fellow), await start(elsewhere)]
    assert await sessions.end_all(platform.db, platform.owner) == 3
    for started in mine:
        with pytest.raises(BadToken):
            await sessions.authenticate(platform.db, started.access)
    for started in theirs:
        await sessions.authenticate(platform.db, started.access)


async def test_an_owner_signs_members_out_of_the_own_organization_only(
    platform: Any, start: Any, new_principal: Any
) -> None:
    member = new_principal(Role.MEMBER, platform.owner.org_id)
    other = new_principal(Role.MEMBER, platform.owner.org_id)
    started, stranger = await start(member), new_principal()
    with pytest.raises(Forbidden):
        await sessions.end_all(platform.db, other, member.user_id)
    with pytest.raises(NotFound):
        await sessions.end(platform.db, other, started.who.credential)
    assert await sessions.end_all(platform.db, stranger, member.user_id) == 0
    assert await sessions.end_all(platform.db, platform.owner, member.user_id) == 1


async def test_another_role_counts_in_a_running_session_at_once(
    platform: Any, start: Any, refresh: Any, new_principal: Any, sql: Any
) -> None:
    member = new_principal(Role.MEMBER, platform.owner.org_id)
    started = await start(member)
    sql("UPDATE whence.memberships SET role = 'viewer' WHERE user_id = %s", (member.user_id,))
    who = await sessions.authenticate(platform.db, started.access)
    assert (who.role, who.scopes) == (Role.VIEWER, SCOPES[Role.VIEWER])
    assert (await refresh(started.refresh)).who.role is Role.VIEWER
    sql("DELETE FROM whence.memberships WHERE user_id = %s", (member.user_id,))
    with pytest.raises(BadToken):
        await sessions.authenticate(platform.db, started.access)
    with pytest.raises(BadToken):
        await refresh(started.refresh)


async def test_who_was_removed_a_moment_ago_begins_no_session(
    start: Any, new_principal: Any, sql: Any
) -> None:
    gone = new_principal()
    sql("DELETE FROM whence.memberships WHERE user_id = %s", (gone.user_id,))
    with pytest.raises(SessionEnded):
        await start(gone)


async def test_a_member_sees_own_sessions_and_an_owner_the_organizations(
    platform: Any, start: Any, new_principal: Any
) -> None:
    member = new_principal(Role.MEMBER, platform.owner.org_id)
    await start(member, "Safari")
    await start(None, "Firefox")
    await start(new_principal(), "elsewhere")
    assert [s.label for s in await sessions.listed(platform.db, member)] == ["Safari"]
    assert {s.label for s in await sessions.listed(platform.db, platform.owner)} == {
        "Safari",
        "Firefox",
    }


async def test_a_label_is_kept_short_and_storable(platform: Any, start: Any) -> None:
    await start(None, "a\x00\ud800" + "b" * 5000)
    await start(None, "  ")
    labels = {s.label for s in await sessions.listed(platform.db, platform.owner)}
    assert labels == {"a?" + "b" * 198, "unnamed"}


async def test_what_is_over_for_long_is_forgotten(platform: Any, start: Any, sql: Any) -> None:
    await start()
    sql(
        "UPDATE whence.sessions SET expires_at = now() - %s",
        (sessions.KEPT + timedelta(days=1),),
    )
    started = await start()
    assert sql("SELECT id FROM whence.sessions") == [(started.who.credential,)]
    with pytest.raises(NotFound):
        await sessions.end(platform.db, platform.owner, new_id())


async def test_no_use_keeps_a_session_longer_than_its_end_from_signing_in(
    platform: Any, sql: Any
) -> None:
    db, result = platform.db, platform.settings
    first = await sessions.start(db, platform.owner, label="x", settings=result)
    sql("UPDATE whence.sessions SET created_at = now() - interval '89 days'")
    [(signed_in,)] = sql("SELECT created_at FROM whence.sessions")
    second = await sessions.refresh(db, first.refresh, settings=result)
    assert second.refresh_expires_at == signed_in + sessions.LONGEST
    # A session in the place of this one, as in another organization, ends no later.
    signed_in_at = await sessions.signed_in_at(db, second.who)
    third = await sessions.start(
        db, platform.owner, label="x", settings=result, signed_in_at=signed_in_at
    )
    assert third.refresh_expires_at == signed_in + sessions.LONGEST
    for days, expected in ((14, "14 days"), (400, "90 days")):
        wanted = result.model_copy(update={"session_days": days})
        await sessions.start(db, platform.owner, label=expected, settings=wanted)
        [(lasts,)] = sql(
            "SELECT expires_at - created_at = %s::interval FROM whence.sessions WHERE label = %s",
            (expected, expected),
        )
        assert lasts
