"""A database of the first release is brought to this one with its data, its runs and its tokens."""

from __future__ import annotations

import asyncio
import hashlib
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo
from psycopg.types.json import Jsonb
from pydantic import SecretStr

from whence.app import build
from whence.db import migrate as migrating
from whence.db.figures import own_revision, revision
from whence.db.migrate import CORE_TREE, NewerDatabase, Tree, migrate
from whence.kernel.ids import new_id
from whence.kernel.settings import Settings
from whence.research import runs
from whence.research.checkpoint_schema import CHECKPOINTS_SCHEMA
from whence.tenancy import tokens
from whence.tenancy.local import local_owner
from whence.work.schema import JOBS_SCHEMA

pytestmark = pytest.mark.anyio
FIRST_RELEASE = ("0001", "0002")
LIBRARIES = [JOBS_SCHEMA, CHECKPOINTS_SCHEMA]
SAMPLE_PACKS = Path(__file__).parents[1] / "fixtures"
NOTES = Tree("sample_pack", SAMPLE_PACKS / "sample_pack" / "migrations")
SECRET = "whence_" + "s" * 43


@pytest.fixture
def first_release(tmp_path: Path) -> Path:
    """whence's own migrations as the first release had them."""
    tree = tmp_path / "migrations"
    shutil.copytree(CORE_TREE, tree, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (tree / "versions").glob("[0-9]*"):
        if path.name[:4] not in FIRST_RELEASE:
            path.unlink()
    return tree


@pytest.fixture
def old_url(
    postgres: str, template: str, first_release: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """A database of the first release; dropped after the test."""
    name = f"old_{new_id().hex}"
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        url = make_conninfo(postgres, dbname=name)
        with monkeypatch.context() as patch:
            patch.setattr(migrating, "CORE_TREE", first_release)
            migrate(url, [NOTES], LIBRARIES, None)
        yield url
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def fill(url: str) -> dict[str, UUID]:
    """Rows as the first release wrote them: a finished run with its dossier, one that waits."""
    who = local_owner(url)
    ids = {name: new_id() for name in ("done", "waiting", "evidence", "dossier", "claim")}
    org, user = who.org_id, who.user_id
    with psycopg.connect(url) as connection:
        run = connection.execute
        for name, status in (("done", "success"), ("waiting", "pending")):
            note = new_id()
            run(
                "INSERT INTO sample_pack.notes (org_id, id, external_id, title, text, version,"
                " created_at, updated_at) VALUES (%s, %s, %s, 'A note', 'four words stand here', 1,"
                " now(), now())",
                (org, note, name),
            )
            run(
                "INSERT INTO whence.runs (org_id, id, kind, subject_id, flow, flow_version, status,"
                " priority, failures, requested_by, spent_tokens, created_at)"
                " VALUES (%s, %s, 'notes', %s, 'research', '1', %s, 0, 2, %s, 77, now())",
                (org, ids[name], note, status, user),
            )
        run(
            "INSERT INTO whence.evidence VALUES (%s, %s, 'notes', 'n', NULL, 'T', 'words', '{}',"
            " 'hash', NULL, now())",
            (org, ids["evidence"]),
        )
        run(
            "INSERT INTO whence.dossiers (org_id, id, run_id, kind, subject_id, flow, lane,"
            " schema_version, is_current, summary, body, created_at) SELECT org_id, %s, id, kind,"
            " subject_id, flow, lane, 1, true, 'It was four words', '{}', now()"
            " FROM whence.runs WHERE id = %s",
            (ids["dossier"], ids["done"]),
        )
        run(
            "INSERT INTO whence.claims VALUES (%s, %s, %s, 'words', 'Four', '4', 1, 'rules:x@1',"
            " 'supported', NULL)",
            (org, ids["claim"], ids["dossier"]),
        )
        run(
            "INSERT INTO whence.api_tokens (org_id, id, user_id, name, kind, prefix, token_hash,"
            " scopes) VALUES (%s, %s, %s, 'script', 'api', 'whence_sssss', %s, '{read,write}')",
            (org, new_id(), user, hashlib.sha256(SECRET.encode()).digest()),
        )
        run("SELECT set_config('search_path', 'jobs', true)")  # its triggers expect that
        run(
            "INSERT INTO jobs.procrastinate_jobs (queue_name, task_name, lock, args) VALUES"
            " ('whence', 'research.attempt', %s, %s)",
            (str(ids["waiting"]), Jsonb({"org_id": str(org), "run_id": str(ids["waiting"])})),
        )
    return ids


def content(url: str) -> dict[str, list[dict[str, Any]]]:
    tables = ("runs", "evidence", "dossiers", "claims", "api_tokens", "memberships", "users")
    with psycopg.connect(url) as connection:
        return {
            name: [
                row
                for (row,) in connection.execute(
                    f"SELECT to_jsonb(t) FROM whence.{name} t ORDER BY to_jsonb(t)::text".encode()
                )
            ]
            for name in tables
        }


def _with_work(url: str, runs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The runs with what is kept in `whence.work` since."""
    with psycopg.connect(url) as connection:
        work = connection.execute("SELECT to_jsonb(w) FROM whence.work w").fetchall()
    units = {row["id"]: row for (row,) in work}
    return [run | units[run["id"]] for run in runs]


async def test_everything_is_there_after_several_processes_upgraded_at_once(old_url: str) -> None:
    ids = fill(old_url)
    before = content(old_url)
    with ThreadPoolExecutor(3) as pool:
        migrations = [pool.submit(migrate, old_url, [NOTES], LIBRARIES, None) for _ in range(3)]
        assert any(item.result() for item in migrations)
    after = content(old_url)
    after["runs"] = _with_work(old_url, after["runs"])
    for name, rows in before.items():
        common = set(rows[0]) & set(after[name][0])
        assert set(rows[0]) - common <= {"failures"}
        narrowed = [{key: row[key] for key in common} for row in after[name]]
        assert sorted(map(str, narrowed)) == sorted(
            str({key: row[key] for key in common}) for row in rows
        )

    settings = Settings(database_url=SecretStr(old_url), pack_dirs=[SAMPLE_PACKS])
    async with build.platform(settings) as platform, build.worker(platform):
        assert await revision(platform.db) == own_revision()
        who = await tokens.authenticate(platform.db, SECRET, ("api",))
        assert who.org_id == platform.owner.org_id
        async with asyncio.timeout(30):
            status = "pending"
            while status not in ("success", "error"):
                async with platform.unit(platform.owner) as session:
                    status = (await runs.get(session, ids["waiting"])).status
                await asyncio.sleep(0.05)
        assert status == "success"


def test_an_older_program_does_not_start_on_it(
    old_url: str, first_release: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrate(old_url, [NOTES], LIBRARIES, None)
    monkeypatch.setattr(migrating, "CORE_TREE", first_release)
    with pytest.raises(NewerDatabase, match="newer"):
        migrate(old_url, [NOTES], LIBRARIES, None)


def test_an_upgrade_that_fails_leaves_the_old_database_whole(
    old_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(old_url)
    before = content(old_url)
    broken = tmp_path / "broken"
    shutil.copytree(CORE_TREE, broken, ignore=shutil.ignore_patterns("__pycache__"))
    last = max((broken / "versions").glob("[0-9]*.sql"))
    last.write_text(last.read_text(encoding="utf-8") + "\nSELECT nonsense();\n", encoding="utf-8")
    with monkeypatch.context() as patch:
        patch.setattr(migrating, "CORE_TREE", broken)
        with pytest.raises(Exception, match="nonsense"):
            migrate(old_url, [NOTES], LIBRARIES, None)
    assert content(old_url) == before
    assert migrate(old_url, [NOTES], LIBRARIES, None)


def test_the_first_release_is_what_it_was(old_url: str) -> None:
    with psycopg.connect(old_url) as connection:
        row = connection.execute("SELECT version_num FROM whence.schema_version").fetchone()
    assert row == ("0002",)
