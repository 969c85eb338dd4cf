"""Invitations: a secret link with which somebody joins an organization, once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.database import Database
from whence.db.statements import storable_text
from whence.kernel.clock import now
from whence.kernel.errors import Conflict, Invalid, NotFound
from whence.kernel.ids import new_id
from whence.tenancy import passwords, sign_in_throttle
from whence.tenancy.accounts import BadLink, WrongCredentials
from whence.tenancy.audit import ACCOUNT, attempt, audit, audit_account
from whence.tenancy.email import normal_email
from whence.tenancy.passwords import Parameters
from whence.tenancy.principal import Principal, Role, principal, require_owner
from whence.tenancy.secret import ENTER, hashed, new_secret, present
from whence.tenancy.tables import InvitationRow

LIFETIME = timedelta(days=7)
"""Long enough for a holiday weekend and a colleague who reads mail twice a week."""
NAME_LENGTH = 200
"""Characters of a person's name."""
_OVER, _WRONG = "the link is used or over", "wrong password"
_IS_MEMBER = text("""
    SELECT EXISTS (SELECT FROM whence.memberships m JOIN whence.users u ON u.id = m.user_id
    WHERE m.org_id = whence.current_org() AND lower(u.email) = :email)
""")
_SALT = text("SELECT salt, parameters FROM whence.password_salt(:email)")
_ORGANIZATION = text("SELECT name FROM whence.organizations WHERE org_id = whence.current_org()")
_ACCEPT = text("""
    SELECT outcome, org, member, as_role FROM whence.accept_invitation(
        :invitation, :fresh, :name, :salt, :parameters, :digest)
""")


@dataclass(frozen=True)
class Invitation:
    """An invitation in a list, without its secret."""

    id: UUID
    email: str
    role: Role
    invited_by: UUID
    created_at: datetime
    expires_at: datetime
    accepted_at: datetime | None
    withdrawn_at: datetime | None


@dataclass(frozen=True)
class Offer:
    """An invitation as shown to the holder of its link."""

    email: str
    role: Role
    organization: str
    expires_at: datetime


async def invite(db: Database, who: Principal, email: str, role: Role) -> str:
    """Invite somebody; the link's secret is returned only here.

    An earlier open invitation of the same address is withdrawn.  Raises Forbidden except for
    owners, Invalid for a bad address, Conflict if that person is a member already.
    """
    require_owner(who)
    email, secret, at = normal_email(email), new_secret("whi_"), now()
    async with db.unit(who.org_id) as session:
        if await session.scalar(_IS_MEMBER, {"email": email}):
            raise Conflict("This person is already a member; change their role instead.")
        await session.execute(
            update(InvitationRow)
            .where(InvitationRow.email == email, *_open(at))
            .values(withdrawn_at=at)
        )
        row = InvitationRow(
            id=new_id(),
            email=email,
            role=role.value,
            token_hash=hashed(secret),
            invited_by=who.user_id,
            created_at=at,
            expires_at=at + LIFETIME,
        )
        session.add(row)
        await audit(session, who, "invite", ACCOUNT, row.id, {"email": email, "role": role.value})
    return secret


async def offer(db: Database, secret: str) -> Offer:
    """The offer of an invitation link; raises BadLink."""
    async with db.unit(None) as session:
        row = await _presented(session, secret)
        organization = await session.scalar(_ORGANIZATION)
    return Offer(row.email, Role(row.role), str(organization), row.expires_at)


async def accept(
    db: Database, secret: str, name: str, password: str, *, address: str = "unknown"
) -> Principal:
    """Accept an invitation with a new account, or with the password of an existing one.

    Raises BadLink if it was used, withdrawn, has expired or its author is no longer an owner;
    WrongCredentials if the account exists and this is not its password; TooManyTries; WeakPassword
    and Invalid (no name) for a new account.
    """
    try:
        async with db.unit(None) as session:
            row = await _presented(session, secret)
            organization = str(await session.scalar(_ORGANIZATION))
    except BadLink:
        await _record_failure(db, secret, address, _OVER)
        raise
    async with db.unit(None) as session:
        account = (await session.execute(_SALT, {"email": row.email})).one_or_none()
    # Only a password that is there can be guessed.
    this = await sign_in_throttle.count(db, row.email, address) if account else None
    if account:
        password_hash = await passwords.hashed(
            password, bytes(account[0]), Parameters.parsed(account[1])
        )
    else:
        password = passwords.checked(password, names=[row.email, organization])
        password_hash = await passwords.hashed(password)
    shown = storable_text(name).strip()[:NAME_LENGTH]
    if not account and not shown:
        raise Invalid("A new account needs a name.")
    values = {"invitation": hashed(secret), "fresh": new_id(), "name": shown}
    values |= {
        "salt": password_hash.salt,
        "parameters": str(password_hash.parameters),
        "digest": password_hash.digest,
    }
    async with db.unit(None) as session:
        outcome, org_id, user_id, role = (await session.execute(_ACCEPT, values)).one()
        if outcome == "accepted":
            await session.execute(ENTER, {"org": str(org_id)})
            who = principal(org_id, user_id, Role(role))
            await audit(session, who, "accept_invitation", ACCOUNT, row.id, {"email": row.email})
    if outcome == "unknown":
        await _record_failure(db, secret, address, _OVER)
        raise BadLink
    if outcome == "wrong":
        await _record_failure(db, secret, address, _WRONG)
        raise WrongCredentials("You already have an account here; accept with its password.")
    if this:
        await sign_in_throttle.forgive(db, this)
    return principal(org_id, user_id, Role(role))


async def listed(db: Database, who: Principal) -> list[Invitation]:
    """The organization's invitations, newest first; raises Forbidden except for owners."""
    require_owner(who)
    async with db.unit(who.org_id) as session:
        rows = await session.scalars(select(InvitationRow).order_by(InvitationRow.id.desc()))
        return [
            Invitation(
                id=row.id,
                email=row.email,
                role=Role(row.role),
                invited_by=row.invited_by,
                created_at=row.created_at,
                expires_at=row.expires_at,
                accepted_at=row.accepted_at,
                withdrawn_at=row.withdrawn_at,
            )
            for row in rows
        ]


async def withdraw(db: Database, who: Principal, invitation_id: UUID) -> None:
    """Withdraw an open invitation; raises Forbidden except for owners, NotFound."""
    require_owner(who)
    at = now()
    done = (
        update(InvitationRow)
        .where(InvitationRow.id == invitation_id, *_open(at))
        .values(withdrawn_at=at)
        .returning(InvitationRow.email)
    )
    async with db.unit(who.org_id) as session:
        email = await session.scalar(done)
        if email is None:
            raise NotFound("There is no such open invitation.")
        await audit(session, who, "withdraw_invitation", ACCOUNT, invitation_id, {"email": email})


async def _record_failure(db: Database, secret: str, address: str, why: str) -> None:
    """Record a failed use of an invitation in the organization that made it and, for a wrong
    password, in those of the account; an unknown secret is not recorded."""
    digest, tried = hashed(secret), attempt(address, why=why)
    async with db.unit(None) as session:
        await present(session, "whence.invitation_hash", digest)
        query = select(InvitationRow).where(InvitationRow.token_hash == digest)
        row = (await session.scalars(query)).one_or_none()
        if row is None:
            return
        await session.execute(ENTER, {"org": str(row.org_id)})
        # Whoever tried may have no account: the line bears the id of the one who invited.
        inviter = principal(row.org_id, row.invited_by, Role.OWNER)
        detail = {"email": row.email} | tried
        await audit(session, inviter, "accept_failed", ACCOUNT, row.id, detail)
        if why == _WRONG:
            await audit_account(session, row.email, "accept_failed", tried)


def _open(at: datetime):
    return (
        InvitationRow.accepted_at.is_(None),
        InvitationRow.withdrawn_at.is_(None),
        InvitationRow.expires_at > at,
    )


async def _presented(session: AsyncSession, secret: str) -> InvitationRow:
    """The open invitation with this secret; the rest of the transaction works for its tenant."""
    digest = hashed(secret)
    await present(session, "whence.invitation_hash", digest)
    query = select(InvitationRow).where(InvitationRow.token_hash == digest, *_open(now()))
    row = (await session.scalars(query)).one_or_none()
    if row is None:
        raise BadLink
    await session.execute(ENTER, {"org": str(row.org_id)})
    return row
