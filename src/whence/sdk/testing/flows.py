"""Runs a whole flow in memory: the same nodes and edges, with evidence kept in lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import BaseModel

from whence.chat.record_view import PastRun, RecordView
from whence.evidence.checks import CheckedClaim, check
from whence.evidence.records import BundledEvidence, DossierDraft
from whence.evidence.wire import ClaimAnswer, DossierAnswer
from whence.kernel.clock import now
from whence.kernel.errors import Misconfigured
from whence.kernel.ids import new_id
from whence.kernel.services import Services
from whence.records.kind import SubjectKind
from whence.research.attempt import Attempt
from whence.research.earlier import EarlierRun, NothingToBuildOn
from whence.research.flow import Flow, Node
from whence.research.graph import branch_of, build
from whence.research.questions import PersonAsked, Question
from whence.sdk.pack import Pack
from whence.sdk.testing.memory import Memory, MemoryRun, no_database, nobody
from whence.tools.registry import ToolRegistry
from whence.tools.tool import Tool


@dataclass(frozen=True)
class FlowResult:
    """The result of a flow, with its claims checked as the engine checks them."""

    kind: SubjectKind
    flow: Flow
    record: BaseModel
    state: Mapping[str, Any]
    memory: Memory
    run_id: UUID
    claims: tuple[CheckedClaim, ...] = ()
    question: Question | None = None
    """The questions the flow asked a person without getting an answer; then it has not ended."""

    @property
    def dossier(self) -> DossierDraft:
        """The dossier; raises Misconfigured for a flow that saved none."""
        if self.memory.dossier is None:
            raise Misconfigured(f"The flow '{self.flow.id}' saved no dossier.")
        return self.memory.dossier

    def bundle(self, role: str | None = None) -> list[BundledEvidence]:
        """The evidence of the run, included first."""
        return self.memory.bundle(role)

    def record_view(self) -> RecordView:
        """What a chat turn would know of the record now."""
        row, at = self.memory.row, self.memory.at
        past = PastRun(self.run_id, "success", at, at, self.dossier.summary)
        return RecordView(
            kind=self.kind,
            subject_id=row.id,
            version=row.version,
            record=self.record,
            shown=self.kind.shown(row),
            dossier=self._answer(),
            evidence=self.bundle(),
            history=[past],
            changed_since=False,
            at=at,
        )

    def as_earlier(self) -> EarlierRun:
        """What a later run that builds on this one is given."""
        return EarlierRun(self.run_id, self.memory.at, self.dossier.body, self.bundle())

    def _answer(self) -> DossierAnswer:
        draft = self.dossier
        return DossierAnswer.model_validate(
            {
                "id": new_id(),
                "job_id": self.run_id,
                "type": self.flow.id,
                "flow_version": self.flow.version,
                "lane": "primary",
                "fallback": None,
                "schema_version": draft.schema_version,
                "is_current": True,
                "is_partial": draft.partial,
                "not_done": list(draft.not_done),
                "notices": [],
                "subject_version": self.memory.row.version,
                "record_changed": False,
                "summary": draft.summary,
                "body": dict(draft.body),
                "claims": [_claim(claim) for claim in self.claims],
                "created_at": self.memory.at,
            }
        )


async def run_flow(
    owner: Pack | SubjectKind,
    flow: Flow,
    record: BaseModel,
    *,
    tools: Sequence[Tool] | None = None,
    services: Sequence[object] = (),
    answers: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    run_type: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    earlier: FlowResult | None = None,
    external_id: str | None = None,
    at: datetime | None = None,
) -> FlowResult:
    """Run every node of a flow on a record, by rules and without a database.

    `owner` is the pack or, in the pack's own evaluations, the kind of the record; then `tools` are
    those that nodes call.  `services` are looked up by type; `answers` are a person's answers by
    the question's key; `earlier` is the result that a type of run builds on.  Raises NeedsDatabase
    if a node reads or writes tables of its own, and whatever a node raises.
    """
    kinds = owner.subjects if isinstance(owner, Pack) else [owner]
    kind = next((each for each in kinds if each.kind == flow.kind), None)
    if kind is None:
        raise Misconfigured(f"The flow '{flow.id}' is for '{flow.kind}'; give that kind's pack.")
    if tools is None:
        tools = owner.tools if isinstance(owner, Pack) else ()
    type_ = flow.run_type(run_type)
    run_parameters = type_.parse(parameters).model_dump(mode="json", by_alias=True)
    at = at or now()
    who = nobody()
    row = kind.row(
        id=new_id(),
        org_id=who.org_id,
        external_id=external_id,
        version=1,
        created_at=at,
        updated_at=at,
        **kind.columns(record),
    )
    before = earlier.as_earlier() if earlier else None
    if type_.builds_on_earlier and before is None:
        raise NothingToBuildOn
    memory = Memory(row, at, earlier=before)
    attempt = Attempt(
        db=no_database(),
        principal=who,
        work_id=new_id(),
        number=1,
        kind=kind.kind,
        subject_id=row.id,
        flow=flow.id,
        flow_version=flow.version,
        lane="primary",
        options=dict(options or {}),
        run_type=type_.name,
        parameters=run_parameters,
        resumable=True,
        answers={key: {"answer": value} for key, value in (answers or {}).items()},
    )
    run = MemoryRun(
        attempt=attempt,
        node="",
        subject_kind=kind,
        tools=ToolRegistry(tools),
        services=Services(services),
        recomputations=flow.recomputations,
        run_type=type_,
        memory=memory,
    )

    def bind(name: str, node: Node) -> Any:
        async def bound(state: Any) -> Mapping[str, Any]:
            if name in type_.skips:
                return {}
            run_parameters, _ = branch_of(state)
            return await node(run_parameters, replace(run, node=name))

        return bound

    graph: Any = build(flow, bind).compile()
    result = FlowResult(kind, flow, record, {}, memory, attempt.run_id)
    try:
        state = await graph.ainvoke({"subject_id": str(row.id)}, {"recursion_limit": 100})
    except PersonAsked as paused:
        return replace(result, question=paused.question)
    return replace(result, state=state, claims=_checked(memory, flow))


def _checked(memory: Memory, flow: Flow) -> tuple[CheckedClaim, ...]:
    evidence = {item.evidence.id: item for item in memory.bundle()}
    drafts = memory.dossier.claims if memory.dossier else ()
    return tuple(check(draft, evidence, flow.recomputations) for draft in drafts)


def _claim(checked: CheckedClaim) -> ClaimAnswer:
    draft = checked.draft
    return ClaimAnswer.model_validate(
        {
            "path": draft.path,
            "statement": draft.statement,
            "value": draft.value,
            "confidence": draft.confidence,
            "method": draft.method,
            "verdict": checked.verdict.value,
            "note": draft.note,
            "evidence": list(checked.cites),
        }
    )
