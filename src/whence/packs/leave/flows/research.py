"""Research of a leave request: keep what was stated, hold it against the rules, save the dossier.

Three nodes and nothing outside: whatever a conclusion rests on is a stated fact or a rule's text,
and both are kept as evidence.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict
from uuid import UUID

from whence.packs.leave.eligibility.assessing import Eligibility
from whence.packs.leave.eligibility.book import Provision, Rule, checked_words
from whence.packs.leave.eligibility.limits import SHORT_ADVICE
from whence.packs.leave.eligibility.overview import Overview, overview
from whence.packs.leave.eligibility.words import LAWS, join_words
from whence.packs.leave.records import LeaveRequest
from whence.packs.leave.tables import LeaveRequestRow
from whence.sdk.errors import NotReady
from whence.sdk.evidence import DossierDraft, Finding, Judgement
from whence.sdk.research import Flow, RunContext, node
from whence.sdk.values import now

from .claims import RECOMPUTATIONS, RECORD, RULE, claims_of
from .dossier import SCHEMA_VERSION, LeaveDossier, body_of, stated_facts


class LeaveState(TypedDict):
    subject_id: str
    record_id: str
    rule_ids: dict[str, str]
    """Evidence of each rule and provision, by its id in the rule data."""


Update = Mapping[str, object]
"""What a node adds: some keys of `LeaveState`."""


@node(title="Read the request")
async def load_request(state: LeaveState, run: RunContext) -> Update:
    """Keep what was stated as evidence.  Raises NotReady for a request without a reason."""
    row = await run.subject()
    assert isinstance(row, LeaveRequestRow)
    request = run.subject_kind.parse(row)
    assert isinstance(request, LeaveRequest)
    if reason := run.subject_kind.not_ready(request):
        raise NotReady(f"This leave request cannot be looked into: {reason}.")
    finding = Finding(
        source="record",
        source_id=str(row.id),
        title=request.title,
        content=stated_facts(request),
        data=request.model_dump(mode="json"),
    )
    [record_id] = await run.keep([finding])
    reason = "what was stated in the request"
    await run.judge([Judgement(record_id, RECORD, included=True, reason=reason)])
    return {"record_id": str(record_id)}


@node(title="Hold it against the rules")
async def hold_against_rules(state: LeaveState, run: RunContext) -> Update:
    """Keep the text of every rule that applies, with its section, as evidence."""
    assessment = overview(await _stated(run))
    cited: dict[str, Rule | Provision] = {
        one.rule.id: one.rule for law in assessment.assessed for one in law.results
    }
    for one in (
        *assessment.leave,
        *assessment.together,
        *assessment.deadlines,
        *assessment.remarks,
    ):
        cited.setdefault(one.provision.id, one.provision)
    ids = await run.keep([_finding(one) for one in cited.values()])
    reason = "a rule that applies to the request"
    await run.judge([Judgement(one, RULE, included=True, reason=reason) for one in ids])
    return {"rule_ids": {name: str(one) for name, one in zip(cited, ids, strict=True)}}


@node(title="Save the conclusions")
async def persist_results(state: LeaveState, run: RunContext) -> Update:
    """Save the dossier with a claim for each rule, law, amount of leave and date."""
    assessment = overview(await _stated(run), now().date())
    rules: Mapping[str, UUID] = {name: UUID(one) for name, one in state["rule_ids"].items()}
    draft = DossierDraft(
        schema_version=SCHEMA_VERSION,
        summary=_summary(assessment),
        body=body_of(assessment).model_dump(mode="json", by_alias=True),
        claims=tuple(claims_of(assessment, UUID(state["record_id"]), rules)),
    )
    async with run.fenced() as session:
        await run.save(session, draft)
    return {}


async def _stated(run: RunContext) -> LeaveRequest:
    """The request as it was kept: a change meanwhile is a matter of the next research."""
    [record] = await run.bundle(RECORD)
    return LeaveRequest.model_validate(record.evidence.data)


def _finding(one: Rule | Provision) -> Finding:
    needed = f"Needed: {one.needed}.\n" if isinstance(one, Rule) else ""
    return Finding(
        source="rules",
        source_id=one.id,
        title=f"{LAWS[one.law]}: {one.title} ({one.section})",
        content=f"{one.section}\n{needed}{one.text}\n{checked_words(one)}",
        data=one.model_dump(mode="json"),
        url=one.url,
    )


def _summary(assessment: Overview) -> str:
    ineligible = [
        LAWS[one.law] for one in assessment.assessed if one.eligibility is Eligibility.NOT_ELIGIBLE
    ]
    parts = [f"{assessment.headline}."]
    if ineligible and len(ineligible) < len(assessment.assessed):
        parts.append(f"Does not appear eligible under {join_words(ineligible)}.")
    return " ".join([*parts, SHORT_ADVICE])


RESEARCH = Flow(
    id="research",
    version="1",
    kind="leave-requests",
    state=LeaveState,
    nodes=(load_request, hold_against_rules, persist_results),
    edges=(
        ("load_request", "hold_against_rules"),
        ("hold_against_rules", "persist_results"),
    ),
    recomputations=RECOMPUTATIONS,
    dossier=LeaveDossier,
)
