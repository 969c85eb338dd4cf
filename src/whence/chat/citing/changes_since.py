"""How the current research differs from the previous one, claim by claim, citing both."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from whence.chat.citing.citations import claim_source, flat, run_source
from whence.chat.citing.sources import Source
from whence.chat.citing.staleness import format_day
from whence.chat.record_view import RecordView
from whence.evidence.checks import same
from whence.evidence.wire import ClaimAnswer, DossierAnswer

MAX_CHANGES = 12
"""Differences listed in one answer; for more than that, compare the two dossiers side by side."""
CitedSentence = tuple[str, list[tuple[str, Source]]]
"""A sentence with its sources, each with the tool name of its marker."""
_CHANGED = re.compile(
    r"\bwhat(?:'s| is| has| have| was)?\s+(?:has\s+|is\s+)?(?:\w+\s+)?(?:changed|different|new)\b|"
    r"\b(?:anything|something) (?:new|changed|different|else changed)\b|"
    r"\b(?:has|have|did|how (?:has|have|did)|is|are)\b[^?]{0,60}"
    r"\b(?:changed?|moved|different|differ)\b[^?]{0,30}\b(?:since|than|from|compared)\b[^?]{0,20}\b(?:last|previous|before|earlier|"
    r"old|then|research|run|time)\b|\b(?:differences?|compare[ds]?)\b[^?]{0,40}"
    r"\b(?:last|previous|earlier|old|before)\b",
    re.I,
)
_OTHERWISE = re.compile(
    r"\b(?:would|could|should|might|can|if|to (?:change|be changed))\b|\bnew (?:one|price|owner)\b|"
    r"\b(?:who|anyone|anybody|someone|somebody|you|i|we|they)(?:'ve| have| has)? changed\b",
    re.I,
)
"""Not meant: questions about what would change an answer, or about who changed the record."""


def asks_what_changed(question: str) -> bool:
    """Whether the question asks how the current research differs from the previous one."""
    plain = question.replace("’", "'")
    return _CHANGED.search(plain) is not None and _OTHERWISE.search(plain) is None


def list_changes(view: RecordView) -> list[CitedSentence]:
    """How the current dossier differs from the previous one; says so if there is no previous one.

    Needs a view with a dossier.  Changes in confidence alone are not listed.
    """
    now, before = view.dossier, view.before
    run = run_source(view, None)
    assert now is not None
    assert run is not None
    current_source = [("history", run)]
    research_day = format_day(now.created_at)
    if before is None:
        text = f"There is no earlier research to compare with the research of {research_day}."
        return [(text, current_source)]
    current = _day_or_time(now.created_at, before.created_at)
    earlier = _day_or_time(before.created_at, now.created_at)
    both = [*current_source, ("history", _earlier_source(before))]
    head = (
        f"The current research is from {current}, the previous research from {earlier}.",
        both,
    )
    changes = list(_differences(now, before))
    if not changes:
        return [head, ("Both reach the same conclusions.", both)]
    closing = (
        "There are more differences."
        if len(changes) > MAX_CHANGES
        else "Everything else is the same."
    )
    return [head, *changes[:MAX_CHANGES], (closing, both)]


def _differences(now: DossierAnswer, before: DossierAnswer) -> Iterator[CitedSentence]:
    earlier_source = _earlier_source(before)
    old = {claim.path: claim for claim in before.claims}
    for claim in now.claims:
        previous = old.pop(claim.path, None)
        claim_cited = [("dossier", claim_source(claim))]
        if previous is None:
            yield f"New: “{_quoted(claim)}”.", claim_cited
            continue
        both = [*claim_cited, ("history", earlier_source)]
        if not same(previous.value, claim.value):
            yield f"Before: “{_quoted(previous)}”; now: “{_quoted(claim)}”.", both
        elif previous.verdict != claim.verdict:
            change = "is now" if claim.verdict == "supported" else "is no longer"
            yield f"“{_quoted(claim)}” {change} supported by its evidence.", both
    for previous in old.values():
        yield f"No longer claimed: “{_quoted(previous)}”.", [("history", earlier_source)]


def _earlier_source(before: DossierAnswer) -> Source:
    """The earlier research with all its claims, as one source."""
    lines = [before.summary]
    lines += [f"{claim.statement}\n{flat(claim.value)}" for claim in before.claims]
    title = f"Research of {format_day(before.created_at)}"
    made_at = f"made {before.created_at:%Y-%m-%d %H:%M} UTC"
    return Source("run", title, "\n".join([title, *lines, made_at]), id=before.job_id)


def _quoted(claim: ClaimAnswer) -> str:
    """A statement to quote inside a sentence: without full stops that would end that sentence."""
    return re.sub(r"[.!?…]+(?=\s)", ";", " ".join(claim.statement.split())).rstrip(".!?…; ")


def _day_or_time(at: datetime, other: datetime) -> str:
    """The day; with the time if both fall on the same day."""
    return f"{format_day(at)}, {at:%H:%M} UTC" if at.date() == other.date() else format_day(at)
