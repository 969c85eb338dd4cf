"""Checks claims before they are saved: quotes must be in their evidence, figures must follow from
it.

A claim that fails is kept and marked `unsupported` with the reason; it is never dropped silently or
given another citation.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from whence.evidence.records import BundledEvidence, ClaimDraft, Recompute, Verdict

TOLERANCE = 1e-6
"""Relative difference that rounding may cause between a figure and its recomputation."""
NEAR_ZERO = 1e-9
"""Absolute difference that rounding may cause for a figure near zero."""


@dataclass(frozen=True)
class CheckedCite:
    """A citation with the position of its quote in the evidence's content (None: no quote
    found)."""

    evidence_id: UUID
    quote: str | None
    starts_at: int | None = None
    ends_at: int | None = None


@dataclass(frozen=True)
class CheckedClaim:
    """A claim with the verdict of the checks."""

    draft: ClaimDraft
    verdict: Verdict
    cites: tuple[CheckedCite, ...]


def check(
    draft: ClaimDraft,
    evidence: Mapping[UUID, BundledEvidence],
    recomputations: Mapping[str, Recompute],
) -> CheckedClaim:
    """Check one claim against the stored evidence.  Never raises for a bad claim."""
    problems: list[str] = []
    cites: list[CheckedCite] = []
    for cite in draft.cites:
        item = evidence.get(cite.evidence_id)
        if item is None:
            problems.append("cites evidence that is not in this run's bundle")
            continue
        checked = CheckedCite(cite.evidence_id, cite.quote)
        if cite.quote is not None:
            start = item.evidence.content.find(cite.quote)
            if not cite.quote.strip():
                problems.append("a quote is empty")
            elif start < 0:
                problems.append("a quote is not in its evidence")
            else:
                checked = replace(checked, starts_at=start, ends_at=start + len(cite.quote))
        cites.append(checked)
    if draft.figure is not None and not problems:
        problems += _check_figure(draft, evidence, recomputations)
    if not problems:
        return CheckedClaim(draft, Verdict.SUPPORTED, tuple(cites))
    note = "; ".join(dict.fromkeys(problems))
    draft = replace(draft, note=f"{draft.note}; {note}" if draft.note else note)
    return CheckedClaim(draft, Verdict.UNSUPPORTED, tuple(cites))


def same(left: Any, right: Any) -> bool:
    """Whether two JSON values are equal, numbers within `TOLERANCE` (relative)."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, int | float) and isinstance(right, int | float):
        return math.isclose(left, right, rel_tol=TOLERANCE, abs_tol=NEAR_ZERO)
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        return len(left) == len(right) and all(map(same, left, right))
    return left == right


def _check_figure(
    draft: ClaimDraft,
    evidence: Mapping[UUID, BundledEvidence],
    recomputations: Mapping[str, Recompute],
) -> list[str]:
    assert draft.figure is not None
    recompute = recomputations.get(draft.figure.name)
    if recompute is None:
        return [f"no recomputation '{draft.figure.name}' is known"]
    cited = [evidence[cite.evidence_id] for cite in draft.cites]
    try:
        again = recompute(cited, draft.figure.settings)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        return [f"it cannot be recomputed from its evidence ({type(error).__name__})"]
    return [] if same(again, draft.value) else [f"recomputed from its evidence it is {again}"]
