"""The organizations of an installation and its signing keys, for the operator."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

import psycopg
from psycopg.rows import TupleRow, class_row

from whence.db.statements import storable_text
from whence.kernel.clock import now
from whence.kernel.errors import Invalid, NotFound
from whence.kernel.ids import new_id

Connection = psycopg.Connection[TupleRow]
KEY_BYTES = 32
"""As long as the digest of HS256 (RFC 7518, section 3.2)."""


@dataclass(frozen=True)
class Organization:
    """An organization; the local one is created at the first start."""

    id: UUID
    name: str
    is_local: bool
    members: int
    created_at: datetime


def organizations(admin_url: str) -> list[Organization]:
    """Every organization, oldest first."""
    with psycopg.connect(admin_url) as connection:
        return (
            connection.cursor(row_factory=class_row(Organization))
            .execute("""
                SELECT o.org_id AS id, o.name, o.is_local, o.created_at,
                    (SELECT count(*) FROM whence.memberships m WHERE m.org_id = o.org_id) AS members
                FROM whence.organizations o ORDER BY o.created_at, o.org_id
            """)
            .fetchall()
        )


def create_organization(admin_url: str, name: str) -> UUID:
    """Create an organization without members; raises Invalid for an empty or duplicate name."""
    shown, org = storable_text(name).strip(), new_id()
    if not shown:
        raise Invalid("An organization needs a name.")
    with psycopg.connect(admin_url) as connection:
        connection.execute("LOCK TABLE whence.organizations IN SHARE ROW EXCLUSIVE MODE")
        done = connection.execute(
            "INSERT INTO whence.organizations (org_id, name) SELECT %(org)s, %(name)s WHERE NOT"
            " EXISTS (SELECT FROM whence.organizations WHERE lower(name) = lower(%(name)s))",
            {"org": org, "name": shown},
        )
        if not done.rowcount:
            raise Invalid(f"There is an organization named '{shown}'.")
    return org


def organization_of(connection: Connection, wanted: str | None) -> UUID:
    """The id of the organization with this name or id; without one, of the only one.

    Raises NotFound, and Invalid if the choice is ambiguous.
    """
    rows: list[tuple[UUID, str]] = connection.execute(
        "SELECT org_id, name FROM whence.organizations ORDER BY created_at"
    ).fetchall()
    if wanted is None:
        if len(rows) != 1:
            raise Invalid("There are several organizations; choose one with --organization.")
        return rows[0][0]
    matches = [org for org, name in rows if wanted.lower() in (name.lower(), str(org))]
    if not matches:
        raise NotFound(f"There is no organization '{wanted}'; `whence organization list`.")
    if len(matches) > 1:
        raise Invalid(f"Several organizations are named '{wanted}'; use the id instead.")
    return matches[0]


def rotate_keys(admin_url: str, grace: timedelta) -> None:
    """Sign access tokens with a new key; tokens signed by older keys remain valid for `grace`.

    Nobody is signed out: browsers get a new access token with their refresh secret.
    """
    with psycopg.connect(admin_url) as connection:
        connection.execute("LOCK TABLE whence.signing_keys IN SHARE ROW EXCLUSIVE MODE")
        connection.execute(
            "UPDATE whence.signing_keys SET ends_at = least(ends_at, %s)", (now() + grace,)
        )
        connection.execute("DELETE FROM whence.signing_keys WHERE ends_at <= %s", (now(),))
        connection.execute(
            "INSERT INTO whence.signing_keys (secret) VALUES (%s)",
            (secrets.token_bytes(KEY_BYTES),),
        )
