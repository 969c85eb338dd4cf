"""Dump the whole database into one file, as of one moment, and restore it into an empty one."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import psycopg
from psycopg import sql

from whence.db.app_role import APP_ROLE
from whence.db.client_tools import ClientTools, environment, tools_for
from whence.db.migrate import connected
from whence.kernel.errors import Conflict, Misconfigured, WhenceError
from whence.kernel.masking import masked

_CHUNK = 1 << 20
_HEAD_LINES = 40
"""The settings at the start of pg_restore's script; only these lines are filtered, never rows."""
_NOT_BEFORE_17 = b"SET transaction_timeout"
_POLICY_ROLES = re.compile(r"^(CREATE POLICY .+? TO )(.+?)( USING | WITH CHECK |;$)", re.MULTILINE)

_SEES_ALL = "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user"
_BOUND = """
    SELECT c.oid::regclass::text FROM pg_class c
    WHERE c.relkind = 'r' AND c.relrowsecurity AND c.relforcerowsecurity AND NOT EXISTS (
        SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polpermissive
            AND p.polcmd IN ('r', '*') AND pg_get_expr(p.polqual, p.polrelid) = 'true'
            AND (SELECT oid FROM pg_roles WHERE rolname = current_user) = ANY (p.polroles))
"""
_SCHEMAS = """
    SELECT n.nspname::text FROM pg_namespace n
    WHERE n.nspname IN ('whence', 'jobs', 'checkpoints') OR EXISTS (
        SELECT FROM pg_class c WHERE c.relnamespace = n.oid AND c.relname = 'schema_version')
    ORDER BY 1
"""
"""The schemas of whence and its packs; the database may hold others."""
_OTHERS = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
        AND application_name LIKE 'whence%'
"""
_GROUND = f"""
    CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public;
    DO $$ BEGIN
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{APP_ROLE}') THEN
            CREATE ROLE {APP_ROLE} NOLOGIN;
        END IF;
    END $$;
"""
_SIGNED_OUT = """
    DO $$ BEGIN
        UPDATE whence.api_tokens SET revoked_at = now() WHERE kind <> 'api' AND revoked_at IS NULL;
        IF to_regclass('whence.sessions') IS NOT NULL THEN
            UPDATE whence.sessions SET ended_at = now(), ended_by = 'restore'
                WHERE ended_at IS NULL;
            DELETE FROM whence.password_links;
            DELETE FROM whence.invitations WHERE accepted_at IS NULL;
            UPDATE whence.signing_keys SET secret = sha256(uuid_send(gen_random_uuid())
                || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
        END IF;
    END $$;
"""
"""A restore must not bring back sessions and passwords that were revoked after the backup. Runs
before the policies are restored, so row-level security does not filter it."""


class RowsHidden(Misconfigured):
    """Row-level security hides rows from the role in WHENCE_DATABASE_URL, so its dump would be
    incomplete; use a superuser or a role with BYPASSRLS."""


class NothingThere(Conflict):
    """This database has no data of whence yet; there is nothing to back up."""


class DumpFailed(WhenceError):
    """pg_dump, pg_restore or psql failed."""


class NotEmpty(Conflict):
    """There is data already; restore into an empty place, or replace the data with --force."""


class InUse(Conflict):
    """whence is using this database; stop its processes first."""


@dataclass(frozen=True)
class Origin:
    """The server and the migration that a dump was taken from."""

    major: int
    """Major version of the server."""
    owner: str
    schemas: tuple[str, ...]
    revision: str
    """The last migration of whence's own tables, such as `0007`."""


def dump(url: str, to: Path) -> Origin:
    """Write a dump of the database at `url` (as its owner); runs may continue in the meantime.

    Raises DatabaseUnreachable, RowsHidden, NoClientTools, DumpFailed.
    """
    with connected(url) as connection:
        schemas = _schemas(connection)
        if "whence" not in schemas:
            raise NothingThere
        revision = _text(connection, "SELECT max(version_num) FROM whence.schema_version")
        owner = _text(connection, "SELECT current_user")
        origin = Origin(_major(connection), owner, tuple(schemas), revision)
        sees_all = connection.execute(_SEES_ALL).fetchone() == (True,)
        bound = [name for (name,) in connection.execute(_BOUND)]
    options = ["--format=custom", "--no-owner", "--no-comments", f"--file={to}"]
    options += [f'--schema="{name}"' for name in schemas]
    if not sees_all:
        if bound:
            raise RowsHidden(f"{RowsHidden().message} (It could not read {', '.join(bound[:3])}.)")
        options.append("--enable-row-security")
    tools = tools_for(origin.major)
    command = tools.command("pg_dump", url, *options)
    process = subprocess.run(
        command, env=environment(url), capture_output=True, text=True, check=False
    )
    if process.returncode:
        raise DumpFailed(f"pg_dump failed: {masked(process.stderr.strip())}")
    return origin


def require_room(url: str, *, force: bool) -> list[str]:
    """The schemas of whence that a restore would replace.

    Raises NotEmpty if there are any and `force` is false, InUse if whence is connected.
    """
    with connected(url) as connection:
        schemas = _schemas(connection)
        if schemas and not force:
            raise NotEmpty(f"The database holds {', '.join(schemas)}. {NotEmpty.__doc__}")
        others = connection.execute(_OTHERS).fetchone()
        if others and others[0]:
            raise InUse(
                "Whence is connected to this database; stop its servers, workers and commands."
            )
    return schemas


def load(url: str, archive: Path, origin: Origin, *, replace: Iterable[str]) -> None:
    """Restore a dump into the database at `url`, in one transaction, dropping `replace` first.

    The role of `url` owns the restored objects.  All sessions end; API tokens stay.  Raises
    Misconfigured for an older server, NoClientTools, DumpFailed; nothing has changed then.
    """
    with connected(url) as connection:
        major, owner = _major(connection), _text(connection, "SELECT current_user")
    if major < origin.major:
        raise Misconfigured(
            f"The backup is of PostgreSQL {origin.major}; this server is {major}. Restore it into "
            f"PostgreSQL {origin.major} or newer."
        )
    tools = tools_for(major)
    drops = [f'DROP SCHEMA IF EXISTS "{name}" CASCADE;' for name in replace]
    psql = subprocess.Popen(
        tools.command(
            "psql", url, "--single-transaction", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1"
        ),
        env=environment(url),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    assert psql.stdin is not None
    assert psql.stderr is not None
    try:
        psql.stdin.write("\n".join([*drops, _GROUND, ""]).encode())
        for section in ("pre-data", "data"):
            for part in _script(tools, archive, section, before_17=major < 17):
                psql.stdin.write(part)
        psql.stdin.write(_SIGNED_OUT.encode())
        last = b"".join(_script(tools, archive, "post-data", before_17=major < 17))
        psql.stdin.write(of_owner(last.decode(), origin.owner, owner).encode())
        psql.stdin.close()
    except BrokenPipeError:
        pass  # psql has failed; its error is read below
    except BaseException:  # also Ctrl-C: psql must not commit a part
        psql.kill()
        raise
    message = psql.stderr.read().decode(errors="replace")
    if psql.wait():
        raise DumpFailed(f"The restore failed and changed nothing: {masked(message.strip())}")


def of_owner(script: str, before: str, now: str) -> str:
    """The script with the policies of the role `before` changed to the role `now`."""
    own = sql.Identifier(now).as_string(None)

    def named(match: re.Match[str]) -> str:
        roles = [role.strip() for role in match[2].split(",")]
        mapped = [own if role.strip('"') == before else role for role in roles]
        return f"{match[1]}{', '.join(mapped)}{match[3]}"

    return _POLICY_ROLES.sub(named, script)


def _script(tools: ClientTools, archive: Path, section: str, *, before_17: bool) -> Iterator[bytes]:
    command = [str(tools.folder / "pg_restore"), "--no-owner", "--no-comments", "--file=-"]
    with subprocess.Popen(
        [*command, f"--section={section}", str(archive)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        yield from _without_new_settings(process.stdout, before_17)
        message = process.stderr.read().decode(errors="replace")
    if process.returncode:
        raise DumpFailed(f"The backup cannot be read: {masked(message.strip())}")


def _without_new_settings(script: IO[bytes], before_17: bool) -> Iterator[bytes]:
    for _ in range(_HEAD_LINES):
        line = script.readline()
        if not (before_17 and line.startswith(_NOT_BEFORE_17)):
            yield line
    while chunk := script.read(_CHUNK):
        yield chunk


def _schemas(connection: psycopg.Connection) -> list[str]:
    return [name for (name,) in connection.execute(_SCHEMAS)]


def _major(connection: psycopg.Connection) -> int:
    return connection.info.server_version // 10000


def _text(connection: psycopg.Connection, query: str) -> str:
    row = connection.execute(query.encode()).fetchone()
    assert row is not None
    return str(row[0])
