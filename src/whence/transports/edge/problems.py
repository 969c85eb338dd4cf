"""Every error as a problem document (RFC 9457), from one table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from pydantic import Field

from whence.chat.evidence_choices.service import OutdatedDossier
from whence.chat.proposals import refusals
from whence.chat.transcript.messages import TurnRunning
from whence.erasure.erasing import PERSON
from whence.kernel import errors
from whence.kernel.ids import new_id
from whence.kernel.log import get
from whence.kernel.wire import Wire
from whence.records.files.errors import FileTooLarge
from whence.transports.edge.ranges import RangeNotSatisfiable
from whence.wizards.chatting import SeveralWizards
from whence.wizards.runs import NotOnPath, RunEnded, StaleSubmit

MEDIA_TYPE = "application/problem+json"
MAX_FIELD_ERRORS = 50
"""Field errors in one answer; for a body with thousands of errors more would only echo it."""
_log = get("transports")


class FieldError(Wire):
    """An error in one field of the input."""

    field: str
    """Dotted path in the body, or the name of the parameter or header."""
    message: str


class Problem(Wire):
    """An error in the form of RFC 9457; `type` is stable, `detail` is for people."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[FieldError] = Field(default_factory=list[FieldError])
    incident: str | None = None
    """For an unexpected error: the id of its details in the server's log."""
    retry_after: float | None = None
    """Seconds to wait before trying again, if that helps."""
    current: dict[str, Any] | None = None
    """For some conflicts: the current state."""

    def shown(self) -> dict[str, Any]:
        """The document as sent; members without a value are left out."""
        return self.model_dump(mode="json", by_alias=True, exclude_defaults=True)


class TooLarge(errors.Invalid):
    """The body is too large; send less at once."""


class TooSlow(errors.Invalid):
    """The request did not arrive in time; send it again, or send less at once."""


class WrongHost(errors.Invalid):
    """This server does not serve that host name; use the address it printed, or set
    WHENCE_PUBLIC_URL to the address people use."""


class NoSuchMethod(errors.Invalid):
    """This address does not support that method; see `/openapi.json` for the methods it
    supports."""


TABLE: dict[type[errors.WhenceError], tuple[int, str, str]] = {
    errors.Invalid: (422, "invalid", "The input is not valid"),
    errors.NotFound: (404, "not-found", "There is no such thing"),
    errors.Conflict: (409, "conflict", "Not possible in the present state"),
    errors.Unauthorized: (401, "unauthorized", "Not signed in"),
    errors.Forbidden: (403, "forbidden", "Not allowed"),
    errors.NotReady: (422, "not-ready", "Not ready for research"),
    errors.TooMany: (429, "too-many", "Too many at once"),
    errors.Unavailable: (503, "unavailable", "Not available now"),
    errors.Misconfigured: (500, "misconfigured", "A setting is missing or wrong"),
    errors.BudgetExceeded: (409, "budget-exceeded", "The budget is used up"),
    errors.StaleAttempt: (409, "conflict", "It changed meanwhile"),
    TurnRunning: (409, "turn-running", "An answer is being written"),
    errors.WhenceError: (500, "failed", "It failed"),
    refusals.RecordChanged: (409, "record-changed", "The record changed meanwhile"),
    OutdatedDossier: (409, "outdated-dossier", "There is newer research"),
    refusals.ProposalExpired: (409, "proposal-expired", "The proposal is too old"),
    refusals.AlreadyApplied: (409, "already-applied", "It was applied already"),
    refusals.AlreadyUndone: (409, "already-undone", "It was taken back already"),
    refusals.AlreadyDeclined: (409, "already-declined", "It was declined already"),
    refusals.NotApplied: (409, "not-applied", "It was never applied"),
    refusals.RulesChanged: (409, "rules-changed", "The rules changed meanwhile"),
    refusals.NotAsProposed: (409, "not-as-proposed", "It is not what was proposed"),
    refusals.NotYours: (403, "not-yours", "Somebody else's proposal"),
    refusals.AgentsMayNotApply: (403, "needs-person", "Only a person may do this"),
    StaleSubmit: (409, "stale-submit", "The wizard has moved on"),
    NotOnPath: (409, "not-on-path", "The answers do not lead there"),
    RunEnded: (409, "wizard-ended", "The wizard has ended"),
    SeveralWizards: (409, "several-wizards", "Several wizards are under way"),
    TooLarge: (413, "too-large", "The body is too large"),
    FileTooLarge: (413, "too-large", "The file is too large"),
    RangeNotSatisfiable: (416, "range-not-satisfiable", "No such part of the file"),
    TooSlow: (408, "too-slow", "The request took too long"),
    WrongHost: (421, "wrong-host", "Not this server's name"),
    NoSuchMethod: (405, "method-not-allowed", "Not a method of this address"),
}
"""Error type → HTTP status, last part of `type`, title.  The nearest base class applies."""


def of_error(error: errors.WhenceError) -> Problem:
    """The problem document of one of our errors."""
    status, slug, title = next(TABLE[base] for base in type(error).__mro__ if base in TABLE)
    listed = cast("Sequence[object]", error.context.get("errors", ()))[:MAX_FIELD_ERRORS]
    return Problem(
        type=f"/problems/{slug}",
        title=title,
        status=status,
        detail=_with_way(error),
        errors=[FieldError.model_validate(item) for item in listed],
        retry_after=(
            error.retry_after if isinstance(error, errors.Unavailable | errors.TooMany) else None
        ),
        current=cast("dict[str, Any] | None", error.context.get("current")),
    )


def _with_way(error: errors.WhenceError) -> str:
    """The message; for a missing record, also the call that lists the existing ones."""
    kind = error.context.get("kind")
    if isinstance(error, errors.NotFound) and kind:
        address = "/api/members" if kind == PERSON else f"/api/{kind}"
        return f"{error.message.rstrip('.')}; `GET {address}` lists them."
    return error.message


def unexpected(error: Exception, where: str) -> Problem:
    """The problem document of an unexpected error: logged in full, reported only by its id."""
    incident = str(new_id())
    _log.error("unexpected error", incident=incident, where=where, exc_info=error)
    return Problem(
        type="/problems/unexpected",
        title="Something unexpected went wrong",
        status=500,
        detail=f"The server's log has the details under incident {incident}.",
        incident=incident,
    )


def of_any(error: Exception, where: str) -> Problem:
    """The problem document of any error; unexpected ones are logged."""
    if isinstance(error, errors.WhenceError):
        return of_error(error)
    return unexpected(error, where)
