"""One run loaded from the database: its row, its history, and the resulting position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.kernel.clock import now
from whence.kernel.errors import Conflict
from whence.tenancy.principal import Principal
from whence.wizards import store
from whence.wizards.catalog import Wizards
from whence.wizards.definition import KnownValue, Step
from whence.wizards.drawing import RefusedAnswer, RunHead, draw, draw_withdrawn
from whence.wizards.path import Entry, Place, Start, replay
from whence.wizards.payload import DefinitionRef, RecordRef, StepPayload
from whence.wizards.status import RunStatus
from whence.wizards.tables import WizardAnswer, WizardRun


class StaleSubmit(Conflict):
    """The wizard has moved on since this step was shown; answer its current step."""


class NotOnPath(Conflict):
    """The answers so far do not lead to this step; answer the current step."""


class RunEnded(Conflict):
    """This wizard has ended; start it again to change the answers."""


@dataclass(frozen=True)
class LoadedRun:
    """A run from the database; `start` is None if no pack offers its version any more."""

    row: WizardRun
    start: Start | None
    history: Sequence[WizardAnswer]
    known_place: Place | None = None
    """The position, if the history has been replayed already."""

    @property
    def status(self) -> RunStatus:
        """The current status: the stored one, or why the run cannot continue."""
        status = RunStatus(self.row.status)
        if status is RunStatus.OPEN and self.row.expires_at <= now():
            return RunStatus.EXPIRED
        if status is RunStatus.OPEN and self.start is None:
            return RunStatus.WITHDRAWN
        return status

    @property
    def reason(self) -> str | None:
        """Why the run cannot continue, in words; None while it can, and once it is completed."""
        match self.status:
            case RunStatus.EXPIRED:
                day = self.row.expires_at.date().isoformat()
                return f"This form expired on {day}; start again or cancel it."
            case RunStatus.WITHDRAWN:
                return (
                    f"This form uses version {self.row.version} of '{self.row.definition}', which "
                    "is no longer available. Cancel it and start again; your answers are kept "
                    "below."
                )
            case RunStatus.CANCELLED:
                return "This form was cancelled."
            case RunStatus.OPEN | RunStatus.COMPLETED:
                return None

    def payload(
        self, step_id: str | None = None, refused: RefusedAnswer | None = None
    ) -> StepPayload:
        """The run at a step of its path (default: the current one).  Raises NotOnPath."""
        if self.start is None:
            answers = [(row.step_id, row.responses) for row in self.history]
            return draw_withdrawn(self._head(), answers)
        return draw(self._head(), self.start, self.place, self.step(step_id), refused)

    @property
    def entries(self) -> list[Entry]:
        """The history as entries to replay."""
        return store.history(self.history)

    @cached_property
    def place(self) -> Place:
        """The run's position.  Raises RunEnded if no pack offers its version any more."""
        if self.start is None:
            raise RunEnded(self.reason, current=self.payload().as_json())
        return self.known_place or replay(self.start, self.entries)

    def step(self, step_id: str | None) -> Step:
        """That step of the path, or the current one for None; raises NotOnPath."""
        step = self.place.current if step_id is None else self.place.on_path(step_id)
        if step is None:
            raise NotOnPath(current=self.payload().as_json())
        return step

    def with_answer(self, row: WizardAnswer, place: Place) -> LoadedRun:
        """The run with one more answer and the position it leads to."""
        return replace(self, history=[*self.history, row], known_place=place)

    def require_open(self) -> Start:
        """The start of an open run; raises RunEnded with the payload if it has ended."""
        if self.start is None or self.status is not RunStatus.OPEN:
            raise RunEnded(self.reason, current=self.payload().as_json())
        return self.start

    def _head(self) -> RunHead:
        row = self.row
        record = None
        if row.kind is not None and row.subject_id is not None:
            record = RecordRef(kind=row.kind, id=row.subject_id)
        definition = DefinitionRef(id=row.definition, version=row.version)
        return RunHead(row.id, definition, row.revision, self.status, self.reason, record)


async def load(
    session: AsyncSession,
    who: Principal,
    wizards: Wizards,
    run_id: UUID,
    *,
    definition: str | None = None,
    chat_session_id: UUID | None = None,
    to_change: bool = False,
) -> LoadedRun:
    """This person's run (of that wizard and in that conversation, if they are named).

    Raises NoSuchRun.
    """
    row = await store.get(session, who, run_id, definition=definition, to_change=to_change)
    if chat_session_id is not None and row.chat_session_id != chat_session_id:
        raise store.NoSuchRun
    wizard = wizards.pinned(row.definition, row.version)
    known = [KnownValue(**item) for item in row.known]
    start = Start(wizard, row.began_on, known) if wizard else None
    return LoadedRun(row, start, await store.answers(session, row))
