"""Access tokens under attack: only what we signed, for here, now, and a living session, opens."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import jwt
import pytest

from whence.kernel.clock import now
from whence.kernel.ids import new_id
from whence.tenancy import installation, sessions
from whence.tenancy.access import AUDIENCE, ISSUER, LEEWAY_SECONDS, SessionEnded
from whence.tenancy.sessions import Started

pytestmark = pytest.mark.anyio


@dataclass(frozen=True)
class Forge:
    """The real key, and claims that would open the session: to change one thing at a time."""

    key: bytes
    kid: str
    claims: dict[str, Any]

    def token(self, algorithm: str = "HS256", **claims: Any) -> str:
        body = {k: v for k, v in (self.claims | claims).items() if v is not None}
        return jwt.encode(body, self.key, algorithm, headers={"kid": self.kid})


@pytest.fixture
async def started(platform: Any) -> Started:
    return await sessions.start(
        platform.db, platform.owner, label="Firefox", settings=platform.settings
    )


@pytest.fixture
def forge(started: Started, sql: Any) -> Forge:
    [(kid, key)] = sql("SELECT id, secret FROM whence.signing_keys")
    who = started.who
    claims = {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "sub": str(who.user_id),
        "org": str(who.org_id),
        "sid": str(who.credential),
        "iat": now(),
        "exp": now() + timedelta(minutes=5),
    }
    return Forge(bytes(key), str(kid), claims)


async def test_what_the_real_key_signed_in_full_opens(platform: Any, forge: Forge) -> None:
    assert await sessions.authenticate(platform.db, forge.token()) == platform.owner


OLD = timedelta(seconds=LEEWAY_SECONDS + 5)


@pytest.mark.parametrize(
    "claims",
    [
        {"exp": now() - OLD},
        {"exp": None},
        {"aud": "another-api"},
        {"aud": None},
        {"iss": "another"},
        {"iss": None},
        {"iat": now() + timedelta(hours=1)},
        {"sub": str(new_id())},
        {"org": str(new_id())},
        {"sid": str(new_id())},
        {"org": None},
        {"sid": "no id"},
        {"sub": ""},
    ],
    ids="-".join,
)
async def test_one_wrong_claim_closes_it(
    platform: Any, forge: Forge, claims: dict[str, Any]
) -> None:
    with pytest.raises(SessionEnded):
        await sessions.authenticate(platform.db, forge.token(**claims))


@pytest.mark.parametrize("algorithm", ["HS384", "HS512"])
async def test_another_algorithm_closes_it_even_with_the_right_key(
    platform: Any, forge: Forge, algorithm: str
) -> None:
    with pytest.raises(SessionEnded):
        await sessions.authenticate(platform.db, forge.token(algorithm))


@pytest.mark.parametrize("algorithm", ["none", "None", "NONE", "HS256", "RS256"])
async def test_a_token_without_a_signature_is_refused(
    platform: Any, forge: Forge, algorithm: str
) -> None:
    head = _part({"alg": algorithm, "typ": "JWT", "kid": forge.kid})
    body = forge.token().split(".")[1]
    for signature in ("", "AAAA"):
        with pytest.raises(SessionEnded):
            await sessions.authenticate(platform.db, f"{head}.{body}.{signature}")


async def test_another_key_is_refused(platform: Any, forge: Forge) -> None:
    for key in (b"\x00" * 32, b"x" * 32, forge.key[::-1]):
        with pytest.raises(SessionEnded):
            await sessions.authenticate(platform.db, replace(forge, key=key).token())
    with pytest.raises(SessionEnded):
        await sessions.authenticate(platform.db, replace(forge, kid=str(new_id())).token())
    with pytest.raises(SessionEnded):
        await sessions.authenticate(platform.db, replace(forge, kid="' OR true").token())


async def test_changed_contents_are_refused(platform: Any, started: Started, forge: Forge) -> None:
    head, _, signature = started.access.split(".")
    claims = {k: str(v) for k, v in forge.claims.items()} | {"exp": 9_999_999_999, "iat": 1}
    with pytest.raises(SessionEnded):
        await sessions.authenticate(platform.db, f"{head}.{_part(claims)}.{signature}")


async def test_the_session_of_one_organization_does_not_open_another(
    platform: Any, forge: Forge, new_principal: Any, sql: Any
) -> None:
    elsewhere = new_principal()
    sql(
        "INSERT INTO whence.memberships (org_id, user_id, role) VALUES (%s, %s, 'owner')",
        (elsewhere.org_id, platform.owner.user_id),
    )
    with pytest.raises(SessionEnded):
        await sessions.authenticate(platform.db, forge.token(org=str(elsewhere.org_id)))


@pytest.mark.parametrize(
    "garbage",
    ["", ".", "..", "a.b.c", "whence_x", "é", "\x00", "\ud800", "x" * 20_000, "{}", "null.null."],
    ids=range(11),
)
async def test_what_is_no_token_is_refused(platform: Any, garbage: str) -> None:
    with pytest.raises(SessionEnded):
        await sessions.authenticate(platform.db, garbage)


async def test_a_key_that_was_rotated_out_signs_nothing_more(
    platform: Any, started: Started, database_url: str, sql: Any
) -> None:
    installation.rotate_keys(database_url, timedelta(minutes=10))
    assert await sessions.authenticate(platform.db, started.access) == platform.owner
    later = await sessions.refresh(platform.db, started.refresh, settings=platform.settings)
    assert jwt.get_unverified_header(later.access) != jwt.get_unverified_header(started.access)
    installation.rotate_keys(database_url, timedelta(0))
    for access in (started.access, later.access):
        with pytest.raises(SessionEnded):
            await sessions.authenticate(platform.db, access)
    assert len(sql("SELECT 1 FROM whence.signing_keys")) == 1


async def test_a_key_holds_no_longer_than_the_grace_of_its_rotation(
    platform: Any, started: Started, database_url: str, sql: Any
) -> None:
    installation.rotate_keys(database_url, timedelta(minutes=10))
    sql("UPDATE whence.signing_keys SET ends_at = ends_at - interval '10 minutes'")
    with pytest.raises(SessionEnded):
        await sessions.authenticate(platform.db, started.access)


async def test_an_access_token_tells_ids_and_nothing_of_the_person(started: Started) -> None:
    body = jwt.decode(started.access, options={"verify_signature": False})
    assert set(body) == {"iss", "aud", "sub", "org", "sid", "iat", "exp"}
    assert all(UUID(body[name]) for name in ("sub", "org", "sid"))


def _part(value: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")
