"""Sessions of browsers: a short-lived access token, and a refresh secret that rotates on use."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import delete, func, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.database import Database
from whence.db.statements import storable_text
from whence.kernel.clock import now
from whence.kernel.errors import Forbidden, NotFound, Unauthorized
from whence.kernel.ids import new_id
from whence.kernel.settings import Settings
from whence.tenancy import access
from whence.tenancy.access import Claims, SessionEnded, SigningKey
from whence.tenancy.audit import ACCOUNT, audit
from whence.tenancy.principal import Principal, Role, principal
from whence.tenancy.refreshing import Refresh, Turns, Verdict, judged
from whence.tenancy.secret import ENTER, REVOKED, hashed, present
from whence.tenancy.tables import Membership, SessionRow

LONGEST = timedelta(days=90)
"""Maximum age of a session, however much it is used: somebody who copied its secret and keeps
refreshing it loses access then.  People enter their password four times a year."""
KEPT = timedelta(days=90)
"""How long an ended session is remembered, so that its browser still counts as known."""
NONCE_BYTES = 32
LABEL_LENGTH = 200
"""Characters of a label to store; a browser's name for itself may be longer."""
_KEY = text("SELECT id, secret FROM whence.signing_key()")
_ORGANIZATIONS = text("SELECT org_id FROM whence.organizations_of(:user)")


@dataclass(frozen=True)
class Started:
    """What a browser gets: both secrets with their expiry, and its principal."""

    access: str
    refresh: str
    access_expires_at: datetime
    refresh_expires_at: datetime
    who: Principal


@dataclass(frozen=True)
class Session:
    """A session in a list, without any secret."""

    id: UUID
    user_id: UUID
    label: str
    created_at: datetime
    last_used_at: datetime
    expires_at: datetime
    is_current: bool


class ReusedRefresh(Unauthorized):
    """This session's secret was used twice and may be stolen; the session has ended, sign in
    again."""


async def start(
    db: Database,
    who: Principal,
    *,
    label: str,
    settings: Settings,
    signed_in_at: datetime | None = None,
) -> Started:
    """Start a session for the principal; `label` is the browser's name for itself.

    `signed_in_at`: when the person signed in, if this session continues another one.  Raises
    SessionEnded for somebody who is no longer a member, PersonOnly for an agent.
    """
    who.require_person()
    at, secret, session_id = now(), Refresh.new(), new_id()
    shown = storable_text(label).strip()[:LABEL_LENGTH] or "unnamed"
    async with db.unit(who.org_id) as session:
        if await session.get(Membership, (who.org_id, who.user_id)) is None:
            raise SessionEnded
        over = func.coalesce(SessionRow.ended_at, SessionRow.expires_at) < at - KEPT
        await session.execute(delete(SessionRow).where(SessionRow.user_id == who.user_id, over))
        row = SessionRow(
            org_id=who.org_id,
            id=session_id,
            user_id=who.user_id,
            label=shown,
            family_hash=hashed(secret.family),
            secret_hash=hashed(str(secret)),
            created_at=signed_in_at or at,
            last_used_at=at,
            expires_at=_end_of(signed_in_at or at, at, settings),
        )
        session.add(row)
        await audit(session, who, "sign_in", ACCOUNT, who.user_id, {"session": str(session_id)})
        return await _started(session, row, who.role, secret, at, settings, who.org_id)


async def refresh(db: Database, secret: str, *, settings: Settings) -> Started:
    """A new access token and the next refresh secret in exchange for the current one.

    Raises SessionEnded if the session is over, ReusedRefresh if the secret was used before, which
    ends the session.  Within `refreshing.GRACE` a used one gets the same successor.
    """
    presented = Refresh.parsed(secret)
    if presented is None:
        raise SessionEnded
    at, family = now(), hashed(presented.family)
    async with db.unit(None) as session:
        await present(session, "whence.family_hash", family)
        by_family = select(SessionRow).where(SessionRow.family_hash == family)
        session_row = (await session.scalars(by_family)).one_or_none()
        if session_row is None:
            raise SessionEnded
        await session.execute(ENTER, {"org": str(session_row.org_id)})
        locked = by_family.with_for_update().execution_options(populate_existing=True)
        row = (await session.scalars(locked)).one_or_none()
        membership = row and await session.get(Membership, (row.org_id, row.user_id))
        if row is None or membership is None:
            raise SessionEnded
        role = Role(membership.role)
        match judged(_turns(row), hashed(secret), at):
            case Verdict.ENDED:
                raise SessionEnded
            case Verdict.KEEP:
                return await _started(session, row, role, presented, at, settings, row.org_id)
            case Verdict.REPEAT:
                successor = presented.after(row.nonce or b"")
                return await _started(session, row, role, successor, at, settings, row.org_id)
            case Verdict.ROTATE:
                successor = _rotate(row, presented, at, settings)
                return await _started(session, row, role, successor, at, settings, row.org_id)
            case Verdict.REUSED:
                who = principal(row.org_id, row.user_id, role)
                await _end(session, who, [row], "reuse", at)
                await audit(session, who, "reused_refresh", ACCOUNT, row.user_id, {})
    raise ReusedRefresh


async def authenticate(db: Database, access_token: str) -> Principal:
    """The principal of an access token, with the user's current role.

    Raises SessionEnded (a BadToken) for a token that is not ours or has expired, or whose session
    or membership has ended.
    """
    kid, written = access.unverified(access_token)
    rows = await db.rows(
        "SELECT secret, user_id, role FROM whence.session_state(%(kid)s, %(org)s, %(session)s)",
        {"kid": kid, "org": written.org, "session": written.sid},
    )
    if not rows or rows[0][0] is None:
        raise SessionEnded
    secret, user_id, role = rows[0]
    claims = access.verified(access_token, bytes(secret))
    if claims.sub != user_id:
        raise SessionEnded
    return replace(principal(claims.org, user_id, Role(role)), credential=claims.sid)


async def end(db: Database, who: Principal, session_id: UUID) -> None:
    """End one session of the principal (an owner: of the organization).

    Raises NotFound, PersonOnly.
    """
    who.require_person()
    async with db.unit(who.org_id) as session:
        ids = select(SessionRow).where(SessionRow.id == session_id, SessionRow.ended_at.is_(None))
        if who.role is not Role.OWNER:
            ids = ids.where(SessionRow.user_id == who.user_id)
        row = (await session.scalars(ids.with_for_update())).one_or_none()
        if row is None:
            raise NotFound("There is no such session.")
        await _end(session, who, [row], "sign_out", now())
        await audit(session, who, "sign_out", ACCOUNT, row.user_id, {"session": str(session_id)})


async def end_all(db: Database, who: Principal, user_id: UUID | None = None) -> int:
    """End all sessions of the principal, in all organizations; returns their number.

    With `user_id` an owner ends those of another member, in this organization only.  Raises
    Forbidden for anybody else's, PersonOnly.
    """
    who.require_person()
    other = user_id is not None and user_id != who.user_id
    if other and who.role is not Role.OWNER:
        raise Forbidden("Only an owner may sign another member out.")
    async with db.unit(who.org_id) as session:
        return await end_sessions(session, who, user_id or who.user_id, everywhere=not other)


async def end_sessions(
    session: AsyncSession,
    who: Principal,
    user_id: UUID,
    *,
    everywhere: bool,
    spare: Collection[UUID] = (),
) -> int:
    """Like `end_all`, in the caller's transaction; `spare` are sessions to keep."""
    orgs = [who.org_id]
    if everywhere:
        orgs = list(await session.scalars(_ORGANIZATIONS, {"user": user_id}))
    number = 0
    for org in orgs:
        await session.execute(ENTER, {"org": str(org)})
        living = (
            update(SessionRow)
            .where(SessionRow.user_id == user_id, SessionRow.ended_at.is_(None))
            .where(SessionRow.id.not_in(spare))
            .values(ended_at=now(), ended_by="everywhere")
            .returning(SessionRow.id)
        )
        number += len((await session.scalars(living)).all())
        await audit(session, who, "sign_out_everywhere", ACCOUNT, user_id, {})
    await session.execute(ENTER, {"org": str(who.org_id)})
    await session.execute(REVOKED, {"user": str(user_id)})
    return number


async def listed(db: Database, who: Principal) -> list[Session]:
    """The principal's active sessions (an owner's: the organization's), last used first."""
    rows = select(SessionRow).where(SessionRow.ended_at.is_(None), SessionRow.expires_at > now())
    if who.role is not Role.OWNER:
        rows = rows.where(SessionRow.user_id == who.user_id)
    async with db.unit(who.org_id) as session:
        session_rows = await session.scalars(rows.order_by(SessionRow.last_used_at.desc()))
        return [
            Session(
                id=row.id,
                user_id=row.user_id,
                label=row.label,
                created_at=row.created_at,
                last_used_at=row.last_used_at,
                expires_at=row.expires_at,
                is_current=row.id == who.credential,
            )
            for row in session_rows
        ]


async def signed_in_at(db: Database, who: Principal) -> datetime | None:
    """When the person signed in to the principal's session; None without a session."""
    mine = select(SessionRow.created_at).where(SessionRow.id == who.credential)
    async with db.unit(who.org_id) as session:
        return await session.scalar(mine)


def _end_of(signed_in: datetime, used: datetime, settings: Settings) -> datetime:
    return min(used + timedelta(days=settings.session_days), signed_in + LONGEST)


def _turns(row: SessionRow) -> Turns:
    return Turns(row.secret_hash, row.previous_hash, row.rotated_at, row.expires_at, row.ended_at)


def _rotate(row: SessionRow, presented: Refresh, at: datetime, settings: Settings) -> Refresh:
    nonce = secrets.token_bytes(NONCE_BYTES)
    successor = presented.after(nonce)
    row.nonce = nonce
    row.previous_hash, row.secret_hash = row.secret_hash, hashed(str(successor))
    row.rotated_at = row.last_used_at = at
    row.expires_at = _end_of(row.created_at, at, settings)
    return successor


async def _end(
    session: AsyncSession, who: Principal, rows: Collection[SessionRow], why: str, at: datetime
) -> None:
    for row in rows:
        row.ended_at, row.ended_by = at, why
        await session.execute(REVOKED, {"user": str(row.user_id)})


async def _started(
    session: AsyncSession,
    row: SessionRow,
    role: Role,
    secret: Refresh,
    at: datetime,
    settings: Settings,
    org_id: UUID,
) -> Started:
    key_id, key = (await session.execute(_KEY)).one()
    lifetime = timedelta(minutes=settings.access_minutes)
    claims = Claims(sub=row.user_id, org=org_id, sid=row.id)
    return Started(
        access=access.signed(claims, SigningKey(key_id, bytes(key)), at, lifetime),
        refresh=str(secret),
        access_expires_at=at + lifetime,
        refresh_expires_at=row.expires_at,
        who=replace(principal(org_id, row.user_id, role), credential=row.id),
    )
