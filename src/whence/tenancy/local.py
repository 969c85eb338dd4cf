"""The local default: one organization with one owner, created at the first start."""

from __future__ import annotations

from uuid import UUID

import psycopg

from whence.kernel.ids import new_id
from whence.tenancy.principal import Principal, Role, principal

LOCAL_EMAIL = "owner@localhost"


def local_owner(admin_url: str) -> Principal:
    """The owner of this installation's own organization, created if it does not exist yet."""
    with psycopg.connect(admin_url) as connection:
        find = """
            SELECT m.org_id, m.user_id FROM whence.memberships m
            JOIN whence.organizations o USING (org_id)
            WHERE o.is_local AND m.role = 'owner' ORDER BY m.created_at LIMIT 1
        """
        owner: tuple[UUID, UUID] | None = connection.execute(find).fetchone()
        if owner is None:
            connection.execute("SELECT pg_advisory_xact_lock(hashtext('whence.local_owner'))")
            owner = connection.execute(find).fetchone() or _create(connection)
        return principal(*owner, Role.OWNER)


def _create(connection: psycopg.Connection) -> tuple[UUID, UUID]:
    org_id, user_id = new_id(), new_id()
    connection.execute(
        "INSERT INTO whence.organizations (org_id, name, is_local) "
        "VALUES (%s, 'My organization', true)",
        (org_id,),
    )
    connection.execute(
        "INSERT INTO whence.users (id, email, name) VALUES (%s, %s, 'Owner')",
        (user_id, LOCAL_EMAIL),
    )
    connection.execute(
        "INSERT INTO whence.memberships (org_id, user_id, role) VALUES (%s, %s, 'owner')",
        (org_id, user_id),
    )
    return org_id, user_id
