"""A backup holds everything, a restore brings it back, and neither half-does anything."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from whence.cli.backup import read, write
from whence.db import archive, dump
from whence.db.client_tools import ClientTools, NoClientTools, choose
from whence.db.migrate import migrate
from whence.kernel.errors import Misconfigured
from whence.kernel.ids import new_id
from whence.research.checkpoint_schema import CHECKPOINTS_SCHEMA
from whence.tenancy.local import local_owner
from whence.work.schema import JOBS_SCHEMA

EVERY_TABLE = """
    SELECT format('%I.%I', schemaname, tablename) FROM pg_tables
    WHERE schemaname IN ('whence', 'jobs', 'checkpoints', 'resale', 'sample_pack') ORDER BY 1
"""
EVERY_RULE = """
    SELECT schemaname, tablename, policyname, cmd, qual, with_check FROM pg_policies
    UNION ALL SELECT n.nspname, c.relname, 'grant', a.grantee::regrole::text, a.privilege_type, NULL
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace, aclexplode(c.relacl) a
        WHERE n.nspname IN ('whence', 'jobs') AND a.grantee = 'whence_app'::regrole
    UNION ALL SELECT n.nspname, c.relname, 'forced', c.relforcerowsecurity::text,
        c.relrowsecurity::text, NULL FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname IN ('whence', 'jobs') AND c.relkind = 'r'
    ORDER BY 1, 2, 3, 4, 5
"""


@pytest.fixture
def empty(postgres: str) -> Iterator[Callable[..., str]]:
    """`empty(owner=None)`: the address of an empty database, dropped after the test."""
    names: list[str] = []
    with psycopg.connect(postgres, autocommit=True) as connection:

        def make(owner: str | None = None) -> str:
            names.append(f"empty_{new_id().hex}")
            create = sql.SQL("CREATE DATABASE {}").format(sql.Identifier(names[-1]))
            connection.execute(create)
            url = make_conninfo(postgres, dbname=names[-1])
            if owner is None:
                return url
            with psycopg.connect(url, autocommit=True) as inside:
                inside.execute("CREATE EXTENSION vector WITH SCHEMA public")
                inside.execute(f"ALTER DATABASE {names[-1]} OWNER TO {owner}".encode())
            return make_conninfo(url, user=owner, password=owner)

        yield make
        for name in names:
            drop = sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name))
            connection.execute(drop)


@pytest.fixture
def plain_owner(postgres: str) -> Iterator[str]:
    """A role as managed servers give one: it owns databases, and row-level security binds it."""
    name = f"owner_{new_id().hex}"
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {name} LOGIN PASSWORD '{name}' CREATEROLE".encode())
        connection.execute("SELECT pg_advisory_lock(4711)")
        connection.execute(f"GRANT whence_app TO {name}".encode())
        connection.execute("SELECT pg_advisory_unlock(4711)")
        yield name
        connection.execute(f"REASSIGN OWNED BY {name} TO CURRENT_USER".encode())
        connection.execute(f"DROP OWNED BY {name}".encode())
        connection.execute(f"DROP ROLE {name}".encode())


def content(url: str, query: str = EVERY_TABLE) -> dict[str, list[Any]]:
    """Every row of every table, as the superuser sees it."""
    with psycopg.connect(url) as connection:
        names = [name for (name,) in connection.execute(query)]
        rows = {
            name: f"SELECT to_jsonb(t) FROM {name} t ORDER BY to_jsonb(t)::text" for name in names
        }
        return {
            name: [row for (row,) in connection.execute(text.encode())]
            for name, text in rows.items()
        }


def rules(url: str) -> list[Any]:
    with psycopg.connect(url) as connection:
        return connection.execute(EVERY_RULE).fetchall()


@contextmanager
def a_tenant(url: str) -> Iterator[str]:
    """A second organization with a run under way and a token, next to the local one."""
    org, user, run = new_id(), new_id(), new_id()
    with psycopg.connect(url) as connection:
        connection.execute("INSERT INTO whence.organizations VALUES (%s, 'Näxt')", (org,))
        connection.execute("INSERT INTO whence.users VALUES (%s, 'a@b.org', 'A')", (user,))
        connection.execute("INSERT INTO whence.memberships VALUES (%s, %s, 'owner')", (org, user))
        connection.execute(
            "INSERT INTO whence.work (org_id, id, type, queue, handler, status, priority,"
            " requested_by, created_at) VALUES (%s, %s, 'research', 'whence', 'research.attempt',"
            " 'running', 0, %s, now())",
            (org, run, user),
        )
        connection.execute(
            "INSERT INTO whence.runs (org_id, id, kind, subject_id, flow, flow_version, options)"
            " VALUES (%s, %s, 'items', %s, 'research', '1', '{\"a\": \"é\\\\n\"}')",
            (org, run, new_id()),
        )
        for kind in ("api", "sign_in"):
            connection.execute(
                "INSERT INTO whence.api_tokens (org_id, id, user_id, name, kind, prefix,"
                " token_hash, scopes) VALUES (%s, %s, %s, %s, %s, 'x', sha256(%s), '{}')",
                (org, new_id(), user, kind, kind, kind.encode()),
            )
    yield str(org)


def back_up(url: str, tmp_path: Path, home: Path | None = None) -> Path:
    file = tmp_path / "backup.tar"
    write(url, file, home or tmp_path / "nowhere")
    return file


def test_everything_comes_back_and_everybody_is_signed_out(
    database_url: str, empty: Callable[..., str], tmp_path: Path
) -> None:
    home, other = tmp_path / "home", tmp_path / "other"
    for name in ("prices.toml", "uploads/a/b.jpg", "postgres/password", "cache/x", "demo/x"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(name)
    with a_tenant(database_url):
        file = back_up(database_url, tmp_path, home)
    assert file.stat().st_mode & 0o777 == 0o600
    before, url = content(database_url), empty()
    read(url, file, other, force=False)
    after = content(url)
    changed = {name for name in before if before[name] != after[name]}
    assert changed <= {"whence.api_tokens", "whence.signing_keys"}
    revoked = {row["kind"]: row["revoked_at"] is not None for row in after["whence.api_tokens"]}
    assert revoked["sign_in"]
    assert not revoked["api"]
    assert rules(url) == rules(database_url)
    files = {str(path.relative_to(other)) for path in archive.files_of(other)}
    assert files == {"prices.toml", "uploads/a/b.jpg"}


def test_a_bound_owner_backs_up_every_row_and_any_role_restores_it(
    plain_owner: str, empty: Callable[..., str], tmp_path: Path, template: str
) -> None:
    url = empty(plain_owner)
    migrate(url, [], [JOBS_SCHEMA, CHECKPOINTS_SCHEMA], None)
    local_owner(url)
    superuser = make_conninfo(url, user="whence_admin", password=_password(empty()))
    with a_tenant(superuser):
        file = back_up(url, tmp_path)
    restored = empty()
    read(restored, file, tmp_path / "other", force=False)
    rows = {name: len(result) for name, result in content(restored).items()}
    assert rows == {name: len(result) for name, result in content(superuser).items()}
    assert rows["whence.organizations"] == 2
    again = empty(plain_owner)
    read(again, back_up(restored, tmp_path), tmp_path / "other", force=False)
    assert len(content(make_conninfo(superuser, dbname=_name(again)))["whence.runs"]) == 1


def test_rows_that_a_role_may_not_see_are_never_left_out_silently(
    plain_owner: str, empty: Callable[..., str], tmp_path: Path, template: str
) -> None:
    url = empty(plain_owner)
    migrate(url, [], [JOBS_SCHEMA, CHECKPOINTS_SCHEMA], None)
    with psycopg.connect(url) as connection:
        connection.execute("DROP POLICY operator_reads ON whence.runs")
    with pytest.raises(dump.RowsHidden, match=r"whence\.runs"):
        back_up(url, tmp_path)
    assert not (tmp_path / "backup.tar").exists()


def test_data_that_are_there_are_replaced_only_by_force(
    database_url: str, empty: Callable[..., str], tmp_path: Path
) -> None:
    file, url = back_up(database_url, tmp_path), empty()
    read(url, file, tmp_path / "other", force=False)
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE whence.organizations SET name = 'Later'")
    with pytest.raises(dump.NotEmpty, match="--force"):
        read(url, file, tmp_path / "other", force=False)
    read(url, file, tmp_path / "other", force=True)
    [row] = content(url)["whence.organizations"]
    assert row["name"] == "My organization"


def test_a_database_in_use_is_not_replaced(
    database_url: str, empty: Callable[..., str], tmp_path: Path
) -> None:
    file, url = back_up(database_url, tmp_path), empty()
    with (
        psycopg.connect(url, application_name="whence"),
        pytest.raises(dump.InUse, match="stop"),
    ):
        read(url, file, tmp_path / "other", force=True)


def test_a_restore_that_fails_changes_nothing(
    database_url: str, empty: Callable[..., str], tmp_path: Path
) -> None:
    file, url = back_up(database_url, tmp_path), empty()
    read(url, file, tmp_path / "other", force=False)
    before = content(url)
    with tarfile.open(file) as tar:
        tar.extractall(tmp_path / "unpacked", filter="data")
    whole = tmp_path / "unpacked" / "database.dump"
    # `jobs` stays in the way, after `whence` was dropped.
    with pytest.raises(dump.DumpFailed, match="changed nothing"):
        dump.load(url, whole, dump.Origin(16, "x", (), "0001"), replace=["whence"])
    assert content(url) == before
    broken = tmp_path / "broken.dump"
    broken.write_bytes(whole.read_bytes()[: whole.stat().st_size * 2 // 3])
    with pytest.raises(dump.DumpFailed):
        dump.load(url, broken, dump.Origin(16, "x", (), "0001"), replace=["whence", "jobs"])
    assert content(url) == before


@pytest.mark.parametrize("harm", ["cut", "swapped", "other"])
def test_a_damaged_file_is_refused_before_anything_is_touched(
    harm: str, database_url: str, empty: Callable[..., str], tmp_path: Path
) -> None:
    file, url = back_up(database_url, tmp_path), empty()
    whole = bytearray(file.read_bytes())
    if harm == "cut":
        file.write_bytes(whole[: len(whole) // 2])
    elif harm == "swapped":
        whole[len(whole) // 2] ^= 0xFF
        file.write_bytes(whole)
    else:
        file.write_text("not a backup")
    with pytest.raises(archive.NoBackup):
        read(url, file, tmp_path / "other", force=False)
    assert content(url) == {}


@pytest.mark.parametrize("name", ["../../evil", "home/../../evil", "/etc/evil", "evil"])
def test_a_file_with_other_places_in_it_is_refused(name: str, tmp_path: Path) -> None:
    file = tmp_path / "backup.tar"
    with tarfile.open(file, "w") as tar:
        member = tarfile.TarInfo(name)
        member.size = 3
        tar.addfile(member, io.BytesIO(b"abc"))
    with pytest.raises(archive.NoBackup, match="does not belong in a backup"):
        archive.unpack(file, tmp_path / "into")


def test_an_older_server_is_refused(
    database_url: str, empty: Callable[..., str], tmp_path: Path
) -> None:
    with pytest.raises(Misconfigured, match="PostgreSQL 99"):
        dump.load(empty(), tmp_path / "x", dump.Origin(99, "x", (), "0001"), replace=[])


def test_the_oldest_programs_that_are_new_enough_are_taken() -> None:
    old, same, newer = (ClientTools(Path(), major) for major in (15, 17, 18))
    assert choose([newer, old, same], 17) is same
    assert choose([newer, old], 17) is newer
    with pytest.raises(NoClientTools, match="postgresql-client-17"):
        choose([old], 17)


def test_only_policies_of_the_former_owner_change_hands() -> None:
    script = (
        "CREATE POLICY a ON whence.t TO whence_admin USING (true);\n"
        'CREATE POLICY b ON whence.t FOR SELECT TO "whence_admin", whence_app USING (true);\n'
        "CREATE POLICY c ON whence.t TO whence_app WITH CHECK (x = 'TO whence_admin USING');\n"
    )
    assert dump.of_owner(script, "whence_admin", "me").splitlines() == [
        'CREATE POLICY a ON whence.t TO "me" USING (true);',
        'CREATE POLICY b ON whence.t FOR SELECT TO "me", whence_app USING (true);',
        "CREATE POLICY c ON whence.t TO whence_app WITH CHECK (x = 'TO whence_admin USING');",
    ]


def _name(url: str) -> str:
    with psycopg.connect(url) as connection:
        return connection.info.dbname


def _password(url: str) -> str:
    with psycopg.connect(url) as connection:
        return connection.info.password
