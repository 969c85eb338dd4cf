"""The operator's actions from the command line: accounts and organizations.

They run as the database's owner, outside any organization: whoever can start them has the
database's address anyway.  Each action is in the audit log of the organizations concerned.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

import psycopg
from psycopg.rows import class_row
from psycopg.types.json import Jsonb

from whence.db.statements import storable_text
from whence.kernel.clock import now
from whence.kernel.errors import Invalid, NotFound
from whence.kernel.ids import new_id
from whence.tenancy.accounts import require_another_owner
from whence.tenancy.audit import ACCOUNT, BY_OPERATOR
from whence.tenancy.email import normal_email
from whence.tenancy.installation import Connection, organization_of
from whence.tenancy.passwords import Hashed
from whence.tenancy.principal import Principal, Role, principal
from whence.tenancy.secret import REVOCATIONS, hashed, new_secret

RESET_LIFETIME = timedelta(hours=1)
"""For links the operator hands over now (OWASP: a reset link is short-lived)."""
WELCOME_LIFETIME = timedelta(days=7)
"""As for an invitation: a new account's link may wait in a mailbox."""


class NotAMember(NotFound):
    """This account is not a member of that organization."""


@dataclass(frozen=True)
class AccountLine:
    """An account in one of its organizations."""

    email: str
    name: str
    organization: str
    role: str
    has_password: bool
    sessions: int
    last_seen_at: datetime | None


def listed(admin_url: str) -> list[AccountLine]:
    """All accounts, once for each of their organizations."""
    with psycopg.connect(admin_url) as connection:
        rows = connection.cursor(row_factory=class_row(AccountLine))
        return rows.execute("""
            SELECT u.email, u.name, coalesce(o.name, '-') AS organization,
                coalesce(m.role, '-') AS role,
                EXISTS (SELECT FROM whence.passwords p WHERE p.user_id = u.id) AS has_password,
                (SELECT count(*) FROM whence.sessions s WHERE s.org_id = m.org_id
                    AND s.user_id = u.id AND s.ended_at IS NULL AND s.expires_at > now())
                    AS sessions,
                (SELECT max(s.last_used_at) FROM whence.sessions s WHERE s.org_id = m.org_id
                    AND s.user_id = u.id) AS last_seen_at
            FROM whence.users u LEFT JOIN whence.memberships m ON m.user_id = u.id
            LEFT JOIN whence.organizations o ON o.org_id = m.org_id
            ORDER BY o.name, u.email
        """).fetchall()


def create(
    admin_url: str,
    email: str,
    *,
    name: str | None = None,
    role: Role = Role.MEMBER,
    organization: str | None = None,
    password: Hashed | None = None,
) -> str | None:
    """Create an account, or add an existing one to another organization.

    Returns the secret of a link that sets the password; None with `password`, and for an existing
    account, which keeps its own.  Raises Invalid if that person is a member already.
    """
    email = normal_email(email)
    shown = storable_text(name or email.partition("@")[0]).strip() or email
    with psycopg.connect(admin_url) as connection:
        org = organization_of(connection, organization)
        user = _user(connection, email)
        if user is not None and password is not None:
            raise Invalid(
                f"{email} has an account; `whence account reset {email}` sets a password."
            )
        is_new = user is None
        if user is None:
            user = new_id()
            connection.execute(
                "INSERT INTO whence.users (id, email, name) VALUES (%s, %s, %s)",
                (user, email, shown),
            )
        joined = connection.execute(
            "INSERT INTO whence.memberships (org_id, user_id, role) VALUES (%s, %s, %s)"
            " ON CONFLICT DO NOTHING",
            (org, user, role.value),
        )
        if not joined.rowcount:
            raise Invalid(f"{email} is already a member; `whence account role` changes the role.")
        _audit(connection, org, user, "create_account", {"email": email, "role": role.value})
        if password is not None:
            _set_password(connection, user, password)
        return _link(connection, user, WELCOME_LIFETIME) if is_new and not password else None


def reset(admin_url: str, email: str, password: Hashed | None = None) -> str | None:
    """The secret of a one-time link that sets a new password; earlier links end.

    With `password` it is set now, all sessions end, and there is no link.
    """
    with psycopg.connect(admin_url) as connection:
        user = _account_of(connection, email)
        connection.execute(
            "UPDATE whence.password_links SET used_at = now()"
            " WHERE user_id = %s AND used_at IS NULL",
            (user,),
        )
        _audit_everywhere(connection, user, "ask_reset" if password is None else "reset_password")
        if password is None:
            return _link(connection, user, RESET_LIFETIME)
        _set_password(connection, user, password)
        _end_sessions(connection, user, "reset")
        return None


def set_role(admin_url: str, email: str, role: Role, organization: str | None = None) -> None:
    """Change a member's role at once; raises NotFound, LastOwner."""
    with psycopg.connect(admin_url) as connection:
        user, org = _account_of(connection, email), organization_of(connection, organization)
        before = _role(connection, org, user, keeps_owners=role is Role.OWNER)
        connection.execute(
            "UPDATE whence.memberships SET role = %s WHERE org_id = %s AND user_id = %s",
            (role.value, org, user),
        )
        _audit(connection, org, user, "set_role", {"before": before, "after": role.value})
        _revoked(connection, user)


def remove(admin_url: str, email: str, organization: str | None = None) -> None:
    """Remove a member, with their sessions and tokens there; raises NotFound, LastOwner."""
    with psycopg.connect(admin_url) as connection:
        user, org = _account_of(connection, email), organization_of(connection, organization)
        _role(connection, org, user, keeps_owners=False)
        connection.execute(
            "DELETE FROM whence.memberships WHERE org_id = %s AND user_id = %s", (org, user)
        )
        _audit(connection, org, user, "remove_member", {})
        _revoked(connection, user)


def sign_out(admin_url: str, email: str, *, tokens: bool = False) -> tuple[int, int]:
    """End all sessions of an account, with `tokens` its API tokens too; returns the count of
    each."""
    with psycopg.connect(admin_url) as connection:
        user = _account_of(connection, email)
        sessions = _end_sessions(connection, user, "everywhere")
        revoked = 0
        if tokens:
            revoked = connection.execute(
                "UPDATE whence.api_tokens SET revoked_at = now()"
                " WHERE user_id = %s AND kind = 'api' AND revoked_at IS NULL",
                (user,),
            ).rowcount
        _audit_everywhere(connection, user, "sign_out_everywhere")
        return sessions, revoked


def end_link_sessions(admin_url: str) -> int:
    """End the sessions of people without a password, and their sign-in links that nobody used.

    The link of a server without accounts began them; with accounts only a password proves who
    somebody is.  Returns how many sessions ended.
    """
    with psycopg.connect(admin_url) as connection:
        connection.execute("""
            UPDATE whence.api_tokens SET revoked_at = now()
            WHERE kind = 'sign_in' AND revoked_at IS NULL
        """)
        users: list[tuple[UUID]] = connection.execute("""
            SELECT DISTINCT s.user_id FROM whence.sessions s
            WHERE s.ended_at IS NULL
                AND NOT EXISTS (SELECT FROM whence.passwords p WHERE p.user_id = s.user_id)
        """).fetchall()
        return sum(_end_sessions(connection, user, "accounts") for (user,) in users)


def member(admin_url: str, account: str | UUID, organization: str | None = None) -> Principal:
    """An account, by e-mail or id, as a principal of the organization; raises NotFound."""
    with psycopg.connect(admin_url) as connection:
        user = account if isinstance(account, UUID) else _account_of(connection, account)
        org = organization_of(connection, organization)
        role = _role(connection, org, user, keeps_owners=True)
        return principal(org, user, Role(role))


def _user(connection: Connection, email: str) -> UUID | None:
    row: tuple[UUID] | None = connection.execute(
        "SELECT id FROM whence.users WHERE lower(email) = %s", (email,)
    ).fetchone()
    return row[0] if row else None


def _account_of(connection: Connection, email: str) -> UUID:
    user = _user(connection, normal_email(email))
    if user is None:
        raise NotFound(f"There is no account '{email}'; `whence account list` shows them.")
    return user


def _role(connection: Connection, org: UUID, user: UUID, *, keeps_owners: bool) -> str:
    """The member's role; unless it `keeps_owners`, raise LastOwner for the last one (with a
    password)."""
    owners: dict[UUID, bool] = dict(
        connection.execute(
            "SELECT m.user_id, EXISTS (SELECT FROM whence.passwords p WHERE p.user_id = m.user_id)"
            " FROM whence.memberships m WHERE m.org_id = %s AND m.role = 'owner'"
            " ORDER BY m.user_id FOR UPDATE",
            (org,),
        ).fetchall()
    )
    row: tuple[str] | None = connection.execute(
        "SELECT role FROM whence.memberships WHERE org_id = %s AND user_id = %s", (org, user)
    ).fetchone()
    if row is None:
        raise NotAMember
    if not keeps_owners:
        require_another_owner(owners, [owner for owner, has in owners.items() if has], user)
    return row[0]


def _link(connection: Connection, user: UUID, lifetime: timedelta) -> str:
    secret = new_secret("whp_")
    connection.execute(
        "INSERT INTO whence.password_links (token_hash, user_id, expires_at) VALUES (%s, %s, %s)",
        (hashed(secret), user, now() + lifetime),
    )
    return secret


def _set_password(connection: Connection, user: UUID, new: Hashed) -> None:
    connection.execute(
        "INSERT INTO whence.passwords (user_id, salt, parameters, digest)"
        " VALUES (%(user)s, %(salt)s, %(parameters)s, %(digest)s) ON CONFLICT (user_id) DO UPDATE"
        " SET salt = %(salt)s, parameters = %(parameters)s, digest = %(digest)s,"
        " changed_at = now()",
        {
            "user": user,
            "salt": new.salt,
            "parameters": str(new.parameters),
            "digest": new.digest,
        },
    )


def _end_sessions(connection: Connection, user: UUID, why: str) -> int:
    sessions = connection.execute(
        "UPDATE whence.sessions SET ended_at = now(), ended_by = %s"
        " WHERE user_id = %s AND ended_at IS NULL",
        (why, user),
    ).rowcount
    _revoked(connection, user)
    return sessions


def _revoked(connection: Connection, user: UUID) -> None:
    connection.execute("SELECT pg_notify(%s, %s)", (REVOCATIONS, str(user)))


def _audit(
    connection: Connection, org: UUID, user: UUID, action: str, detail: Mapping[str, str]
) -> None:
    """The operator has no account: the entry names the account it is about."""
    details = Jsonb({**detail, **BY_OPERATOR})
    connection.execute(
        "INSERT INTO whence.audit_log (org_id, id, user_id, action, kind, subject_id, detail, at)"
        " VALUES (%s, %s, %s, %s, %s, %s, %s, %s)",
        (org, new_id(), user, action, ACCOUNT, user, details, now()),
    )


def _audit_everywhere(connection: Connection, user: UUID, action: str) -> None:
    orgs = connection.execute("SELECT org_id FROM whence.memberships WHERE user_id = %s", (user,))
    for (org,) in orgs.fetchall():
        _audit(connection, org, user, action, {})
