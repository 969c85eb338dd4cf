"""A wizard inside a conversation: explicit input, routed by its presence and never by a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field
from sqlalchemy.ext.asyncio import AsyncSession

from whence.kernel.errors import Conflict, Invalid
from whence.kernel.wire import Wire
from whence.tenancy.principal import Principal
from whence.wizards import service, store
from whence.wizards.catalog import Wizards
from whence.wizards.payload import DefinitionRef, StepPayload
from whence.wizards.tables import WizardRun

Id = Annotated[str, Field(min_length=1, max_length=100)]


class SeveralWizards(Conflict):
    """Several wizards are under way in this conversation; say which with `wizardRunId`."""


class NamedRun(Wire):
    """One of several runs, as they are told apart."""

    wizard_run_id: UUID
    definition: DefinitionRef
    title: str
    revision: int
    updated_at: datetime


class WizardInput(Wire):
    """What a client sends beside a message, or instead of one.

    `init` begins `wizardId` (a `wizardRunId` of the sender's makes that idempotent); `respond`
    answers `inputStepId`; `resume` shows where the wizard is, or the step named.  Without
    `wizardRunId` the one wizard is meant that is under way in the conversation; where none is, the
    one that was worked on last, so that a submit sent again is told how it ended.
    """

    action: Literal["init", "respond", "resume", "back", "change", "cancel"]
    wizard_id: Id | None = None
    wizard_run_id: UUID | None = None
    input_step_id: Id | None = None
    input_responses: dict[str, Any] | None = None
    revision: Annotated[int, Field(ge=0)] | None = None


def anew(given: Mapping[str, Any], before: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Input that is to be handled once more; `before`: `meta` of the answers to it, in order.

    A submit without a revision gets the one that it met when it was first taken, so that handled
    again it takes back nothing that was answered since.
    """
    taken = (meta["wizard"] for meta in before if "wizard" in meta and "refused" not in meta)
    told = next(taken, None)
    if told is None or given.get("action") != "respond" or given.get("revision") is not None:
        return given
    met = told["revision"] - (not told["errors"])
    return {**given, "wizardRunId": told["wizardRunId"], "revision": max(met, 0)}


async def handle(
    session: AsyncSession,
    who: Principal,
    wizards: Wizards,
    session_id: UUID,
    wizard_input: WizardInput,
    *,
    subject: tuple[str, UUID] | None = None,
    new_run_id: UUID | None = None,
) -> StepPayload:
    """Do what the input says, in that conversation; the step to draw.

    `subject` is (kind, id) of the record that the conversation is about: a wizard of that kind
    begins about it.  `new_run_id` is the id of a run that the input begins without naming one.
    Raises as `service`, Invalid for input that misses something, SeveralWizards.
    """
    given = wizard_input
    if given.action == "init":
        run_id = given.wizard_run_id or new_run_id
        return await _init(session, who, wizards, session_id, given, run_id, subject)
    run_id = given.wizard_run_id
    if run_id is None:
        run_id = await _only(session, who, wizards, session_id, given.wizard_id)
    here = session_id
    match given.action:
        case "respond":
            step = _needed(given.input_step_id, "inputStepId")
            said = given.input_responses or {}
            return await service.respond(
                session, who, wizards, run_id, step, said, given.revision, chat_session_id=here
            )
        case "resume":
            step_id = given.input_step_id
        case "change":
            step_id = _needed(given.input_step_id, "inputStepId")
        case "back":
            return await service.back(
                session, who, wizards, run_id, given.input_step_id, chat_session_id=here
            )
        case "cancel":
            return await service.cancel(session, who, wizards, run_id, chat_session_id=here)
    return await service.look(session, who, wizards, run_id, step_id, chat_session_id=here)


async def _init(
    session: AsyncSession,
    who: Principal,
    wizards: Wizards,
    session_id: UUID,
    given: WizardInput,
    run_id: UUID | None,
    subject: tuple[str, UUID] | None,
) -> StepPayload:
    wizard = wizards.newest(_needed(given.wizard_id, "wizardId"))
    about = subject[1] if subject and subject[0] == wizard.kind else None
    return await service.start(
        session,
        who,
        wizards,
        wizard.id,
        subject_id=about,
        chat_session_id=session_id,
        run_id=run_id,
    )


async def _only(
    session: AsyncSession,
    who: Principal,
    wizards: Wizards,
    session_id: UUID,
    wizard_id: str | None,
) -> UUID:
    """The run that is meant without its id: the one under way, or where none is, the last one."""
    found = await store.open_runs(session, who, definition=wizard_id, chat_session_id=session_id)
    if len(found) > 1:
        raise _several(wizards, found)
    if found:
        return found[0].id
    if last := await store.newest_of_chat(session, who, session_id, wizard_id):
        return last.id
    raise store.NoSuchRun("No wizard is under way in this conversation; begin one with `init`.")


def _several(wizards: Wizards, found: Sequence[WizardRun]) -> SeveralWizards:
    named = [
        NamedRun(
            wizard_run_id=run.id,
            definition=DefinitionRef(id=run.definition, version=run.version),
            title=wizard.title
            if (wizard := wizards.pinned(run.definition, run.version))
            else run.definition,
            revision=run.revision,
            updated_at=run.updated_at,
        )
        for run in found
    ]
    words = ", ".join(f"'{one.title}' ({one.wizard_run_id})" for one in named)
    return SeveralWizards(
        f"Several wizards are under way in this conversation: {words}. Say which with "
        "`wizardRunId`.",
        wizards=[one.model_dump(mode="json", by_alias=True) for one in named],
    )


def _needed(value: str | None, name: str) -> str:
    if value is None:
        found = [{"field": name, "message": "is needed for this action"}]
        raise Invalid(f"'{name}' is needed for this action.", errors=found)
    return value
