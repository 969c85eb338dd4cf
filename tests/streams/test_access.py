"""Who may hold a stream open: looked up when it opens, when a right is lost, and every minute."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest

from streams.conftest import Listen, Play, eventually
from streams.listeners import Listener, SocketListener
from whence.app.platform import Platform
from whence.tenancy import accounts, sessions, tokens
from whence.tenancy.principal import Role, Scope
from whence.transports.edge import stream_limits
from whence.transports.edge.stream_limits import OpenStream

pytestmark = pytest.mark.anyio


async def token_id(platform: Platform, name: str) -> UUID:
    [result] = [row for row in await tokens.listed(platform.db, platform.owner) if row.name == name]
    return result.id


async def closed(play: Play, client: Listener) -> None:
    """It was told why, hears nothing more, and is not let in again."""
    await client.until("access_ended")
    assert client.events[-1][1]["type"] in ("/problems/unauthorized", "/problems/forbidden")
    await play.say(3)
    if isinstance(client, SocketListener):
        await eventually(lambda: not client.is_connected)
    else:
        await eventually(lambda: client.refusals in ([401], [403]))
    assert client.names[-1] == "access_ended"


async def turned_away(client: httpx.AsyncClient, play: Play, **sent: Any) -> httpx.Response:
    """The refusal of a stream; one that is let in would go on without end."""
    async with client.stream("GET", f"/api/runs/{play.id}/events", **sent) as answer:
        assert answer.status_code >= 400
        await answer.aread()
    return answer


async def test_a_stream_is_closed_at_once_when_its_token_is_revoked_and_others_go_on(
    platform: Platform, play: Play, serve: str, listen: Listen, transport: str
) -> None:
    secret = await tokens.issue(platform.db, platform.owner, "to be revoked")
    client = await listen(serve, transport, token=secret)
    other = await listen(serve, transport)
    await asyncio.gather(client.until(1), other.until(1))
    await tokens.revoke(platform.db, platform.owner, await token_id(platform, "to be revoked"))
    await closed(play, client)
    await other.until(await play.end())
    assert other.connects == 1


async def test_signing_out_everywhere_closes_the_streams_of_sessions(
    platform: Platform, play: Play, serve: str, listen: Listen, transport: str
) -> None:
    started = await sessions.start(
        platform.db, platform.owner, label="browser", settings=platform.settings
    )
    client = await listen(serve, transport, token=started.access)
    await client.until(1)
    await sessions.end_all(platform.db, platform.owner)
    await closed(play, client)


async def test_a_member_who_is_removed_hears_no_more_and_one_who_becomes_a_viewer_does(
    platform: Platform, play: Play, serve: str, listen: Listen, transport: str, new_principal: Any
) -> None:
    gone, demoted = (new_principal(Role.MEMBER, platform.owner.org_id) for _ in range(2))
    clients = [await listen(serve, transport, who=who) for who in (gone, demoted)]
    await asyncio.gather(*(client.until(1) for client in clients))
    await accounts.set_role(platform.db, platform.owner, demoted.user_id, Role.VIEWER)
    await accounts.remove(platform.db, platform.owner, gone.user_id)
    await closed(play, clients[0])
    await clients[1].until(await play.end())
    assert clients[1].connects == 1


async def test_what_ends_by_time_alone_is_noticed_within_the_interval(
    platform: Platform,
    play: Play,
    serve: str,
    listen: Listen,
    transport: str,
    database_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stream_limits, "RECHECK_SECONDS", 0.2)
    checks: Counter[OpenStream] = Counter()
    current = OpenStream.current

    async def counted(stream: OpenStream) -> Any:
        who = await current(stream)
        checks[stream] += 1
        return who

    monkeypatch.setattr(OpenStream, "current", counted)
    started = await sessions.start(
        platform.db, platform.owner, label="browser", settings=platform.settings
    )
    by_token = await listen(serve, transport, who=platform.owner)
    by_session = await listen(serve, transport, token=started.access)
    await asyncio.gather(by_token.until(1), by_session.until(1))
    await eventually(lambda: len(checks) == 2 and min(checks.values()) >= 3)
    assert (by_token.connects, by_session.connects) == (1, 1)  # three checks closed neither
    with psycopg.connect(database_url) as database:
        database.execute("UPDATE whence.api_tokens SET expires_at = now()")
        database.execute("UPDATE whence.sessions SET expires_at = now()")
    await closed(play, by_token)
    await closed(play, by_session)


async def test_a_revocation_that_nobody_heard_is_found_when_listening_begins_again(
    platform: Platform, play: Play, serve: str, listen: Listen, database_url: str
) -> None:
    client = await listen(serve, "socket")
    await client.until(1)
    with psycopg.connect(database_url) as database:
        database.execute("UPDATE whence.api_tokens SET revoked_at = now()")  # and no notification
    await play.say()
    await client.until(2)
    with psycopg.connect(database_url) as database:
        database.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND query LIKE 'LISTEN%'"
        )
    await closed(play, client)


async def test_another_organization_cannot_follow_a_run(
    play: Play, serve: str, listen: Listen, transport: str, new_principal: Any
) -> None:
    client = await listen(serve, transport, who=new_principal(Role.OWNER))
    await eventually(lambda: client.refusals)
    [refusal] = client.refusals
    assert refusal == 404 or refusal["type"] == "/problems/not-found"
    assert client.events == []


async def test_a_token_that_may_not_read_opens_no_stream(
    platform: Platform, play: Play, serve: str, anonymous: httpx.AsyncClient, listen: Listen
) -> None:
    secret = await tokens.issue(platform.db, platform.owner, "blind", scopes={Scope.WRITE})
    headers = {"Authorization": f"Bearer {secret}"}
    assert (await turned_away(anonymous, play, headers=headers)).status_code == 403


async def test_a_user_opens_a_bounded_number_of_streams_and_one_that_closes_makes_room(
    platform: Platform,
    play: Play,
    serve: str,
    owner: httpx.AsyncClient,
    listen: Listen,
    new_principal: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stream_limits, "MAX_STREAMS_PER_PRINCIPAL", 2)
    clients = [await listen(serve, kind) for kind in ("sse", "socket")]
    await asyncio.gather(*(client.until(1) for client in clients))
    refused = await turned_away(owner, play)
    assert (refused.status_code, refused.json()["type"]) == (429, "/problems/too-many")
    assert refused.headers["retry-after"]
    another = new_principal(Role.VIEWER, platform.owner.org_id)
    await (await listen(serve, "sse", who=another)).until(1)
    await clients[1].stop()
    await (await listen(serve, "socket")).until(1)


async def test_a_process_holds_a_bounded_number_of_streams(
    play: Play,
    serve: str,
    owner: httpx.AsyncClient,
    listen: Listen,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stream_limits, "MAX_STREAMS", 1)
    await (await listen(serve, "socket")).until(1)
    refused = await turned_away(owner, play)
    assert (refused.status_code, refused.json()["type"]) == (503, "/problems/unavailable")
