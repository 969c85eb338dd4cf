"""Wizards in a conversation: they take explicit input, without a model in between."""

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
from whence.wizards.responses import Responses
from whence.wizards.tables import WizardRun

ShortId = Annotated[str, Field(min_length=1, max_length=100)]


class SeveralWizards(Conflict):
    """Several wizards are open in this conversation; name one with `wizardRunId`."""


class NamedRun(Wire):
    """One of several open runs, to choose from."""

    wizard_run_id: UUID
    definition: DefinitionRef
    title: str
    revision: int
    updated_at: datetime


class WizardInput(Wire):
    """Wizard input that a client sends with a message or instead of one.

    `init` starts `wizardId`, or without one the only wizard of the record's kind (a `wizardRunId`
    chosen by the sender makes that idempotent); `respond` answers `inputStepId`; `resume` shows the
    current step, or the step named.  Without `wizardRunId` the input goes to the wizard that is
    open in the conversation; if none is open, to the one used last, so that a repeated submit
    learns how it ended.
    """

    action: Literal["init", "respond", "resume", "back", "change", "cancel"]
    wizard_id: ShortId | None = None
    wizard_run_id: UUID | None = None
    input_step_id: ShortId | None = None
    input_responses: Responses | None = None
    revision: Annotated[int, Field(ge=0)] | None = None


def repeat_input(
    wizard_input: Mapping[str, Any], earlier_meta: Sequence[Mapping[str, Any]]
) -> Mapping[str, Any]:
    """Input prepared to be handled again; `earlier_meta` is the `meta` of its answers, in order.

    A submit without a revision gets the revision it was first accepted on, so that handling it
    again does not undo later answers.
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
    """Carry out the input in that conversation; return the step to draw.

    `subject` is (kind, id) of the conversation's record: a wizard of that kind starts about it.
    `new_run_id` is the id for a run that the input starts without naming one.  Raises what
    `service` raises, Invalid for incomplete input, and SeveralWizards.
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
    wizard_id = request.wizard_id
    wizard = (
        wizards.newest(wizard_id)
        if wizard_id
        else wizards.only_one(subject[0] if subject else None)
    )
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
    """The run that input without an id refers to: the open one, or else the one used last."""
    runs = await store.open_runs(session, who, definition=wizard_id, chat_session_id=session_id)
    if len(runs) > 1:
        raise _several_wizards(wizards, runs)
    if runs:
        return runs[0].id
    if last := await store.newest_of_chat(session, who, session_id, wizard_id):
        return last.id
    raise store.NoSuchRun("No wizard is open in this conversation; start one with `init`.")


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
        f"Several wizards are open in this conversation: {listing}. Name one with `wizardRunId`.",
        wizards=[one.model_dump(mode="json", by_alias=True) for one in choices],
    )


def _required(value: str | None, name: str) -> str:
    if value is None:
        errors = [{"field": name, "message": "is required for this action"}]
        raise Invalid(f"'{name}' is required for this action.", errors=errors)
    return value
