"""Turns citations into sources that a reader can open."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast
from uuid import UUID

from whence.chat.citing.sources import Source
from whence.chat.citing.staleness import format_age, format_day
from whence.chat.offer import ByClaim, ByEvidence, ByPage, ByRecord, ByRule, ByRun, Citation
from whence.chat.record_view import PastRun, RecordView
from whence.evidence.records import BundledEvidence
from whence.evidence.wire import ClaimAnswer
from whence.kernel.text import camel

MAX_FACTS, MAX_FACT = 7, 60
"""Facts of a piece of evidence that a reference shows, and characters of each."""
_UNREADABLE = re.compile(r"(?:^|_)(?:id|ids|url|source|title|description|image|stored|digest)$")
_TIME = re.compile(r"^(\d{4}-\d{2}-\d{2})T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?$")
MAX_EVIDENCE = 3
"""Pieces of evidence cited beside a claim: more would bury the sentence, and the claim links to
all of them."""
MAX_VALUE_CHARACTERS = 80
"""Characters of a name or word; longer values are prose, which no sentence repeats in full."""


def sources_of(citation: Citation, view: RecordView) -> list[tuple[str, Source]]:
    """(tool name of the marker, source) pairs; empty if the view does not have what is cited.

    A claim comes with up to `MAX_EVIDENCE` pieces of its evidence, those with a quote first.
    """
    match citation:
        case ByClaim(path):
            claim = view.claim(path)
            return (
                []
                if claim is None
                else [("dossier", claim_source(claim)), *_evidence_sources(claim, view)]
            )
        case ByEvidence(evidence_id):
            bundled = evidence_of(view, evidence_id)
            return [] if bundled is None else [("evidence", evidence_source(bundled))]
        case ByRecord(field):
            name = field if field in view.shown else camel(field)
            return [] if name not in view.shown else [("record", record_source(view, name))]
        case ByRun(run_id):
            source = run_source(view, run_id)
            return [] if source is None else [("history", source)]
        case ByRule():
            return [("rule", rule_source(citation))]
        case ByPage():
            return []


def claim_source(claim: ClaimAnswer) -> Source:
    """A claim: its statement, value, confidence and method."""
    parts = [claim.statement, f"Confidence {claim.confidence:.0%}, by {claim.method}."]
    if claim.note:
        parts.append(claim.note)
    if claim.verdict == "unsupported":
        parts.append("Not supported by its evidence.")
    parts.append(flat(claim.value))
    return Source(
        "claim", claim.statement, "\n".join(parts), path=claim.path, value=_value(claim.value)
    )


def evidence_source(bundled: BundledEvidence) -> Source:
    """A piece of evidence with its typed fields, the judgement on it, and when it was observed."""
    evidence = bundled.evidence
    parts = [evidence.title, evidence.content, flat(evidence.data), bundled.judgement.reason]
    if evidence.observed_at:
        parts.append(f"observed {evidence.observed_at:%Y-%m-%d}")
    return Source(
        "evidence",
        evidence.title,
        "\n".join(parts),
        id=evidence.id,
        url=evidence.url,
        summary=_in_short(evidence.data),
    )


def _in_short(data: Mapping[str, Any]) -> str:
    """The stated facts of a piece of evidence, without ids, addresses and long texts."""
    facts: list[str] = []
    for name, value in data.items():
        if _UNREADABLE.search(name) or isinstance(value, bool | dict | list) or value in (None, ""):
            continue
        words = str(value)
        if isinstance(value, str):
            words = _TIME.sub(r"\1", value).replace("_", " ")
        if len(words) <= MAX_FACT:
            facts.append(f"{name.replace('_', ' ')} {words}")
    return ", ".join(facts[:MAX_FACTS])


def record_source(view: RecordView, field: str) -> Source:
    """A field of the record; `field` as on the wire."""
    text = flat(view.shown.get(field)) or "(empty)"
    title = f"{view.kind.title}: {field}"
    return Source(
        "record", title, f"{field}: {text}", path=field, value=_value(view.shown.get(field))
    )


def run_source(view: RecordView, run_id: UUID | None) -> Source | None:
    """A run of the record; None means the run behind the current dossier, with its conclusions."""
    dossier = view.dossier
    if dossier is not None and run_id in {None, dossier.job_id}:
        title = f"Research of {format_day(dossier.created_at)}"
        age = f"{format_age(view.at - dossier.created_at)} old"
        parts = [age, dossier.summary, *dossier.notices, *dossier.not_done, flat(dossier.body)]
        return Source("run", title, "\n".join([title, *parts]), id=dossier.job_id)
    past = next((run for run in view.history if run.run_id == run_id), None)
    return None if past is None else _past_run_source(past)


def rule_source(rule: ByRule) -> Source:
    """A rule of the pack."""
    return Source("rule", rule.title, f"{rule.title}\n{rule.text}", url=rule.url)


def evidence_of(view: RecordView, evidence_id: UUID) -> BundledEvidence | None:
    """The piece of evidence with this id; None if the view does not have it."""
    return next((each for each in view.evidence if each.evidence.id == evidence_id), None)


def flat(value: Any, name: str = "") -> str:
    """JSON as lines `name: value`; names of nested values are joined by dots."""
    lines: list[str] = []
    _flatten(value, name, lines)
    return "\n".join(lines)


def _flatten(value: Any, name: str, lines: list[str]) -> None:
    # Concrete types first: checking for Mapping takes longer than all the rest.
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
            if text := str(value):
                lines.append(f"{name}: {text}" if name else text)


def _value(value: Any) -> str | None:
    return value if isinstance(value, str) and len(value) <= MAX_VALUE_CHARACTERS else None


def _evidence_sources(claim: ClaimAnswer, view: RecordView) -> list[tuple[str, Source]]:
    cites = sorted(claim.evidence, key=lambda cite: cite.quote is None)
    ids = list(dict.fromkeys(cite.evidence_id for cite in cites))
    bundled = [each for key in ids if (each := evidence_of(view, key)) is not None]
    return [("evidence", evidence_source(each)) for each in bundled[:MAX_EVIDENCE]]


def _past_run_source(run: PastRun) -> Source:
    title = f"Research of {format_day(run.asked_at)}"
    ending = f", ended {run.ended_at:%Y-%m-%d %H:%M} UTC" if run.ended_at else ""
    requested = f"asked {run.asked_at:%Y-%m-%d %H:%M} UTC"
    return Source(
        "run",
        title,
        f"{title}: {run.status}, {requested}{ending}\n{run.summary or ''}",
        id=run.run_id,
    )
