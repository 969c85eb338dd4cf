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

ShortId = Annotated[str, Field(min_length=1, max_length=100)]


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
    wizard_id: ShortId | None = None
    wizard_run_id: UUID | None = None
    input_step_id: ShortId | None = None
    input_responses: dict[str, Any] | None = None
    revision: Annotated[int, Field(ge=0)] | None = None


def repeat_input(
    wizard_input: Mapping[str, Any], earlier_meta: Sequence[Mapping[str, Any]]
) -> Mapping[str, Any]:
    """Input that is to be handled once more; `before`: `meta` of the answers to it, in order.

    A submit without a revision gets the one that it met when it was first taken, so that handled
    again it takes back nothing that was answered since.
    """
    payloads = (
        meta["wizard"] for meta in earlier_meta if "wizard" in meta and "refused" not in meta
    )
    first_payload = next(payloads, None)
    if (
        first_payload is None
        or wizard_input.get("action") != "respond"
        or wizard_input.get("revision") is not None
    ):
        return wizard_input
    revision = first_payload["revision"] - (not first_payload["errors"])
    return {
        **wizard_input,
        "wizardRunId": first_payload["wizardRunId"],
        "revision": max(revision, 0),
    }


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
    request = wizard_input
    if request.action == "init":
        run_id = request.wizard_run_id or new_run_id
        return await _init(session, who, wizards, session_id, request, run_id, subject)
    run_id = request.wizard_run_id
    if run_id is None:
        run_id = await _implied_run_id(session, who, wizards, session_id, request.wizard_id)
    chat_session_id = session_id
    match request.action:
        case "respond":
            step = _required(request.input_step_id, "inputStepId")
            responses = request.input_responses or {}
            return await service.respond(
                session,
                who,
                wizards,
                run_id,
                step,
                responses,
                request.revision,
                chat_session_id=chat_session_id,
            )
        case "resume":
            step_id = request.input_step_id
        case "change":
            step_id = _required(request.input_step_id, "inputStepId")
        case "back":
            return await service.back(
                session,
                who,
                wizards,
                run_id,
                request.input_step_id,
                chat_session_id=chat_session_id,
            )
        case "cancel":
            return await service.cancel(
                session, who, wizards, run_id, chat_session_id=chat_session_id
            )
    return await service.show(
        session, who, wizards, run_id, step_id, chat_session_id=chat_session_id
    )


async def _init(
    session: AsyncSession,
    who: Principal,
    wizards: Wizards,
    session_id: UUID,
    request: WizardInput,
    run_id: UUID | None,
    subject: tuple[str, UUID] | None,
) -> StepPayload:
    wizard = wizards.newest(_required(request.wizard_id, "wizardId"))
    subject_id = subject[1] if subject and subject[0] == wizard.kind else None
    return await service.start(
        session,
        who,
        wizards,
        wizard.id,
        subject_id=subject_id,
        chat_session_id=session_id,
        run_id=run_id,
    )


async def _implied_run_id(
    session: AsyncSession,
    who: Principal,
    wizards: Wizards,
    session_id: UUID,
    wizard_id: str | None,
) -> UUID:
    """The run that is meant without its id: the one under way, or where none is, the last one."""
    runs = await store.open_runs(session, who, definition=wizard_id, chat_session_id=session_id)
    if len(runs) > 1:
        raise _several_wizards(wizards, runs)
    if runs:
        return runs[0].id
    if last := await store.newest_of_chat(session, who, session_id, wizard_id):
        return last.id
    raise store.NoSuchRun("No wizard is under way in this conversation; begin one with `init`.")


def _several_wizards(wizards: Wizards, runs: Sequence[WizardRun]) -> SeveralWizards:
    choices = [
        NamedRun(
            wizard_run_id=run.id,
            definition=DefinitionRef(id=run.definition, version=run.version),
            title=wizard.title
            if (wizard := wizards.pinned(run.definition, run.version))
            else run.definition,
            revision=run.revision,
            updated_at=run.updated_at,
        )
        for run in runs
    ]
    listing = ", ".join(f"'{one.title}' ({one.wizard_run_id})" for one in choices)
    return SeveralWizards(
        f"Several wizards are under way in this conversation: {listing}. Say which with "
        "`wizardRunId`.",
        wizards=[one.model_dump(mode="json", by_alias=True) for one in choices],
    )


def _required(value: str | None, name: str) -> str:
    if value is None:
        errors = [{"field": name, "message": "is needed for this action"}]
        raise Invalid(f"'{name}' is needed for this action.", errors=errors)
    return value
