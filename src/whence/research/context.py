"""The context that a node gets beside its state: the subject, evidence, tools, fenced writes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar
from uuid import UUID

from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.tables import SubjectRow
from whence.events import log
from whence.events.types import Progress
from whence.evidence import dossiers, sections, store
from whence.evidence.records import (
    BundledEvidence,
    DossierDraft,
    Finding,
    Judgement,
    Recompute,
    SectionDraft,
)
from whence.kernel.errors import Invalid, Unavailable
from whence.kernel.retry import retry
from whence.kernel.services import Services
from whence.kernel.text import digest
from whence.records import store as records
from whence.records.kind import SubjectKind
from whence.research.attempt import Attempt
from whence.research.earlier import EarlierRun, earlier_run
from whence.research.questions import Answer, PersonAsked, Question, fits
from whence.research.run_steps import EndedEarly
from whence.research.run_type import DEFAULT, RunType
from whence.tenancy.principal import Principal
from whence.tools.registry import ToolRegistry
from whence.tools.sources import SourceRequest, count_requests
from whence.tools.tool import ToolContext
from whence.work.transitions import can_pause

S = TypeVar("S")
M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class RunContext:
    """A node's access to its run.  Every write is fenced and safe to repeat."""

    attempt: Attempt
    node: str
    subject_kind: SubjectKind
    tools: ToolRegistry
    services: Services
    recomputations: Mapping[str, Recompute]
    branch: str | None = None
    """The name of this branch, if the node runs in several."""
    run_type: RunType = DEFAULT
    """The run's type, as the flow declares it."""
    counts: Counter[str] = field(default_factory=Counter[str])
    """The counts reported with `count`; shown with the step."""
    ended_early: EndedEarly | None = None
    """Set for the `partial` node only: why the run ends, and the nodes that are not done."""
    _calls: Counter[str] = field(default_factory=Counter[str], repr=False)
    """The number of calls of each tool with the same arguments in this turn of the node."""

    @property
    def run_id(self) -> UUID:
        return self.attempt.run_id

    @property
    def principal(self) -> Principal:
        return self.attempt.principal

    @property
    def options(self) -> Mapping[str, Any]:
        """The options of the request for this run."""
        return self.attempt.options

    def parameters(self, wanted: type[M]) -> M:
        """The run's parameters; defaults if the run's type declares another model.

        Parameters of an older version of the flow that no longer fit are left out.
        """
        if not issubclass(self.run_type.parameters, wanted):
            return wanted()
        try:
            parsed = self.run_type.parse(self.attempt.parameters)
        except Invalid:
            return wanted()
        return parsed if isinstance(parsed, wanted) else wanted()

    @property
    def is_interactive(self) -> bool:
        """Whether a person is ready to answer questions."""
        return self.options.get("interactive") is True

    async def ask(self, question: Question) -> Answer:
        """Ask a person; returns the answer, None for "I don't know".

        Without an answer yet, this ends the attempt and the run waits; the node runs again once the
        question is answered.  So ask before expensive work, and never inside `fenced()`.
        """
        answer = self.attempt.answers.get(question.key)
        if answer is None or not fits(question, answer["answer"]):
            raise PersonAsked(question)
        return answer["answer"]

    def has_answer(self, key: str) -> bool:
        """Whether a person has answered this question, even with "I don't know"."""
        return key in self.attempt.answers

    async def outside(self, ask: Callable[[], Awaitable[S]]) -> S:
        """Call an outside system through your own client, up to three times while it raises
        Unavailable; then the run pauses.  `Fetcher`, models and `call` do this by themselves.
        """
        return await retry(ask)

    async def count_requests(self, requests: Sequence[SourceRequest]) -> None:
        """Count requests to outside sources, for the settings; they name no record."""
        if requests:
            async with self.fenced() as session:
                await count_requests(session, requests)

    async def pause_for(self, error: Unavailable) -> None:
        """Pause the run for an outside system that the flow can also do without.

        Raises the error, and the node runs again after the pause. Returns once the run has paused
        at this place as often as it may: then continue without the system, and say so.
        """
        async with self.unit() as session:
            if await can_pause(session, self.run_id):
                raise error

    @property
    def is_shadow(self) -> bool:
        """Whether the run is a shadow run: it may then change nothing outside itself."""
        return self.attempt.is_shadow

    def service(self, wanted: type[S]) -> S:
        """The pack's process-wide object of this type."""
        return self.services.get(wanted)

    def unit(self) -> AbstractAsyncContextManager[AsyncSession]:
        """A transaction for reading; joins an open `fenced()`."""
        return self.attempt.unit()

    def fenced(self) -> AbstractAsyncContextManager[AsyncSession]:
        """A transaction for writing; raises StaleAttempt once another worker owns the run."""
        return self.attempt.fenced()

    async def subject(self, session: AsyncSession | None = None) -> SubjectRow:
        """The record under research in its current version; raises NotFound."""
        if session is not None:
            return await records.get(session, self.subject_kind, self.attempt.subject_id)
        async with self.unit() as own:
            return await records.get(own, self.subject_kind, self.attempt.subject_id)

    async def change(self, session: AsyncSession, values: Mapping[str, object]) -> None:
        """Set columns of the record under research in the given transaction, with an audit entry.

        A shadow run skips the change.  Its other writes to a pack's tables raise ShadowWrite.
        """
        if not self.is_shadow:
            about = (self.principal, self.subject_kind, self.attempt.subject_id)
            await records.note_findings(session, *about, values, self.run_id)

    async def keep(self, findings: Sequence[Finding]) -> list[UUID]:
        """Store findings as evidence, each once; returns their ids in order."""
        async with self.fenced() as session:
            return await store.keep(session, findings)

    async def judge(self, judgements: Sequence[Judgement]) -> None:
        """Add evidence to the run's bundle, or replace its judgement."""
        async with self.fenced() as session:
            await store.judge(session, self.run_id, judgements)

    async def bundle(self, role: str | None = None) -> list[BundledEvidence]:
        """The run's evidence so far, included items first."""
        async with self.unit() as session:
            return await store.bundle(session, self.run_id, role)

    async def earlier(self) -> EarlierRun:
        """The last run that covered the whole record, for a run type that builds on it.

        Raises NothingToBuildOn.
        """
        attempt = self.attempt
        lane = dossiers.Lane(attempt.kind, attempt.subject_id, attempt.flow)
        async with self.unit() as session:
            return await earlier_run(session, lane, self.run_id)

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> BaseModel:
        """Call a tool of the registry for this run; not inside an open `fenced()`.

        A tool that changes something does so once, even if the call is retried or the interrupted
        node runs again: the call's key is made of the node's place in the flow, the tool and the
        arguments.
        """
        context = ToolContext(
            principal=self.principal,
            caller=f"flow:{self.node}",
            db=self.attempt.db,
            services=self.services,
            run_id=self.run_id,
            fence=self.fenced,
            key=self._call_key(tool, arguments),
        )
        return await retry(lambda: self.tools.call(tool, arguments, context))

    def _call_key(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """A key that identifies a call in a node's turn, also across interruptions."""
        from langchain_core.runnables.config import ensure_config  # slow to load; packs import this

        metadata = ensure_config().get("metadata", {})
        # LangGraph derives it from the checkpoint before the node, so that it survives a crash.
        visit = metadata.get("langgraph_checkpoint_ns", self.node)
        call = digest({"visit": visit, "tool": tool, "arguments": dict(arguments)})
        self._calls[call] += 1
        return f"{call}:{self._calls[call]}"

    async def report(self, message: str) -> None:
        """Send a progress message to those who watch the run."""
        event = Progress(node=self.node, message=message, branch=self.branch)
        async with self.attempt.fenced(flushed=False) as session:
            await log.append(session, self.run_id, event)

    def count(self, name: str, number: int = 1) -> None:
        """Add to a count that is shown with this step, such as documents read."""
        self.counts[name] += number

    async def save(self, session: AsyncSession, draft: DossierDraft) -> UUID:
        """Check the draft's claims and save it as the current dossier, in the given transaction.

        If the run ended early, the dossier is partial and lists what was not done.
        """
        if early := self.ended_early:
            draft = replace(draft, partial=True, not_done=draft.not_done or early.words)
        draft = replace(draft, is_whole=self.run_type.is_whole)
        return await dossiers.save(session, self.run_id, self._lane, draft, self.recomputations)

    async def save_section(self, session: AsyncSession, draft: SectionDraft) -> int:
        """Check the claims of one section and save it, in the given transaction; returns its
        version. Readers see it once that commits; other sections do not change.
        """
        return await sections.save(session, self.run_id, self._lane, draft, self.recomputations)

    @property
    def _lane(self) -> dossiers.Lane:
        attempt = self.attempt
        return dossiers.Lane(attempt.kind, attempt.subject_id, attempt.flow, attempt.lane)
