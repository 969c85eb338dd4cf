"""Row-level security: every tenant table is closed, and one tenant cannot reach another's rows."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

import psycopg
import pytest
from psycopg import sql

from whence.db.app_role import APP_ROLE
from whence.kernel.ids import new_id

WITHOUT_TENANT = {
    "whence.users": "a user may belong to several organizations; a policy of its own shows it",
    "whence.passwords": "a user's; the application's role has no privilege on it",
    "whence.password_links": "a user's; the application's role has no privilege on it",
    "whence.signing_keys": "the installation's; the application's role has no privilege on it",
    "whence.sign_in_tries": "counted before anybody is known; seen by presented keys only",
    "whence.schema_state": "which migrations this database has",
    "whence.schema_version": "Alembic's own",
    "sample_pack.schema_version": "Alembic's own",
    "resale.schema_version": "Alembic's own",
    "leave.schema_version": "Alembic's own",
}
"""Every table of ours that has no `org_id`, and why."""
CLOSED_ALL_THE_SAME = {
    "whence.users",
    "whence.passwords",
    "whence.password_links",
    "whence.signing_keys",
    "whence.sign_in_tries",
}
"""Those of them that hold what no other tenant may see."""
OF_ALL_TENANTS = {
    "jobs.procrastinate_jobs": "the queue: workers take the jobs of every organization; ids only",
    "jobs.procrastinate_events": "what happened to a job of the queue, by its number",
    "jobs.procrastinate_periodic_defers": "ticks of the queue's periodic tasks",
    "jobs.procrastinate_workers": "which workers live",
    "jobs.applied_migrations": "the queue's own",
    "jobs.whence_turns": "ids and times: a fetch chooses whose turn it is before it has a tenant",
    "checkpoints.checkpoints": "LangGraph's; states of flows by the run's id, which is no guess",
    "checkpoints.checkpoint_blobs": "as checkpoints",
    "checkpoints.checkpoint_writes": "as checkpoints",
    "checkpoints.checkpoint_migrations": "LangGraph's own",
}
"""Every table without a policy that serves all organizations; no API hands its rows out."""
_TABLES = """
    SELECT n.nspname || '.' || c.relname, c.relrowsecurity, c.relforcerowsecurity,
        EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'org_id'
                AND NOT a.attisdropped AND a.attnotnull),
        ARRAY(SELECT p.polname::text FROM pg_policy p WHERE p.polrelid = c.oid
              AND p.polroles && ARRAY[0::oid, %(app)s::regrole::oid]),
        pg_has_role(%(app)s, c.relowner, 'MEMBER'),
        has_table_privilege(%(app)s, c.oid, 'SELECT, INSERT, UPDATE, DELETE'),
        has_table_privilege(%(app)s, c.oid, 'TRUNCATE')
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p') AND n.nspname NOT LIKE 'pg\\_%%'
    AND n.nspname <> 'information_schema' ORDER BY 1
"""


def open_tables(connection: psycopg.Connection) -> list[str]:
    """What is wrong with the tables of a database: nothing, when every tenant is safe."""
    wrong: list[str] = []
    values = {"app": APP_ROLE}
    for name, enabled, forced, has_org, policies, owned, used, truncates in connection.execute(
        _TABLES, values
    ):
        if owned:
            wrong.append(f"{name} belongs to the application's role")
        if truncates:
            wrong.append(f"{name} may be truncated, which no policy sees")
        if name in OF_ALL_TENANTS:
            continue
        if not has_org:
            if name not in WITHOUT_TENANT:
                wrong.append(f"{name} has no org_id and is not on the list")
            elif name not in CLOSED_ALL_THE_SAME:
                continue
        if not (enabled and forced):
            wrong.append(f"{name} has no forced row-level security")
        if not policies and used:
            wrong.append(f"{name} has no policy")
    return wrong


@pytest.fixture
def admin(database_url: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(database_url, autocommit=True) as connection:
        yield connection


def test_every_table_with_an_organization_is_closed(admin: psycopg.Connection) -> None:
    assert open_tables(admin) == []


@pytest.mark.parametrize(
    ("statements", "complaint"),
    [
        (["CREATE TABLE resale.t (org_id uuid NOT NULL)"], "no forced row-level security"),
        (
            [
                "CREATE TABLE resale.t (org_id uuid NOT NULL)",
                "ALTER TABLE resale.t ENABLE ROW LEVEL SECURITY",
                "CREATE POLICY p ON resale.t USING (true)",
            ],
            "no forced row-level security",
        ),
        (
            [
                "CREATE TABLE resale.t (org_id uuid NOT NULL)",
                "ALTER TABLE resale.t ENABLE ROW LEVEL SECURITY",
                "ALTER TABLE resale.t FORCE ROW LEVEL SECURITY",
                "GRANT SELECT ON resale.t TO whence_app",
            ],
            "no policy",
        ),
        (["CREATE SCHEMA novel", "CREATE TABLE novel.t (id uuid)"], "not on the list"),
        (["CREATE TABLE public.t (id uuid)"], "not on the list"),
        (["ALTER TABLE whence.claims NO FORCE ROW LEVEL SECURITY"], "no forced"),
        (["ALTER TABLE whence.runs OWNER TO whence_app"], "belongs to the application's role"),
        (["GRANT TRUNCATE ON whence.evidence TO whence_app"], "truncated"),
    ],
)
def test_a_table_without_protection_is_found(
    admin: psycopg.Connection, statements: list[str], complaint: str
) -> None:
    for statement in statements:
        admin.execute(statement.encode())
    assert any(complaint in line for line in open_tables(admin))


def test_the_applications_role_is_bound_by_row_security(admin: psycopg.Connection) -> None:
    flags = admin.execute(
        "SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication"
        " FROM pg_roles WHERE rolname = %s",
        (APP_ROLE,),
    ).fetchone()
    assert flags == (False,) * 5
    member_of = admin.execute(
        "SELECT count(*) FROM pg_auth_members WHERE member = %s::regrole", (APP_ROLE,)
    ).fetchone()
    assert member_of == (0,)


def test_no_policy_of_the_applications_role_forgets_the_organization(
    admin: psycopg.Connection,
) -> None:
    """`tenant` everywhere; the others each for a reason that stands beside it in the SQL."""
    policies = {
        (table, name)
        for table, name in admin.execute(
            "SELECT schemaname || '.' || tablename, policyname FROM pg_policies"
            " WHERE roles && ARRAY['public', %s]::name[] AND policyname <> 'tenant'",
            (APP_ROLE,),
        )
    }
    assert policies == {
        ("whence.users", "fellow_member"),
        ("whence.api_tokens", "bearer"),
        ("whence.sessions", "refresher"),
        ("whence.invitations", "invited"),
        ("whence.sign_in_tries", "presented"),
    }


@pytest.fixture
def two_organizations(admin: psycopg.Connection) -> tuple[UUID, UUID]:
    """Organization A with a row in every tenant table, and B with nothing but itself."""
    ours, theirs = new_id(), new_id()
    for org in (ours, theirs):
        admin.execute("INSERT INTO whence.organizations (org_id, name) VALUES (%s, 'x')", (org,))
    admin.execute("SET session_replication_role = replica")  # no foreign keys: rows for themselves
    for table in _tenant_tables(admin):
        if table != "whence.organizations":
            _fill(admin, table, ours)
    admin.execute("SET session_replication_role = origin")
    return ours, theirs


def _tenant_tables(admin: psycopg.Connection) -> list[str]:
    return [
        name
        for (name,) in admin.execute(
            "SELECT table_schema || '.' || table_name FROM information_schema.columns"
            " JOIN information_schema.tables USING (table_schema, table_name)"
            " WHERE column_name = 'org_id' AND table_type = 'BASE TABLE'"
            " ORDER BY 1"
        )
        if name not in OF_ALL_TENANTS
    ]


_VALUES = {
    "uuid": "gen_random_uuid()",
    "text": "'x'",
    "jsonb": "'{}'",
    "bytea": "'x'",
    "timestamp with time zone": "now()",
    "date": "now()",
    "boolean": "true",
    "ARRAY": "'{}'",
}
_CHECKED = {
    "digest": "0" * 64,
    "role": "owner",
    "outcome": "ok",
    "verdict": "supported",
    "status": "success",
}
_CHECKED_IN = {
    ("whence.api_tokens", "kind"): "api",
    ("whence.chat_messages", "role"): "user",
    ("whence.chat_messages", "status"): "complete",
    ("whence.wizard_runs", "status"): "open",
}
"""What a table takes there, where it is not what others take."""
_NEEDED = {"whence.schedules": {"cron": "'0 6 * * *'", "next_at": "now()"}}
"""What a check of the table asks for although the column may be null."""


def _fill(admin: psycopg.Connection, table: str, org: UUID) -> None:
    columns = admin.execute(
        "SELECT column_name, data_type FROM information_schema.columns"
        " WHERE table_schema || '.' || table_name = %s AND column_default IS NULL"
        " AND is_nullable = 'NO' AND column_name <> 'org_id'",
        (table,),
    ).fetchall()
    needed = _NEEDED.get(table, {})
    names = ["org_id", *needed, *(name for name, _ in columns)]
    values = [f"'{org}'", *needed.values()]
    for name, kind in columns:
        if (table, name) in _CHECKED_IN:
            values.append(f"'{_CHECKED_IN[table, name]}'")
        elif kind == "text" and name in _CHECKED:
            values.append(f"'{_CHECKED[name]}'")
        else:
            values.append(_VALUES.get(kind, "1"))
    admin.execute(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join(values)})".encode())


@pytest.mark.parametrize("tenant", ["another organization", "no organization", "never set"])
def test_nothing_of_one_organization_is_seen_or_changed_by_another(
    admin: psycopg.Connection,
    database_url: str,
    two_organizations: tuple[UUID, UUID],
    tenant: str,
) -> None:
    ours, theirs = two_organizations
    tables = _tenant_tables(admin)
    assert len(tables) > 15
    with psycopg.connect(database_url, autocommit=True) as app:
        app.execute("SET ROLE whence_app")
        if tenant != "never set":
            value = str(theirs) if tenant == "another organization" else ""
            app.execute("SELECT set_config('whence.org_id', %s, false)", (value,))
        for table in tables:
            name = sql.Identifier(*table.split("."))
            count = app.execute(
                sql.SQL("SELECT count(*) FROM {} WHERE org_id = %s").format(name), (ours,)
            )
            assert count.fetchone() == (0,), table
            for statement in ("UPDATE {} SET org_id = org_id", "DELETE FROM {}"):
                try:
                    result = app.execute(sql.SQL(statement).format(name))
                    assert result.rowcount == int(
                        table == "whence.organizations" and tenant == "another organization"
                    ), (table, statement)
                except psycopg.errors.InsufficientPrivilege:
                    pass
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                # A copy of the row as A's: refused by the policy (or for want of the privilege).
                app.execute(sql.SQL("INSERT INTO {} (org_id) VALUES (%s)").format(name), (ours,))
        assert app.execute("SELECT count(*) FROM whence.users").fetchone() == (0,)
    for table in tables:
        name = sql.Identifier(*table.split("."))
        count = admin.execute(
            sql.SQL("SELECT count(*) FROM {} WHERE org_id = %s").format(name), (ours,)
        )
        assert count.fetchone() == (1,), table


def test_a_row_cannot_be_given_away(
    admin: psycopg.Connection, database_url: str, two_organizations: tuple[UUID, UUID]
) -> None:
    ours, theirs = two_organizations
    with psycopg.connect(database_url, autocommit=True) as app:
        app.execute("SET ROLE whence_app")
        app.execute("SELECT set_config('whence.org_id', %s, false)", (str(ours),))
        for table in ("whence.runs", "whence.dossiers", "resale.items", "sample_pack.notes"):
            name = sql.Identifier(*table.split("."))
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                app.execute(sql.SQL("UPDATE {} SET org_id = %s").format(name), (theirs,))
