"""What research says now that it did not say the time before: claim by claim, both cited."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from whence.chat.citing.citations import claim_source, flat, run_source
from whence.chat.citing.sources import Source
from whence.chat.citing.staleness import told_day
from whence.chat.record_view import RecordView
from whence.evidence.checks import same
from whence.evidence.wire import ClaimAnswer, DossierAnswer

MOST_TOLD = 12
"""Differences in one answer; where two runs differ in more, they are read side by side."""
Told = tuple[str, list[tuple[str, Source]]]
"""A sentence, and what carries it with the tool of each marker."""
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
"""What would change an answer, and who changed the record, are other questions."""


def asks_what_changed(question: str) -> bool:
    """Whether it asks how this research differs from the one before."""
    plain = question.replace("’", "'")
    return _CHANGED.search(plain) is not None and _OTHERWISE.search(plain) is None


def what_changed(look: RecordView) -> list[Told]:
    """How the current dossier differs from the one before; says so where there is none.

    Needs a look with a dossier.  What only rose or fell in confidence is not told.
    """
    now, before = look.dossier, look.before
    run = run_source(look, None)
    assert now is not None
    assert run is not None
    this = [("history", run)]
    made = told_day(now.created_at)
    if before is None:
        words = f"There is no earlier research to compare that of {made} with."
        return [(words, this)]
    earlier = _moment(before.created_at, now.created_at)
    both = [*this, ("history", _behind(before))]
    head = (
        f"The research of {_moment(now.created_at, before.created_at)} followed one of {earlier}.",
        both,
    )
    found = list(_differences(now, before))
    if not found:
        return [head, ("Both say the same.", both)]
    rest = "More than that differs." if len(found) > MOST_TOLD else "The rest says the same."
    return [head, *found[:MOST_TOLD], (rest, both)]


def _differences(now: DossierAnswer, before: DossierAnswer) -> Iterator[Told]:
    behind = _behind(before)
    old = {claim.path: claim for claim in before.claims}
    for claim in now.claims:
        was = old.pop(claim.path, None)
        by = [("dossier", claim_source(claim))]
        if was is None:
            yield f"New: “{_quoted(claim)}”.", by
            continue
        both = [*by, ("history", behind)]
        if not same(was.value, claim.value):
            yield f"It said “{_quoted(was)}”; now it says “{_quoted(claim)}”.", both
        elif was.verdict != claim.verdict:
            more = "is now" if claim.verdict == "supported" else "is no longer"
            yield f"“{_quoted(claim)}” {more} carried by its evidence.", both
    for was in old.values():
        yield f"No longer said: “{_quoted(was)}”.", [("history", behind)]


def _behind(before: DossierAnswer) -> Source:
    """The earlier research with all that it claimed, as one source."""
    words = [before.summary]
    words += [f"{claim.statement}\n{flat(claim.value)}" for claim in before.claims]
    title = f"Research of {told_day(before.created_at)}"
    when = f"made {before.created_at:%Y-%m-%d %H:%M} UTC"
    return Source("run", title, "\n".join([title, *words, when]), id=before.job_id)


def _quoted(claim: ClaimAnswer) -> str:
    """A statement inside another sentence: without stops that would end it."""
    return re.sub(r"[.!?…]+(?=\s)", ";", " ".join(claim.statement.split())).rstrip(".!?…; ")


def _moment(at: datetime, other: datetime) -> str:
    """A day, with the time where both are of one day."""
    return f"{told_day(at)}, {at:%H:%M} UTC" if at.date() == other.date() else told_day(at)
