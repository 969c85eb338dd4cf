"""Sessions over HTTP: signing in, renewing, moving on, and ending; the roles of people."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import httpx
import pytest

from whence.tenancy import invitations, refreshing
from whence.tenancy.principal import Role

pytestmark = pytest.mark.anyio
PASSWORD = "a quiet river at dawn"
EMAIL = "ada@example.org"


async def invited(platform: Any, role: Role = Role.MEMBER, email: str = EMAIL) -> str:
    return await invitations.invite(platform.db, platform.owner, email, role)


async def joined(platform: Any, role: Role = Role.MEMBER) -> None:
    """An account of ada@example.org, with a password."""
    await invitations.accept(platform.db, await invited(platform, role), "Ada", PASSWORD)


async def signed_in_by(client: httpx.AsyncClient, password: str = PASSWORD) -> httpx.Response:
    return await client.post("/api/auth/sign-in", json={"email": EMAIL, "password": password})


async def test_e_mail_and_password_open_a_session_for_browsers_and_programs(
    platform: Any, anonymous: httpx.AsyncClient, serve: str
) -> None:
    await joined(platform)
    answer = await signed_in_by(anonymous)
    assert (answer.status_code, answer.json()["role"]) == (200, "member")
    assert "refresh" not in answer.text
    cookies = [line.lower() for line in answer.headers.get_list("set-cookie")]
    assert len(cookies) == 2
    for cookie in cookies:
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert "secure" not in cookie
    me = (await anonymous.get("/api/me")).json()
    assert (me["email"], [row["role"] for row in me["organizations"]]) == (EMAIL, ["member"])
    headers = {"Authorization": f"Bearer {answer.json()['accessToken']}"}
    async with httpx.AsyncClient(base_url=serve, headers=headers) as program:
        assert (await program.get("/api/me")).json() == me


async def test_a_wrong_password_and_an_unknown_e_mail_are_told_alike(
    platform: Any, anonymous: httpx.AsyncClient
) -> None:
    await joined(platform)
    wrong = await signed_in_by(anonymous, "another river at dusk")
    body = {"email": "nobody@example.org", "password": PASSWORD}
    unknown = await anonymous.post("/api/auth/sign-in", json=body)
    assert (wrong.status_code, wrong.json()) == (401, unknown.json())
    assert not anonymous.cookies


@pytest.mark.parametrize("sent", [{"Origin": "https://evil.example"}, {"Origin": "null"},
    {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}])  # fmt: skip
async def test_no_other_site_signs_anybody_in_or_out(
    platform: Any, anonymous: httpx.AsyncClient, sent: dict[str, str]
) -> None:
    await joined(platform)
    body = {"email": EMAIL, "password": PASSWORD}
    refused = await anonymous.post("/api/auth/sign-in", json=body, headers=sent)
    assert (refused.status_code, refused.headers.get("set-cookie")) == (403, None)
    await signed_in_by(anonymous)
    for path in ("refresh", "sign-out", "sign-out-everywhere"):
        refused = await anonymous.post(f"/api/auth/{path}", headers=sent)
        assert (refused.status_code, refused.headers.get("set-cookie")) == (403, None), path
    assert (await anonymous.get("/api/me")).status_code == 200


async def test_a_session_is_renewed_and_a_secret_that_is_used_again_later_ends_it(
    platform: Any, anonymous: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    await joined(platform)
    await signed_in_by(anonymous)
    first = anonymous.cookies["whence_refresh"]
    assert (await anonymous.post("/api/auth/refresh")).status_code == 200
    assert anonymous.cookies["whence_refresh"] != first
    assert (await anonymous.get("/api/me")).status_code == 200
    monkeypatch.setattr(refreshing, "GRACE", timedelta(0))
    headers = {"Cookie": f"whence_refresh={first}"}
    again = await anonymous.post("/api/auth/refresh", headers=headers)
    assert again.status_code == 401
    assert (await anonymous.get("/api/me")).status_code == 401


async def test_signing_out_ends_the_session_at_the_server(
    platform: Any, anonymous: httpx.AsyncClient
) -> None:
    await joined(platform)
    await signed_in_by(anonymous)
    cookies = dict(anonymous.cookies)
    own = {"Sec-Fetch-Site": "same-origin"}
    assert (await anonymous.post("/api/auth/sign-out", headers=own)).status_code == 204
    assert not anonymous.cookies
    for name, value in cookies.items():
        headers = {"Cookie": f"{name}={value}"}
        assert (await anonymous.get("/api/me", headers=headers)).status_code == 401
        assert (await anonymous.post("/api/auth/refresh", headers=headers)).status_code == 401


async def test_signing_out_works_when_the_access_token_has_run_out(
    platform: Any, anonymous: httpx.AsyncClient
) -> None:
    await joined(platform)
    await signed_in_by(anonymous)
    refresh = anonymous.cookies["whence_refresh"]
    headers = {"Cookie": f"whence_access=x.y.z; whence_refresh={refresh}"}
    own = headers | {"Sec-Fetch-Site": "same-origin"}
    assert (await anonymous.post("/api/auth/sign-out", headers=own)).status_code == 204
    assert (await anonymous.post("/api/auth/refresh", headers=headers)).status_code == 401


async def test_a_new_password_ends_the_other_sessions(
    platform: Any, anonymous: httpx.AsyncClient, serve: str
) -> None:
    await joined(platform)
    await signed_in_by(anonymous)
    own = {"Sec-Fetch-Site": "same-origin"}
    body = {"old": PASSWORD, "new": "another river at dusk"}
    async with httpx.AsyncClient(base_url=serve) as other:
        await signed_in_by(other)
        changed = await anonymous.post("/api/auth/password", json=body, headers=own)
        assert changed.status_code == 204
        assert (await other.get("/api/me")).status_code == 401
        assert (await signed_in_by(other)).status_code == 401
    assert (await anonymous.get("/api/me")).status_code == 200


async def test_an_invitation_makes_a_member_once(
    platform: Any, anonymous: httpx.AsyncClient, person: Any
) -> None:
    owner = await person(platform.owner)
    made = await owner.post("/api/invitations", json={"email": EMAIL, "role": "viewer"})
    assert (made.status_code, made.json()["path"][:14]) == (201, "/accept?token=")
    body = {"token": made.json()["token"], "name": "Ada", "password": PASSWORD}
    accepted = await anonymous.post("/api/auth/accept", json=body)
    assert (accepted.status_code, accepted.json()["role"]) == (200, "viewer")
    assert (await anonymous.post("/api/auth/accept", json=body)).status_code == 401
    [row] = (await owner.get("/api/invitations")).json()
    assert row["acceptedAt"]
    assert "token" not in row
    document = {row["email"]: row["role"] for row in (await owner.get("/api/members")).json()}
    assert document[EMAIL] == "viewer"


async def test_another_role_and_a_removal_count_at_once(
    platform: Any, person: Any, new_principal: Any
) -> None:
    owner = await person(platform.owner)
    who = new_principal(Role.MEMBER, platform.owner.org_id)
    member = await person(who)
    assert (await member.post("/api/notes", json={"title": "A"})).status_code == 201
    path = f"/api/members/{who.user_id}"
    assert (await owner.patch(path, json={"role": "viewer"})).status_code == 204
    assert (await member.post("/api/notes", json={"title": "A"})).status_code == 403
    assert (await owner.delete(path)).status_code == 204
    assert (await member.get("/api/notes")).status_code == 401
    last = await owner.delete(f"/api/members/{platform.owner.user_id}")
    assert (last.status_code, last.json()["type"]) == (409, "/problems/conflict")


async def test_a_person_of_two_organizations_moves_between_them(
    platform: Any, anonymous: httpx.AsyncClient, new_principal: Any
) -> None:
    await joined(platform)
    there = new_principal(Role.OWNER)
    secret = await invitations.invite(platform.db, there, EMAIL, Role.VIEWER)
    await invitations.accept(platform.db, secret, "", PASSWORD)
    await signed_in_by(anonymous)
    own = {"Sec-Fetch-Site": "same-origin"}
    created_at = (await anonymous.get("/api/sessions")).json()[0]["createdAt"]
    await anonymous.post("/api/notes", json={"title": "here"}, headers=own)
    old = anonymous.cookies["whence_access"]
    body = {"organizationId": str(there.org_id)}
    moved = await anonymous.post("/api/auth/switch", json=body, headers=own)
    assert (moved.status_code, moved.json()["role"]) == (200, "viewer")
    assert (await anonymous.get("/api/notes")).json()["items"] == []
    assert (await anonymous.get("/api/me")).json()["organizationId"] == str(there.org_id)
    assert (await anonymous.get("/api/sessions")).json()[0]["createdAt"] == created_at
    headers = {"Cookie": f"whence_access={old}"}
    assert (await anonymous.get("/api/me", headers=headers)).status_code == 401


async def test_sessions_are_listed_and_ended_one_by_one(platform: Any, person: Any) -> None:
    here, there = await person(platform.owner), await person(platform.owner)
    rows = (await here.get("/api/sessions")).json()
    assert [row["isCurrent"] for row in rows].count(True) == 1
    [other] = [row["id"] for row in rows if not row["isCurrent"]]
    assert (await here.delete(f"/api/sessions/{other}")).status_code == 204
    assert (await there.get("/api/me")).status_code == 401
    assert (await here.post("/api/auth/sign-out-everywhere")).json() == {"ended": 1}
    assert (await here.get("/api/me")).status_code == 401
