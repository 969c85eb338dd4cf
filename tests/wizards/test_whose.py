"""What a run may be begun about and found by, and what nobody may do to what was answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import httpx
import psycopg
import pytest

from whence.app.platform import Platform
from whence.kernel.errors import Conflict, NotFound
from whence.kernel.ids import new_id
from whence.records import store as records
from whence.tenancy.principal import Principal, Role
from whence.wizards.catalog import Wizards
from whence.wizards.chatting import WizardInput, handle
from whence.wizards.store import MAX_LISTED, NoSuchRun
from wizards.serving import client_of

pytestmark = pytest.mark.anyio
NewPrincipal = Callable[..., Principal]


async def note_of(platform: Platform, who: Principal) -> Any:
    kind = platform.kind("notes")
    async with platform.unit(who) as session:
        return (await records.create(session, who, kind, kind.record(title="Theirs"))).id


async def test_a_record_of_another_organization_is_not_there_to_begin_about(
    desk: Any, platform: Platform, new_principal: NewPrincipal
) -> None:
    stranger = new_principal(Role.OWNER)
    theirs = await note_of(platform, stranger)
    begun = await replace(desk, who=stranger).start(subject_id=theirs)
    assert begun.values == {"title": "Theirs"}

    statements: list[str] = []
    for subject in (theirs, new_id()):
        with pytest.raises(NotFound) as refused:
            await desk.start(subject_id=subject)
        statements.append(refused.value.message.replace(str(subject), "it"))
        init = WizardInput(action="init", wizard_id="sample_pack.write")
        with pytest.raises(NotFound):
            async with platform.unit(desk.who) as session:
                await handle(
                    session,
                    desk.who,
                    platform.wizards,
                    new_id(),
                    init,
                    subject=("notes", subject),
                )
    assert statements[0] == statements[1]


async def test_a_colleagues_record_may_be_written_about_and_the_run_stays_ones_own(
    desk: Any, platform: Platform, new_principal: NewPrincipal
) -> None:
    colleague = replace(desk, who=new_principal(Role.MEMBER, platform.owner.org_id))
    run = (await desk.start(subject_id=await note_of(platform, colleague.who))).wizard_run_id
    with pytest.raises(NoSuchRun):
        await colleague.look(run)


async def test_a_run_of_one_wizard_is_not_begun_as_another(desk: Any) -> None:
    write = desk.wizards.newest("sample_pack.write")
    other = replace(write, id="sample_pack.other")
    both = replace(desk, wizards=Wizards([write, other], desk.wizards.kinds))
    run = (await both.start()).wizard_run_id
    with pytest.raises(Conflict, match="another wizard"):
        await both.start("sample_pack.other", run_id=run)


async def test_a_colleague_in_the_same_conversation_finds_no_run_in_it(
    desk: Any, platform: Platform, new_principal: NewPrincipal
) -> None:
    chat = new_id()
    await desk.start(chat_session_id=chat)
    colleague = new_principal(Role.MEMBER, platform.owner.org_id)
    async with platform.unit(colleague) as session:
        with pytest.raises(NoSuchRun, match="No wizard is open"):
            await handle(session, colleague, platform.wizards, chat, WizardInput(action="resume"))


async def test_what_was_answered_can_be_rewritten_by_nobody(desk: Any, database_url: str) -> None:
    await desk.reviewed()
    with psycopg.connect(database_url, autocommit=True) as app:
        app.execute("SET ROLE whence_app")
        app.execute("SELECT set_config('whence.org_id', %s, false)", (str(desk.who.org_id),))
        assert app.execute("SELECT count(*) FROM whence.wizard_answers").fetchone() == (2,)
        for change in ("UPDATE whence.wizard_answers SET step_id = step_id",
                       "DELETE FROM whence.wizard_answers"):  # fmt: skip
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                app.execute(change.encode())


async def test_names_of_any_length_are_refused_before_they_are_looked_for(
    platform: Platform, serve: str, desk: Any
) -> None:
    run = (await desk.start()).wizard_run_id
    path, long = f"/api/wizards/sample_pack.write/runs/{run}", "x" * 101
    async with client_of(platform, serve) as client:
        answers: list[httpx.Response] = [
            await client.get(path, params={"step": long}),
            await client.get(path.replace("sample_pack.write", long)),
            await client.post(f"/api/wizards/{long}/runs"),
        ]
        just = await client.get(path, params={"step": long[1:]})
    assert [answer.status_code for answer in answers] == [422] * 3
    assert (just.status_code, just.json()["type"]) == (409, "/problems/not-on-path")


async def test_a_list_of_open_runs_has_an_end(
    platform: Platform, serve: str, desk: Any, database_url: str
) -> None:
    await desk.start()
    names = "org_id, user_id, definition, version, status, began_on, created_at, updated_at"
    with psycopg.connect(database_url) as connection:
        connection.execute(
            f"INSERT INTO whence.wizard_runs (id, expires_at, {names})"
            f" SELECT gen_random_uuid(), expires_at, {names} FROM whence.wizard_runs,"
            f" generate_series(1, {MAX_LISTED})".encode()
        )
    async with client_of(platform, serve) as client:
        shown = await client.get("/api/wizards/sample_pack.write/runs")
    assert len(shown.json()) == MAX_LISTED == 100
