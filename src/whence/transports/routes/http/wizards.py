"""Guided forms over HTTP: every response is a complete step to draw."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Path, Query, Response
from pydantic import Field
from sqlalchemy.ext.asyncio import AsyncSession

from whence.app.platform import Platform
from whence.kernel.errors import Invalid
from whence.kernel.wire import Wire
from whence.records import store as records
from whence.tenancy.principal import Principal
from whence.transports.edge.access import Reader, Writer
from whence.transports.edge.identity import CurrentPlatform
from whence.transports.routes.http.subjects import shown_as
from whence.wizards import service, store
from whence.wizards.consequences import Consequences, consequences
from whence.wizards.payload import DefinitionRef, RecordRef, StepPayload
from whence.wizards.responses import Responses
from whence.wizards.status import RunStatus

router = APIRouter(prefix="/api/wizards", tags=["wizards"])
WizardId = Annotated[str, Path(alias="id", max_length=100, description="Such as `leave.request`")]
RunId = Annotated[UUID, Path(alias="runId")]
StepId = Annotated[str, Field(min_length=1, max_length=100)]


class WizardOffered(Wire):
    """A wizard that can be started; `kind` is the kind of record it may be about."""

    id: str
    version: str
    title: str
    description: str
    kind: str | None
    writes: bool
    """Whether completing it makes a record of its kind, or fills in the one it is about."""


class Begin(Wire):
    """How to start a wizard; all fields are optional."""

    subject_id: Annotated[str, Field(min_length=1, max_length=500)] | None = None
    """The record it is about, by whence's id or its imported one."""
    run_id: UUID | None = None
    """An id for the run, chosen by the sender: the same id again starts nothing new."""


class Act(Wire):
    """What to do with a run: answer a step, go back or to a step, or cancel."""

    action: Literal["respond", "back", "change", "cancel"] = "respond"
    step_id: StepId | None = None
    """`respond`, `change`: that step.  `back`: the step to go back from."""
    responses: Responses | None = None
    revision: Annotated[int, Field(ge=0)] | None = None
    """`respond`: the revision that was shown; an older one is refused, unless it is a repeat."""


class Supposed(Wire):
    """An answer that was not given yet."""

    step_id: StepId
    responses: Responses


class RunLine(Wire):
    """An open run, to continue; or a completed one, to read again."""

    wizard_run_id: UUID
    definition: DefinitionRef
    status: RunStatus
    revision: int
    record: RecordRef | None
    chat_session_id: UUID | None
    created_at: datetime
    updated_at: datetime
    expires_at: datetime


@router.get("", name="list_wizards")
async def offered(platform: CurrentPlatform, who: Reader) -> list[WizardOffered]:
    """The wizards that can be started."""
    del who
    return [WizardOffered.model_validate(wizard) for wizard in platform.wizards.all_wizards]


@router.post(
    "/{id}/runs",
    status_code=201,
    response_model=None,
    responses=shown_as(StepPayload, 201),
    name="begin_wizard",
)
async def begin(
    platform: CurrentPlatform,
    who: Writer,
    wizard_id: WizardId,
    response: Response,
    body: Begin | None = None,
) -> dict[str, Any]:
    """Start a wizard; returns its first step."""
    request = body or Begin()
    async with platform.unit(who) as session:
        about = await _about(session, platform, wizard_id, request.subject_id)
        payload = await service.start(
            session,
            who,
            platform.wizards,
            wizard_id,
            subject_id=about,
            run_id=request.run_id,
        )
    response.headers["Location"] = f"/api/wizards/{wizard_id}/runs/{payload.wizard_run_id}"
    return payload.as_json()


@router.get("/{id}/runs", name="list_wizard_runs")
async def list_runs(
    platform: CurrentPlatform,
    who: Reader,
    wizard_id: WizardId,
    subject_id: Annotated[
        UUID | None,
        Query(alias="subjectId", description="Those of this record, completed ones too"),
    ] = None,
) -> list[RunLine]:
    """Your own open runs of this wizard, newest first; of one record, also the completed ones."""
    async with platform.unit(who) as session:
        runs = (
            await store.open_runs(session, who, definition=wizard_id)
            if subject_id is None
            else await store.runs_of_record(session, who, wizard_id, subject_id)
        )
    if not runs:
        platform.wizards.newest(wizard_id)
    return [
        RunLine(
            wizard_run_id=run.id,
            definition=DefinitionRef(id=run.definition, version=run.version),
            status=RunStatus(run.status),
            revision=run.revision,
            record=RecordRef(kind=run.kind, id=run.subject_id)
            if run.kind and run.subject_id
            else None,
            chat_session_id=run.chat_session_id,
            created_at=run.created_at,
            updated_at=run.updated_at,
            expires_at=run.expires_at,
        )
        for run in runs
    ]


@router.get(
    "/{id}/runs/{runId}",
    response_model=None,
    responses=shown_as(StepPayload),
    name="read_wizard_run",
)
async def read(
    platform: CurrentPlatform,
    who: Reader,
    wizard_id: WizardId,
    run_id: RunId,
    step: Annotated[str | None, Query(max_length=100, description="A step of the path")] = None,
) -> dict[str, Any]:
    """One of your runs at its current step, or at another step of its path; changes nothing."""
    async with platform.unit(who) as session:
        payload = await service.show(
            session, who, platform.wizards, run_id, step, definition=wizard_id
        )
        return payload.as_json()


@router.post(
    "/{id}/runs/{runId}",
    response_model=None,
    responses=shown_as(StepPayload),
    name="act_on_wizard_run",
)
async def act(
    platform: CurrentPlatform, who: Writer, wizard_id: WizardId, run_id: RunId, body: Act
) -> dict[str, Any]:
    """Answer a step, go back, change an answer, or cancel.

    An invalid answer returns the same step with `errors`, and nothing is stored.
    """
    async with platform.unit(who) as session:
        return (await _done(session, platform, who, wizard_id, run_id, body)).as_json()


@router.post("/{id}/runs/{runId}/preview", name="preview_wizard_answer")
async def preview(
    platform: CurrentPlatform, who: Writer, wizard_id: WizardId, run_id: RunId, body: Supposed
) -> Consequences:
    """What an answer would do to the answers after it; changes nothing."""
    async with platform.unit(who) as session:
        return await consequences(
            session,
            who,
            platform.wizards,
            run_id,
            body.step_id,
            body.responses,
            definition=wizard_id,
        )


async def _done(
    session: AsyncSession,
    platform: Platform,
    who: Principal,
    wizard_id: str,
    run_id: UUID,
    body: Act,
) -> StepPayload:
    run = (session, who, platform.wizards, run_id)
    match body.action:
        case "respond":
            step, responses = _needed(body), body.responses or {}
            return await service.respond(*run, step, responses, body.revision, definition=wizard_id)
        case "change":
            return await service.show(*run, _needed(body), definition=wizard_id)
        case "back":
            return await service.back(*run, body.step_id, definition=wizard_id)
        case "cancel":
            return await service.cancel(*run, definition=wizard_id)


async def _about(
    session: AsyncSession, platform: Platform, wizard_id: str, reference: str | None
) -> UUID | None:
    """The id of the record.  Raises NotFound, and Invalid for a wizard that is not about a
    record."""
    kind = platform.wizards.newest(wizard_id).kind
    if reference is None:
        return None
    if kind is None:
        raise Invalid(f"'{wizard_id}' is not about a record; start it without one.")
    return (await records.resolve(session, platform.kind(kind), reference)).id


def _needed(body: Act) -> str:
    if body.step_id is None:
        errors = [{"field": "stepId", "message": "is required for this action"}]
        raise Invalid(f"'stepId' is needed to {body.action}.", errors=errors)
    return body.step_id
