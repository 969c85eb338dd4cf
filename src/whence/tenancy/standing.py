"""What a principal may do now, long after it was authenticated: for streams that stay open."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import select

from whence.db.database import Database
from whence.kernel.clock import now
from whence.tenancy.access import SessionEnded
from whence.tenancy.principal import SCOPES, Principal, Role, Scope
from whence.tenancy.tables import ApiToken, Membership, SessionRow
from whence.tenancy.tokens import BadToken


async def standing(db: Database, who: Principal) -> Principal:
    """The same user in the same organization, with the role and scopes that they have now.

    A browser's session counts, not its access token: that one is renewed without the stream.
    Raises BadToken once the API token, the session (SessionEnded) or the membership is over.
    """
    at = now()
    async with db.unit(who.org_id) as session:
        membership = await session.get(Membership, (who.org_id, who.user_id))
        if membership is None:
            raise BadToken
        scopes = SCOPES[Role(membership.role)]
        if who.credential is not None:
            token = (
                await session.scalars(select(ApiToken).where(ApiToken.id == who.credential))
            ).one_or_none()
            if token is not None:
                expired = token.expires_at is not None and token.expires_at <= at
                if token.revoked_at is not None or expired or token.user_id != who.user_id:
                    raise BadToken
                scopes &= {Scope(scope) for scope in token.scopes}
            else:
                row = (
                    await session.scalars(select(SessionRow).where(SessionRow.id == who.credential))
                ).one_or_none()
                over = row is None or row.ended_at is not None or row.expires_at <= at
                if row is None or over or row.user_id != who.user_id:
                    raise SessionEnded
    return replace(who, role=Role(membership.role), scopes=scopes)
