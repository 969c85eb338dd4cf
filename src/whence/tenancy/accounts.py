"""Accounts: sign-in with e-mail and password, changes of password, members and their roles."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import bindparam, delete, func, select, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.database import Database
from whence.kernel.errors import Conflict, Forbidden, Invalid, NotFound, Unauthorized
from whence.tenancy import passwords, sign_in_throttle
from whence.tenancy.audit import ACCOUNT, attempt, audit, audit_account
from whence.tenancy.email import normal_email
from whence.tenancy.passwords import Hashed, Parameters
from whence.tenancy.principal import Principal, Role, principal, require_owner
from whence.tenancy.secret import REVOKED, hashed
from whence.tenancy.sessions import end_sessions
from whence.tenancy.tables import Membership

_SALT = text("SELECT salt, parameters FROM whence.password_salt(:email)")
_VERIFY = text(
    "SELECT user_id, org_id, organization, role FROM whence.verify_password(:email, :digest)"
)
_REPLACE = text("SELECT whence.replace_password(:user, :old, :salt, :parameters, :digest)")
_SPEND = text("SELECT whence.spend_password_link(:link, :salt, :parameters, :digest)")
_LINK = text("SELECT email, organizations FROM whence.password_link_of(:link)")
_AUDIT_LINK = text("SELECT whence.audit_dead_link(:link, :detail)").bindparams(
    bindparam("detail", type_=JSONB)
)
_WITH_PASSWORD = text("SELECT whence.owners_with_password()")
_EMAIL = text("SELECT email FROM whence.users WHERE id = :user")
_MEMBERS = text("""
    SELECT m.user_id, u.email, u.name, m.role, m.created_at,
        (SELECT max(s.last_used_at) FROM whence.sessions s
         WHERE s.org_id = m.org_id AND s.user_id = m.user_id)
    FROM whence.memberships m JOIN whence.users u ON u.id = m.user_id
    WHERE m.org_id = whence.current_org() ORDER BY m.created_at, m.user_id
""")


class WrongCredentials(Unauthorized):
    """The e-mail or password is wrong; try again, or ask an operator for a new link."""


class BadLink(Unauthorized):
    """This link is unknown, was already used, or has expired; ask for a new one."""


class LastOwner(Conflict):
    """An organization needs an owner; make somebody else an owner first."""


@dataclass(frozen=True)
class Member:
    """A user in an organization."""

    user_id: UUID
    email: str
    name: str
    role: Role
    since: datetime
    last_seen_at: datetime | None


@dataclass(frozen=True)
class Belonging:
    """An organization of a user, with their role."""

    org_id: UUID
    name: str
    role: Role


async def sign_in(
    db: Database,
    email: str,
    password: str,
    *,
    address: str,
    organization: UUID | None = None,
    device: str | None = None,
) -> Principal:
    """The principal for an e-mail and password, in `organization` or the one joined first.

    `address` is where the request comes from; `device` is a refresh secret this browser was once
    given, so that other people's guessing does not slow it down.  Raises WrongCredentials, with the
    same message and after the same work for an unknown e-mail, and TooManyTries.
    """
    try:
        email = normal_email(email)
    except Invalid as error:
        raise WrongCredentials from error
    this = await sign_in_throttle.count(db, email, address, device)
    password_hash, rows = await verify(db, email, password)
    matches = [row for row in rows if organization in (None, row.who.org_id)]
    if not matches:
        async with db.unit(None) as session:
            await audit_account(session, email, "sign_in_failed", attempt(address))
        raise WrongCredentials
    await sign_in_throttle.forgive(db, this)
    who = matches[0].who
    if passwords.needs_rehash(password_hash):
        anew = await passwords.hashed(password)
        async with db.unit(None) as session:
            await _replace(session, who.user_id, password_hash.digest, anew)
    return who


@dataclass(frozen=True)
class Verified:
    """An organization a correct password gives access to."""

    who: Principal
    organization: str


async def verify(db: Database, email: str, password: str) -> tuple[Hashed, Sequence[Verified]]:
    """The account's password hash, and its memberships: none if the password is wrong."""
    async with db.unit(None) as session:
        row = (await session.execute(_SALT, {"email": email})).one_or_none()
    salt, parameters = (bytes(row[0]), Parameters.parsed(row[1])) if row else (None, None)
    password_hash = await passwords.hashed(password, salt, parameters)
    async with db.unit(None) as session:
        rows = (
            await session.execute(_VERIFY, {"email": email, "digest": password_hash.digest})
        ).all()
    return password_hash, [
        Verified(principal(org, user, Role(role)), organization)
        for user, org, organization, role in rows
    ]


async def change_password(db: Database, who: Principal, old: str, new: str) -> None:
    """Change the principal's password; all their other sessions end.

    Raises PersonOnly, WrongCredentials, TooManyTries, WeakPassword.
    """
    who.require_person()
    async with db.unit(who.org_id) as session:
        email: str | None = await session.scalar(_EMAIL, {"user": who.user_id})
    if email is None:
        raise WrongCredentials
    this = await sign_in_throttle.count(db, email, f"credential {who.credential}")
    password_hash, rows = await verify(db, email, old)
    if not rows:
        async with db.unit(None) as session:
            by = {"credential": str(who.credential)} if who.credential else {}
            await audit_account(session, email, "change_password_failed", by)
        raise WrongCredentials("That is not your current password.")
    await sign_in_throttle.forgive(db, this)
    new = passwords.checked(new, names=[email, *(row.organization for row in rows)])
    anew = await passwords.hashed(new)
    async with db.unit(who.org_id) as session:
        if not await _replace(session, who.user_id, password_hash.digest, anew):
            raise Conflict("The password was changed a moment ago; sign in with the new one.")
        spare = [who.credential] if who.credential else []
        await end_sessions(session, who, who.user_id, everywhere=True, spare=spare)
        await audit_account(session, email, "change_password", {})


async def reset_password(db: Database, token: str, new: str, *, address: str = "unknown") -> None:
    """Set a password with a one-time link; all sessions of the account end.

    Raises BadLink for a link that is unknown, used or expired, and WeakPassword (the link stays
    valid).
    """
    link = hashed(token)
    async with db.unit(None) as session:
        row = (await session.execute(_LINK, {"link": link})).one_or_none()
    if row is None:
        await _dead_link(db, link, address)
        raise BadLink
    anew = await passwords.hashed(passwords.checked(new, names=[row[0], *row[1]]))
    values = {"link": link, "salt": anew.salt, "digest": anew.digest}
    async with db.unit(None) as session:
        done = await session.scalar(_SPEND, values | {"parameters": str(anew.parameters)})
    if done is None:
        await _dead_link(db, link, address)
        raise BadLink


async def members(db: Database, who: Principal) -> list[Member]:
    """All members of the organization, longest member first; raises Forbidden except for owners."""
    require_owner(who)
    async with db.unit(who.org_id) as session:
        return [
            Member(user, email, name, Role(role), since, seen)
            for user, email, name, role, since, seen in await session.execute(_MEMBERS)
        ]


async def set_role(db: Database, who: Principal, user_id: UUID, role: Role) -> None:
    """Change a member's role, also for running sessions and tokens.

    Raises Forbidden except for owners, NotFound, LastOwner.
    """
    require_owner(who)
    async with db.unit(who.org_id) as session:
        owners = await _owners(session)
        if who.user_id not in owners:
            raise Forbidden("You are no longer an owner.")
        member = await session.get(Membership, (who.org_id, user_id), with_for_update=True)
        if member is None:
            raise NotFound("There is no such member.")
        if role is not Role.OWNER:
            require_another_owner(owners, await _with_password(session), user_id)
        before, member.role = member.role, role.value
        await audit(session, who, "set_role", ACCOUNT, user_id, {"before": before, "after": role})
        await session.execute(REVOKED, {"user": str(user_id)})


async def remove(db: Database, who: Principal, user_id: UUID) -> None:
    """Remove a member from the organization, with their sessions and tokens; anybody may leave.

    Raises Forbidden for removing others without being an owner, NotFound, LastOwner.
    """
    if user_id != who.user_id:
        require_owner(who)
    async with db.unit(who.org_id) as session:
        owners = await _owners(session)
        if user_id != who.user_id and who.user_id not in owners:
            raise Forbidden("You are no longer an owner.")
        require_another_owner(owners, await _with_password(session), user_id)
        gone = delete(Membership).where(
            Membership.user_id == user_id, Membership.org_id == who.org_id
        )
        if (await session.scalar(gone.returning(Membership.role))) is None:
            raise NotFound("There is no such member.")
        await audit(session, who, "remove_member", ACCOUNT, user_id, {})
        await session.execute(REVOKED, {"user": str(user_id)})


async def organizations(db: Database, who: Principal) -> list[Belonging]:
    """The organizations that the principal's user belongs to."""
    async with db.unit(who.org_id) as session:
        rows = await session.execute(
            text("SELECT org_id, name, role FROM whence.organizations_of(:user)"),
            {"user": who.user_id},
        )
        return [Belonging(org, name, Role(role)) for org, name, role in rows]


async def switch(db: Database, who: Principal, organization: UUID) -> Principal:
    """The same user in another organization of theirs; raises NotFound, PersonOnly."""
    who.require_person()
    for belonging in await organizations(db, who):
        if belonging.org_id == organization:
            return principal(organization, who.user_id, belonging.role)
    raise NotFound("You do not belong to such an organization.")


async def _owners(session: AsyncSession) -> list[UUID]:
    """The organization's owners, locked until this transaction ends."""
    rows = select(Membership.user_id).where(
        Membership.org_id == func.whence.current_org(), Membership.role == Role.OWNER.value
    )
    return list(await session.scalars(rows.order_by(Membership.user_id).with_for_update()))


async def _dead_link(db: Database, link: bytes, address: str) -> None:
    """Record the use of a link that is used or expired, if its account is known."""
    async with db.unit(None) as session:
        await session.execute(_AUDIT_LINK, {"link": link, "detail": attempt(address)})


async def _with_password(session: AsyncSession) -> list[UUID]:
    return list(await session.scalars(_WITH_PASSWORD))


async def _replace(session: AsyncSession, user: UUID, old: bytes, new: Hashed) -> bool:
    values = {"user": user, "old": old, "salt": new.salt, "digest": new.digest}
    return bool(await session.scalar(_REPLACE, values | {"parameters": str(new.parameters)}))


def require_another_owner(
    owners: Collection[UUID], with_password: Collection[UUID], leaving: UUID
) -> None:
    """Raise LastOwner if no other owner would remain, or none who can sign in.

    A password counts whether or not accounts are enabled: an operator's shell need not have the
    settings of the service.
    """
    rest = {owner for owner in owners if owner != leaving}
    if leaving not in owners:
        return
    if not rest:
        raise LastOwner
    if leaving in with_password and rest.isdisjoint(with_password):
        raise LastOwner(
            "An organization needs an owner who can sign in, and the others have no password; "
            "make somebody else one first, or set a password by `whence account reset`."
        )
