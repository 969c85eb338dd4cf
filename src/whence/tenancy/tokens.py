"""Bearer tokens: API tokens, browser sessions, and the one-time sign-in link.

A token is `whence_` and 32 random bytes; the database keeps its SHA-256 only.  Finding one needs
no tenant: row-level security lets a caller read exactly the row whose hash it presents.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from sqlalchemy import ColumnElement, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.database import Database
from whence.kernel.clock import now
from whence.kernel.errors import Forbidden, Invalid, NotFound, Unauthorized
from whence.tenancy.principal import SCOPES, Principal, Role, Scope
from whence.tenancy.tables import ApiToken, Membership

TokenKind = Literal["api", "session", "sign_in"]
SIGN_IN_LIFETIME = timedelta(hours=24)
SESSION_LIFETIME = timedelta(days=14)
_ENTER = text("SELECT set_config('whence.org_id', :org, true)")
"""The token names the tenant; the rest of its transaction works for that one."""
_TOUCH_AFTER = timedelta(minutes=1)
"""`last_used_at` is only this exact, so that reading does not write every time."""


class BadToken(Unauthorized):
    """This token is unknown, expired or revoked; make a new one with `whence token create`."""


async def issue(
    db: Database,
    owner: Principal,
    name: str,
    *,
    kind: TokenKind = "api",
    scopes: Collection[Scope] | None = None,
    lifetime: timedelta | None = None,
) -> str:
    """Make a token for the principal; its text is returned here and never again.

    Raises Forbidden for scopes that the principal lacks, Invalid for an empty name.
    """
    granted = frozenset(owner.scopes if scopes is None else scopes)
    if not granted <= owner.scopes:
        raise Forbidden("A token cannot have a scope that its owner lacks.")
    if not name.strip():
        raise Invalid("A token needs a name, so that you recognise it in the list.")
    secret = "whence_" + secrets.token_urlsafe(32)
    async with db.unit(owner.org_id) as session:
        session.add(
            ApiToken(
                user_id=owner.user_id,
                name=name.strip(),
                kind=kind,
                prefix=secret[:12],
                token_hash=_hash(secret),
                scopes=sorted(granted),
                expires_at=now() + lifetime if lifetime else None,
            )
        )
    return secret


async def authenticate(db: Database, secret: str, kinds: Collection[TokenKind]) -> Principal:
    """The principal behind a token of one of `kinds`; raises BadToken."""
    async with db.unit(None) as session:
        await _present(session, secret)
        found = (
            await session.scalars(select(ApiToken).where(ApiToken.token_hash == _hash(secret)))
        ).one_or_none()
        if found is None or found.kind not in kinds or not _alive(found, now()):
            raise BadToken
        await session.execute(_ENTER, {"org": str(found.org_id)})
        membership = await session.get(Membership, (found.org_id, found.user_id))
        if membership is None:
            raise BadToken
        if found.last_used_at is None or now() - found.last_used_at > _TOUCH_AFTER:
            await session.execute(
                update(ApiToken).where(ApiToken.id == found.id).values(last_used_at=now())
            )
    role = Role(membership.role)
    scopes = SCOPES[role] & {Scope(scope) for scope in found.scopes}
    return Principal(found.org_id, found.user_id, role, scopes)


async def redeem(db: Database, secret: str) -> tuple[Principal, str]:
    """Trade a one-time sign-in token for a session token; a second try raises BadToken."""
    who = await authenticate(db, secret, ("sign_in",))
    async with db.unit(who.org_id) as session:
        spent = await session.execute(
            update(ApiToken)
            .where(ApiToken.token_hash == _hash(secret), ApiToken.revoked_at.is_(None))
            .values(revoked_at=now())
            .returning(ApiToken.id)
        )
        if spent.one_or_none() is None:
            raise BadToken
    return who, await issue(db, who, "browser", kind="session", lifetime=SESSION_LIFETIME)


async def listed(db: Database, owner: Principal) -> list[ApiToken]:
    """The principal's API tokens (an owner's: the organization's), newest first, no secrets."""
    rows = select(ApiToken).where(ApiToken.kind == "api", *_manages(owner))
    async with db.unit(owner.org_id) as session:
        return list(await session.scalars(rows.order_by(ApiToken.created_at.desc())))


async def revoke(db: Database, owner: Principal, token_id: UUID) -> None:
    """End one of the principal's tokens (an owner: any) at once; raises NotFound."""
    async with db.unit(owner.org_id) as session:
        done = await session.execute(
            update(ApiToken)
            .where(ApiToken.id == token_id, *_manages(owner))
            .values(revoked_at=now())
            .returning(ApiToken.id)
        )
        if done.one_or_none() is None:
            raise NotFound("There is no such token.")


def _manages(owner: Principal) -> list[ColumnElement[bool]]:
    return [] if owner.role is Role.OWNER else [ApiToken.user_id == owner.user_id]


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode(errors="surrogatepass")).digest()


def _alive(token: ApiToken, at: datetime) -> bool:
    return token.revoked_at is None and (token.expires_at is None or token.expires_at > at)


async def _present(session: AsyncSession, secret: str) -> None:
    await session.execute(
        text("SELECT set_config('whence.token_hash', :hash, true)"), {"hash": _hash(secret).hex()}
    )
