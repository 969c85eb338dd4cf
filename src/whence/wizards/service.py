"""Runs of wizards: start, answer, show, go back, cancel.  Answering the last step completes one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.statements import storable
from whence.kernel.clock import now
from whence.kernel.errors import Conflict, Invalid
from whence.kernel.ids import new_id
from whence.records import store as records
from whence.records.audit import audit
from whence.tenancy import organization
from whence.tenancy.principal import Principal, Scope
from whence.tenancy.profile import profile
from whence.wizards import store
from whence.wizards.catalog import Wizards
from whence.wizards.definition import Background, Wizard
from whence.wizards.drawing import RefusedAnswer
from whence.wizards.filling import fill
from whence.wizards.path import Entry, replay
from whence.wizards.payload import StepPayload
from whence.wizards.reading import as_errors, check_size, own_values, read, stored_form
from whence.wizards.runs import LoadedRun, StaleSubmit, load
from whence.wizards.status import Origin, RunStatus
from whence.wizards.tables import WizardRun

AUDITED = "wizards"
"""The kind of wizard entries in the audit log, which name the run but never an answer."""


async def start(
    session: AsyncSession,
    who: Principal,
    wizards: Wizards,
    wizard_id: str,
    *,
    subject_id: UUID | None = None,
    chat_session_id: UUID | None = None,
    run_id: UUID | None = None,
    origin: Origin = Origin.API,
) -> StepPayload:
    """Start a wizard, about a record of its kind if one is named.

    A `run_id` chosen by the caller makes this idempotent: an existing run is returned.
    Raises Forbidden, NotFound, and Invalid for a record that the wizard cannot be about.
    """
    who.require(Scope.WRITE)
    wizard = wizards.newest(wizard_id)
    run_id = run_id or new_id()
    at = now()
    background = await _background(session, who, wizards, wizard, subject_id)
    known = [asdict(item) for item in wizard.known(background)] if wizard.known else []
    values = {
        "id": run_id,
        "user_id": who.user_id,
        "definition": wizard.id,
        "version": wizard.version,
        "status": RunStatus.OPEN.value,
        "kind": wizard.kind,
        "subject_id": subject_id,
        "chat_session_id": chat_session_id,
        "origin": Origin.CHAT if chat_session_id else origin,
        "known": storable(known),
        "began_on": background.today,
        "created_at": at,
        "updated_at": at,
        "expires_at": at + wizard.expires,
    }
    created = await store.insert_new(session, values)
    loaded = await load(session, who, wizards, run_id)
    if not created:
        if loaded.row.definition != wizard.id or loaded.row.chat_session_id != chat_session_id:
            raise Conflict("This run belongs to another wizard or conversation; use a new id.")
        return loaded.payload()
    await _audit(session, who, "start_wizard", loaded.row)
    await _complete_if_done(session, who, wizards, loaded)
    return loaded.payload()


async def respond(
    session: AsyncSession,
    who: Principal,
    wizards: Wizards,
    run_id: UUID,
    step_id: str,
    responses: Mapping[str, Any],
    revision: int | None = None,
    *,
    definition: str | None = None,
    chat_session_id: UUID | None = None,
) -> StepPayload:
    """Answer the current step or an earlier one of the path; return the next step.

    An invalid answer returns the same step with its errors, and nothing is stored.  Sending the
    same (revision, responses) twice has one effect.  Raises StaleSubmit for an older revision,
    NotOnPath and RunEnded, each with the current payload; NoSuchRun; Forbidden; TooLong.
    """
    who.require(Scope.WRITE)
    check_size(responses)
    loaded = await load(
        session,
        who,
        wizards,
        run_id,
        definition=definition,
        chat_session_id=chat_session_id,
        to_change=True,
    )
    if _was_accepted(loaded, step_id, responses, revision):
        return loaded.payload()
    open_start = loaded.require_open()
    if revision is not None and revision != loaded.row.revision:
        raise StaleSubmit(current=loaded.payload().as_json())
    step, place = loaded.step(step_id), loaded.place
    completed = open_start.with_prefilled(step, place.stored, responses)
    answer = read(step, completed)
    if isinstance(answer, list):
        return loaded.payload(step_id, RefusedAnswer(own_values(step, completed), answer))
    values = stored_form(answer)
    if place.stored.get(step_id) != values or step_id not in place.answers.by_step:
        next_place = replay(open_start, [*loaded.entries, Entry(step_id, values)])
        if next_place.current.id == step_id and next_place.problems:
            return loaded.payload(
                step_id, RefusedAnswer(values, as_errors(step, next_place.problems))
            )
        row = await store.append(session, loaded.row, step_id, values)
        loaded = loaded.with_answer(row, next_place)
    await _complete_if_done(session, who, wizards, loaded)
    return loaded.payload()


async def show(
    session: AsyncSession,
    who: Principal,
    wizards: Wizards,
    run_id: UUID,
    step_id: str | None = None,
    *,
    definition: str | None = None,
    chat_session_id: UUID | None = None,
) -> StepPayload:
    """The run at its current step, or at a step of its path: to resume, or to change an answer.

    Changes nothing.  Raises NoSuchRun, and NotOnPath with the current payload.
    """
    loaded = await load(
        session, who, wizards, run_id, definition=definition, chat_session_id=chat_session_id
    )
    return loaded.payload(step_id)


async def back(
    session: AsyncSession,
    who: Principal,
    wizards: Wizards,
    run_id: UUID,
    step_id: str | None = None,
    *,
    definition: str | None = None,
    chat_session_id: UUID | None = None,
) -> StepPayload:
    """The step before that one (default: before the current step), or the first step."""
    loaded = await load(
        session, who, wizards, run_id, definition=definition, chat_session_id=chat_session_id
    )
    loaded.require_open()
    step = loaded.step(step_id)
    return loaded.payload((loaded.place.before(step.id) or step).id)


async def cancel(
    session: AsyncSession,
    who: Principal,
    wizards: Wizards,
    run_id: UUID,
    *,
    definition: str | None = None,
    chat_session_id: UUID | None = None,
) -> StepPayload:
    """Cancel a run, also an expired one; a run that has ended stays as it is."""
    who.require(Scope.WRITE)
    loaded = await load(
        session,
        who,
        wizards,
        run_id,
        definition=definition,
        chat_session_id=chat_session_id,
        to_change=True,
    )
    if loaded.row.status == RunStatus.OPEN.value:
        await _end(session, who, loaded.row, RunStatus.CANCELLED)
    return loaded.payload()


def _was_accepted(
    loaded: LoadedRun, step_id: str, responses: Mapping[str, Any], revision: int | None
) -> bool:
    """Whether this submit was accepted before."""
    if revision is None:
        revision = loaded.row.revision - 1
    row = next((row for row in loaded.history if row.revision == revision + 1), None)
    start = loaded.start
    step = start.wizard.step(step_id) if start else None
    if row is None or start is None or step is None or row.step_id != step_id:
        return False
    earlier = [one for one in loaded.history if one.revision <= revision]
    before = replay(start, store.history(earlier))
    answer = read(step, start.with_prefilled(step, before.stored, responses))
    return not isinstance(answer, list) and stored_form(answer) == row.responses


async def _background(
    session: AsyncSession,
    who: Principal,
    wizards: Wizards,
    wizard: Wizard,
    subject_id: UUID | None,
) -> Background:
    record = None
    if subject_id is not None:
        if wizard.kind is None:
            raise Invalid(f"'{wizard.id}' is not about a record; start it without one.")
        kind = wizards.kinds[wizard.kind]
        record = kind.parse(await records.get(session, kind, subject_id))
    person, profile_of_organization = await profile(session, who), await organization.read(session)
    return Background(record, person, profile_of_organization, now().date())


async def _complete_if_done(
    session: AsyncSession, who: Principal, wizards: Wizards, loaded: LoadedRun
) -> None:
    if loaded.start is None or loaded.status is not RunStatus.OPEN:
        return
    if loaded.place.is_done:
        wizard, answers = loaded.start.wizard, loaded.place.answers
        loaded.row.subject_id = await fill(
            session, who, wizards, wizard, answers, loaded.row.subject_id
        )
        await _end(session, who, loaded.row, RunStatus.COMPLETED)


async def _end(session: AsyncSession, who: Principal, row: WizardRun, status: RunStatus) -> None:
    row.status = status.value
    row.ended_at = row.updated_at = now()
    await session.flush()
    acts = {RunStatus.COMPLETED: "complete_wizard", RunStatus.CANCELLED: "cancel_wizard"}
    await _audit(session, who, acts[status], row)


async def _audit(session: AsyncSession, who: Principal, action: str, row: WizardRun) -> None:
    detail = {"wizard": row.definition, "version": row.version, "kind": row.kind}
    detail["subject"] = str(row.subject_id) if row.subject_id else None
    await audit(session, who, action, AUDITED, row.id, detail)
