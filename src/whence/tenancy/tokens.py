"""Bearer tokens: API tokens, and the one-time sign-in link.

A token is `whence_` and 32 random bytes; the database stores only its SHA-256.  Looking one up
needs no tenant: row-level security lets a caller read exactly the row whose hash it presents.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from sqlalchemy import select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.database import Database
from whence.kernel.clock import now
from whence.kernel.errors import Forbidden, Invalid, NotFound, Unauthorized
from whence.kernel.ids import new_id
from whence.tenancy.audit import ACCOUNT, audit
from whence.tenancy.principal import SCOPES, Principal, Role, Scope
from whence.tenancy.secret import ENTER, REVOKED, hashed, new_secret, present
from whence.tenancy.tables import ApiToken, Membership

TokenKind = Literal["api", "sign_in"]
SIGN_IN_LIFETIME = timedelta(hours=24)
PREFIX_LENGTH = 12
"""Readable characters of a token, `whence_` and five: 30 of its 256 random bits."""
_TOUCH_AFTER = timedelta(minutes=1)
"""`last_used_at` is only this precise, so that not every read writes."""
_LISTED = text("""
    SELECT t.id, t.name, t.prefix, t.scopes, t.created_at, t.expires_at, t.last_used_at,
        t.revoked_at, t.user_id, u.name AS owner_name, u.email AS owner_email
    FROM whence.api_tokens t JOIN whence.users u ON u.id = t.user_id
    WHERE t.kind = 'api' AND (:all OR t.user_id = :user) ORDER BY t.created_at DESC, t.id DESC
""")
_REVOKE = text("""
    WITH RECURSIVE ended AS (
        SELECT id FROM whence.api_tokens WHERE id = :id AND (:all OR user_id = :user)
        UNION SELECT t.id FROM whence.api_tokens t JOIN ended ON t.parent_id = ended.id)
    UPDATE whence.api_tokens t SET revoked_at = coalesce(t.revoked_at, :at) FROM ended
    WHERE t.id = ended.id RETURNING t.user_id, t.name, t.id
""")


class BadToken(Unauthorized):
    """This token is unknown, expired or revoked; create a new one with `whence token create`."""


@dataclass(frozen=True)
class Token:
    """A token in a list: without its secret, with its owner."""

    id: UUID
    name: str
    prefix: str
    scopes: list[str]
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    revoked_at: datetime | None
    user_id: UUID
    owner_name: str
    owner_email: str


async def issue(
    db: Database,
    owner: Principal,
    name: str,
    *,
    kind: TokenKind = "api",
    scopes: Collection[Scope] | None = None,
    lifetime: timedelta | None = None,
) -> str:
    """Create a token for the principal; its text is returned only here.

    A token ends at the latest with the token that created it.  Raises Forbidden for scopes the
    principal lacks, and if the principal's own token may not write or ends before the new one
    would; Invalid for an empty name, PersonOnly for an agent.
    """
    owner.require_person()
    granted = frozenset(owner.scopes if scopes is None else scopes)
    if not granted <= owner.scopes:
        raise Forbidden("A token cannot have a scope that its owner lacks.")
    if not name.strip():
        raise Invalid("A token needs a name, so that you can recognise it in the list.")
    secret, at, token_id = new_secret("whence_"), now(), new_id()
    async with db.unit(owner.org_id) as session:
        parent = await _parent(session, owner)
        if parent is not None:
            owner.require(Scope.WRITE)
        session.add(
            ApiToken(
                id=token_id,
                user_id=owner.user_id,
                name=name.strip(),
                kind=kind,
                prefix=secret[:PREFIX_LENGTH],
                token_hash=hashed(secret),
                scopes=sorted(granted),
                created_at=at,
                expires_at=_end_of(parent, at, lifetime),
                parent_id=parent.id if parent else None,
            )
        )
        detail = {"name": name.strip(), "kind": kind, "scopes": sorted(granted)}
        await audit(session, owner, "create_token", ACCOUNT, token_id, detail)
    return secret


async def authenticate(db: Database, secret: str, kinds: Collection[TokenKind]) -> Principal:
    """The principal of a token of one of `kinds`; raises BadToken."""
    async with db.unit(None) as session:
        await present(session, "whence.token_hash", hashed(secret))
        token = (
            await session.scalars(select(ApiToken).where(ApiToken.token_hash == hashed(secret)))
        ).one_or_none()
        if token is None or token.kind not in kinds or not _is_active(token, now()):
            raise BadToken
        await session.execute(ENTER, {"org": str(token.org_id)})
        membership = await session.get(Membership, (token.org_id, token.user_id))
        if membership is None:
            raise BadToken
        if token.last_used_at is None or now() - token.last_used_at > _TOUCH_AFTER:
            await session.execute(
                update(ApiToken).where(ApiToken.id == token.id).values(last_used_at=now())
            )
    role = Role(membership.role)
    scopes = SCOPES[role] & {Scope(scope) for scope in token.scopes}
    return Principal(token.org_id, token.user_id, role, scopes, token.id)


async def spend_link(db: Database, secret: str) -> Principal:
    """The principal of a one-time sign-in link, which it uses up; a second use raises BadToken."""
    who = await authenticate(db, secret, ("sign_in",))
    async with db.unit(who.org_id) as session:
        spent = await session.execute(
            update(ApiToken)
            .where(ApiToken.token_hash == hashed(secret), ApiToken.revoked_at.is_(None))
            .values(revoked_at=now())
            .returning(ApiToken.id)
        )
        if spent.one_or_none() is None:
            raise BadToken
    return replace(who, credential=None)


async def listed(db: Database, owner: Principal) -> list[Token]:
    """The principal's API tokens (an owner's: the organization's), newest first, without
    secrets."""
    async with db.unit(owner.org_id) as session:
        rows = await session.execute(_LISTED, _managed(owner))
        return [Token(**row) for row in rows.mappings()]


async def revoke(db: Database, owner: Principal, token_id: UUID) -> None:
    """Revoke one of the principal's tokens (an owner: any) at once, with all it created.

    Raises NotFound, PersonOnly.
    """
    owner.require_person()
    async with db.unit(owner.org_id) as session:
        values = _managed(owner) | {"id": token_id, "at": now()}
        rows = (await session.execute(_REVOKE, values)).all()
        if not rows:
            raise NotFound("There is no such token.")
        for user_id, name, revoked_id in rows:
            await audit(session, owner, "revoke_token", ACCOUNT, revoked_id, {"name": name})
            await session.execute(REVOKED, {"user": str(user_id)})


async def _parent(session: AsyncSession, owner: Principal) -> ApiToken | None:
    """The principal's own token, locked while this transaction lasts."""
    if owner.credential is None:
        return None
    parent = await session.scalar(
        select(ApiToken).where(ApiToken.id == owner.credential).with_for_update(read=True)
    )
    if parent is not None and not _is_active(parent, now()):
        raise BadToken
    return parent


def _end_of(parent: ApiToken | None, at: datetime, lifetime: timedelta | None) -> datetime | None:
    wanted = at + lifetime if lifetime else None
    if parent is None or parent.expires_at is None:
        return wanted
    if wanted is not None and wanted > parent.expires_at:
        raise Forbidden(
            "A token cannot create a token that outlives it; ask for a shorter lifetime."
        )
    return wanted or parent.expires_at


def _managed(owner: Principal) -> dict[str, object]:
    return {"all": owner.role is Role.OWNER, "user": owner.user_id}


def _is_active(token: ApiToken, at: datetime) -> bool:
    return token.revoked_at is None and (token.expires_at is None or token.expires_at > at)
