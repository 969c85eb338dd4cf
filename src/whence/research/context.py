"""What a node is given beside its state: the subject, evidence, tools, and fenced writes."""

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
from whence.kernel.errors import Invalid
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
from whence.tools.tool import ToolContext

S = TypeVar("S")
M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class RunContext:
    """One node's view of its run.  Every write is fenced and safe to repeat."""

    attempt: Attempt
    node: str
    subject_kind: SubjectKind
    tools: ToolRegistry
    services: Services
    recomputations: Mapping[str, Recompute]
    branch: str | None = None
    """The name of this branch, where the node runs in several at once."""
    run_type: RunType = DEFAULT
    """The type of this run, as the flow declares it."""
    counts: Counter[str] = field(default_factory=Counter[str])
    """What `count` was told; it is shown with the step."""
    ended_early: EndedEarly | None = None
    """Set for `partial` only: why the run ends, and the nodes that it did not do."""
    _calls: Counter[str] = field(default_factory=Counter[str], repr=False)
    """How often each tool was called with the same arguments in one visit of the node."""

    @property
    def run_id(self) -> UUID:
        return self.attempt.run_id

    @property
    def principal(self) -> Principal:
        return self.attempt.principal

    @property
    def options(self) -> Mapping[str, Any]:
        """What the caller asked for with this run."""
        return self.attempt.options

    def parameters(self, wanted: type[M]) -> M:
        """The parameters of this run; defaults where the type takes others.

        Those of an older version of the flow that do not fit any more are left out.
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
        """Whether a person waits who is ready to answer questions."""
        return self.options.get("interactive") is True

    async def ask(self, question: Question) -> Answer:
        """A person's answer (None: does not know).

        Without one, this ends the attempt and the run waits; the node runs again once somebody has
        answered.  So ask before what is costly, and never inside `fenced()`.
        """
        answer = self.attempt.answers.get(question.key)
        if answer is None or not fits(question, answer["answer"]):
            raise PersonAsked(question)
        return answer["answer"]

    def has_answer(self, key: str) -> bool:
        """Whether a person has answered this question, if only with "I don't know"."""
        return key in self.attempt.answers

    async def outside(self, ask: Callable[[], Awaitable[S]]) -> S:
        """Ask an outside system through a client of your own: three tries where it raises
        Unavailable, then the run pauses.  `Fetcher`, models and `call` do that by themselves.
        """
        return await retry(ask)

    @property
    def is_shadow(self) -> bool:
        """Whether another version does the work: then nothing outside this run may change."""
        return self.attempt.is_shadow

    def service(self, wanted: type[S]) -> S:
        """The pack's process-wide object of this type."""
        return self.services.get(wanted)

    def unit(self) -> AbstractAsyncContextManager[AsyncSession]:
        """A transaction for reading; inside an open `fenced()`, that one."""
        return self.attempt.unit()

    def fenced(self) -> AbstractAsyncContextManager[AsyncSession]:
        """A transaction for writes; refused once another worker owns the run."""
        return self.attempt.fenced()

    async def subject(self, session: AsyncSession | None = None) -> SubjectRow:
        """The record under research, as it is now; raises NotFound."""
        if session is not None:
            return await records.get(session, self.subject_kind, self.attempt.subject_id)
        async with self.unit() as own:
            return await records.get(own, self.subject_kind, self.attempt.subject_id)

    async def change(self, session: AsyncSession, values: Mapping[str, object]) -> None:
        """Set columns of the record under research, in the given transaction and the audit log.

        A shadow run leaves the record as it is.  Any other write of one to a pack's tables raises
        ShadowWrite.
        """
        if not self.is_shadow:
            about = (self.principal, self.subject_kind, self.attempt.subject_id)
            await records.note_findings(session, *about, values, self.run_id)

    async def keep(self, findings: Sequence[Finding]) -> list[UUID]:
        """Store findings as evidence, each once; their ids in order."""
        async with self.fenced() as session:
            return await store.keep(session, findings)

    async def judge(self, judgements: Sequence[Judgement]) -> None:
        """Put evidence into the run's bundle, or judge it again."""
        async with self.fenced() as session:
            await store.judge(session, self.run_id, judgements)

    async def bundle(self, role: str | None = None) -> list[BundledEvidence]:
        """The run's evidence so far, included first."""
        async with self.unit() as session:
            return await store.bundle(session, self.run_id, role)

    async def earlier(self) -> EarlierRun:
        """The last run that covered the whole record, for a type that builds on it.

        Raises NothingToBuildOn.
        """
        attempt = self.attempt
        lane = dossiers.Lane(attempt.kind, attempt.subject_id, attempt.flow)
        async with self.unit() as session:
            return await earlier_run(session, lane, self.run_id)

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> BaseModel:
        """Call a tool of the registry for this run; not inside an open `fenced()`.

        A tool that changes something changes it once, also where the call is tried again or the
        node runs again after it was interrupted: the call is known by the node's place in the flow,
        the tool and the arguments.
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
        """The same for a call that an interrupted node makes again, another for every other one."""
        from langchain_core.runnables.config import ensure_config  # slow to load; packs import this

        metadata = ensure_config().get("metadata", {})
        # LangGraph derives it from the checkpoint before the node, so that it survives a crash.
        visit = metadata.get("langgraph_checkpoint_ns", self.node)
        call = digest({"visit": visit, "tool": tool, "arguments": dict(arguments)})
        self._calls[call] += 1
        return f"{call}:{self._calls[call]}"

    async def report(self, message: str) -> None:
        """Tell whoever watches what this node is doing."""
        event = Progress(node=self.node, message=message, branch=self.branch)
        async with self.attempt.fenced(flushed=False) as session:
            await log.append(session, self.run_id, event)

    def count(self, name: str, number: int = 1) -> None:
        """Add to a count that is shown with this step, such as the documents that were read."""
        self.counts[name] += number

    async def save(self, session: AsyncSession, draft: DossierDraft) -> UUID:
        """Check the draft's claims and save it as the current dossier, in the given transaction.

        Where the run ended early it is partial, and says what was not done.
        """
        if early := self.ended_early:
            draft = replace(draft, partial=True, not_done=draft.not_done or early.words)
        draft = replace(draft, is_whole=self.run_type.is_whole)
        return await dossiers.save(session, self.run_id, self._lane, draft, self.recomputations)

    async def save_section(self, session: AsyncSession, draft: SectionDraft) -> int:
        """Check the claims of one part of the dossier and save it, in the given transaction; its
        version.  It is seen as soon as that is committed; no other section changes.
        """
        return await sections.save(session, self.run_id, self._lane, draft, self.recomputations)

    @property
    def _lane(self) -> dossiers.Lane:
        attempt = self.attempt
        return dossiers.Lane(attempt.kind, attempt.subject_id, attempt.flow, attempt.lane)
