"""From what carries a sentence to the sources that a reader can open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast
from uuid import UUID

from whence.chat.citing.sources import Source
from whence.chat.citing.staleness import told_age, told_day
from whence.chat.offer import ByClaim, ByEvidence, ByPage, ByRecord, ByRule, ByRun, Citation
from whence.chat.record_view import PastRun, RecordView
from whence.evidence.records import BundledEvidence
from whence.evidence.wire import ClaimAnswer
from whence.kernel.text import camel

MOST_EVIDENCE = 3
"""References to evidence beside a claim: more would bury the sentence; the claim opens all."""
LONGEST_VALUE = 80
"""Characters of a name or word; longer is prose, which no sentence repeats whole."""


def sources_of(carrier: Citation, look: RecordView) -> list[tuple[str, Source]]:
    """(tool of the marker, source); empty where the look has nothing like it.

    A claim comes with its evidence, pieces with a quote first, at most `MOST_EVIDENCE`.
    """
    match carrier:
        case ByClaim(path):
            claim = look.claim(path)
            return (
                [] if claim is None else [("dossier", claim_source(claim)), *_behind(claim, look)]
            )
        case ByEvidence(evidence_id):
            found = evidence_of(look, evidence_id)
            return [] if found is None else [("evidence", evidence_source(found))]
        case ByRecord(field):
            name = field if field in look.shown else camel(field)
            return [] if name not in look.shown else [("record", record_source(look, name))]
        case ByRun(run_id):
            source = run_source(look, run_id)
            return [] if source is None else [("history", source)]
        case ByRule():
            return [("rule", rule_source(carrier))]
        case ByPage():
            return []


def claim_source(claim: ClaimAnswer) -> Source:
    """A claim: what it says, its value, how sure, by which method."""
    parts = [claim.statement, f"Confidence {claim.confidence:.0%}, by {claim.method}."]
    if claim.note:
        parts.append(claim.note)
    if claim.verdict == "unsupported":
        parts.append("Not supported by its evidence.")
    parts.append(flat(claim.value))
    return Source(
        "claim", claim.statement, "\n".join(parts), path=claim.path, value=_value(claim.value)
    )


def evidence_source(found: BundledEvidence) -> Source:
    """A piece of evidence, with its typed fields, how it was judged, and when it was observed."""
    kept = found.evidence
    parts = [kept.title, kept.content, flat(kept.data), found.judgement.reason]
    if kept.observed_at:
        parts.append(f"observed {kept.observed_at:%Y-%m-%d}")
    return Source("evidence", kept.title, "\n".join(parts), id=kept.id, url=kept.url)


def record_source(look: RecordView, field: str) -> Source:
    """A field of the record; `field` as on the wire."""
    said = flat(look.shown.get(field)) or "(empty)"
    title = f"{look.kind.title}: {field}"
    return Source(
        "record", title, f"{field}: {said}", path=field, value=_value(look.shown.get(field))
    )


def run_source(look: RecordView, run_id: UUID | None) -> Source | None:
    """A run of the record; None is the run behind the current dossier, with all it concluded."""
    dossier = look.dossier
    if dossier is not None and run_id in {None, dossier.job_id}:
        title = f"Research of {told_day(dossier.created_at)}"
        age = f"{told_age(look.at - dossier.created_at)} old"
        parts = [age, dossier.summary, *dossier.notices, *dossier.not_done, flat(dossier.body)]
        return Source("run", title, "\n".join([title, *parts]), id=dossier.job_id)
    past = next((run for run in look.history if run.run_id == run_id), None)
    return None if past is None else _past(past)


def rule_source(rule: ByRule) -> Source:
    """A rule of the pack."""
    return Source("rule", rule.title, f"{rule.title}\n{rule.text}", url=rule.url)


def evidence_of(look: RecordView, evidence_id: UUID) -> BundledEvidence | None:
    """A piece of the look's evidence by its id."""
    return next((each for each in look.evidence if each.evidence.id == evidence_id), None)


def flat(value: Any, name: str = "") -> str:
    """JSON as lines `name: value`; the names of nested values joined by dots."""
    lines: list[str] = []
    _flatten(value, name, lines)
    return "\n".join(lines)


def _flatten(value: Any, name: str, lines: list[str]) -> None:
    # By the concrete types first: asking for a Mapping takes longer than all the rest.
    match value:
        case None | "":
            return
        case str() | bool() | int() | float():
            lines.append(f"{name}: {value}" if name else str(value))
        case list() | tuple():
            for each in cast("Sequence[Any]", value):
                _flatten(each, name, lines)
        case dict() | Mapping():
            for key, each in cast("Mapping[Any, Any]", value).items():
                _flatten(each, f"{name}.{key}" if name else str(key), lines)
        case _:
            if said := str(value):
                lines.append(f"{name}: {said}" if name else said)


def _value(value: Any) -> str | None:
    return value if isinstance(value, str) and len(value) <= LONGEST_VALUE else None


def _behind(claim: ClaimAnswer, look: RecordView) -> list[tuple[str, Source]]:
    cites = sorted(claim.evidence, key=lambda cite: cite.quote is None)
    ids = list(dict.fromkeys(cite.evidence_id for cite in cites))
    found = [each for key in ids if (each := evidence_of(look, key)) is not None]
    return [("evidence", evidence_source(each)) for each in found[:MOST_EVIDENCE]]


def _past(run: PastRun) -> Source:
    title = f"Research of {told_day(run.asked_at)}"
    ended = f", ended {run.ended_at:%Y-%m-%d %H:%M} UTC" if run.ended_at else ""
    asked = f"asked {run.asked_at:%Y-%m-%d %H:%M} UTC"
    return Source(
        "run", title, f"{title}: {run.status}, {asked}{ended}\n{run.summary or ''}", id=run.run_id
    )
