"""The differences between two dossiers of a record, by claim, and totals over many records."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import fmean
from typing import Any, Literal
from uuid import UUID

from whence.evidence.checks import NEAR_ZERO, same
from whence.evidence.lanes import LaneName
from whence.kernel.wire import Wire

Aspect = Literal["value", "verdict", "confidence", "method", "evidence"]
Side = Literal["base", "other"]
_INDEX = re.compile(r"\[\d+\]")


class Figures(Wire):
    """The cost of a run; the mean over many records."""

    seconds: float
    calls: float
    tokens: float
    usd: float


class Version(Wire):
    """One side of a comparison: the run that wrote the dossier."""

    job_id: UUID
    dossier_id: UUID
    flow_version: str
    lane: LaneName
    is_partial: bool
    subject_version: int | None
    """The record's version when the run began; it may differ between the sides."""
    created_at: datetime
    spent: Figures


class ClaimSide(Wire):
    """A claim in one of the two dossiers."""

    statement: str
    value: Any
    confidence: float
    verdict: Literal["supported", "unsupported"]
    method: str
    evidence: frozenset[UUID]


class ClaimDifference(Wire):
    """A claim that differs; a side without it is null."""

    path: str
    only_in: Side | None
    differs_in: list[Aspect]
    base: ClaimSide | None
    other: ClaimSide | None
    confidence_by: float | None
    """Confidence of `other` minus that of `base`."""
    evidence_added: list[UUID]
    """Cited only by `other`."""
    evidence_removed: list[UUID]
    """Cited only by `base`."""

    @property
    def agrees(self) -> bool:
        """Whether both sides have the same value and the same verdict on its evidence."""
        return self.only_in is None and not {"value", "verdict"} & set(self.differs_in)


class Difference(Wire):
    """The comparison of two dossiers of one record, `other` with `base`."""

    base: Version
    other: Version
    claims: int
    """Number of paths that have a claim on either side."""
    agreeing: int
    """Number of claims with equal value and verdict; confidence may differ."""
    differences: list[ClaimDifference]
    """Claims with any difference, by path."""


class PathCount(Wire):
    """One path over many records; list indexes are written `[*]`."""

    path: str
    claims: int
    agreeing: int
    only_in_base: int
    only_in_other: int
    confidence_by: float | None
    """Mean change of confidence over the records in which both sides have the claim."""


class Comparison(Wire):
    """The differences over many records, as a basis for a rollout."""

    records: int
    identical: int
    """Number of records whose claims all agree."""
    claims: int
    agreeing: int
    paths: list[PathCount]
    """The paths that disagree most often come first."""
    base: Figures | None
    """Mean per record."""
    other: Figures | None


@dataclass(frozen=True)
class RunResult:
    """A run's claims by path."""

    version: Version
    claims: Mapping[str, ClaimSide]


@dataclass(frozen=True)
class Pair:
    """Two dossiers of one record."""

    base: RunResult
    other: RunResult


def differences(
    base: Mapping[str, ClaimSide], other: Mapping[str, ClaimSide]
) -> list[ClaimDifference]:
    """The claims that differ, by path; empty if a dossier is compared with itself."""
    all_paths = [_differ(path, base.get(path), other.get(path)) for path in sorted({*base, *other})]
    return [one for one in all_paths if one.only_in or one.differs_in]


def compared(pair: Pair) -> Difference:
    """The report on one record."""
    changes = differences(pair.base.claims, pair.other.claims)
    total = len({*pair.base.claims, *pair.other.claims})
    return Difference(
        base=pair.base.version,
        other=pair.other.version,
        claims=total,
        agreeing=total - sum(not one.agrees for one in changes),
        differences=changes,
    )


def totalled(pairs: Iterable[Pair]) -> Comparison:
    """The report on many records; `paths` starts with the path that disagrees most often."""
    rows: defaultdict[str, list[ClaimDifference]] = defaultdict(list)
    spent: list[tuple[Figures, Figures]] = []
    identical = 0
    for pair in pairs:
        base, other = pair.base.claims, pair.other.claims
        each = [_differ(path, base.get(path), other.get(path)) for path in {*base, *other}]
        identical += all(one.agrees for one in each)
        spent.append((pair.base.version.spent, pair.other.version.spent))
        for one in each:
            rows[_INDEX.sub("[*]", one.path)].append(one)
    paths = [_counted(path, changes) for path, changes in rows.items()]
    paths.sort(key=lambda row: (row.agreeing - row.claims, row.path))
    return Comparison(
        records=len(spent),
        identical=identical,
        claims=sum(row.claims for row in paths),
        agreeing=sum(row.agreeing for row in paths),
        paths=paths,
        base=_mean([figures for figures, _ in spent]),
        other=_mean([figures for _, figures in spent]),
    )


def _counted(path: str, differences_at: Sequence[ClaimDifference]) -> PathCount:
    changes = [one.confidence_by for one in differences_at if one.confidence_by is not None]
    return PathCount(
        path=path,
        claims=len(differences_at),
        agreeing=sum(one.agrees for one in differences_at),
        only_in_base=sum(one.only_in == "base" for one in differences_at),
        only_in_other=sum(one.only_in == "other" for one in differences_at),
        confidence_by=fmean(changes) if changes else None,
    )


def _mean(spent: Sequence[Figures]) -> Figures | None:
    if not spent:
        return None
    return Figures(
        seconds=fmean(one.seconds for one in spent),
        calls=fmean(one.calls for one in spent),
        tokens=fmean(one.tokens for one in spent),
        usd=fmean(one.usd for one in spent),
    )


def _differ(path: str, base: ClaimSide | None, other: ClaimSide | None) -> ClaimDifference:
    before = base.evidence if base else frozenset[UUID]()
    after = other.evidence if other else frozenset[UUID]()
    aspects: list[Aspect] = []
    by = None
    if base and other:
        by = other.confidence - base.confidence
        by = 0.0 if abs(by) <= NEAR_ZERO else by
        tests: list[tuple[Aspect, bool]] = [
            ("value", not same(base.value, other.value)),
            ("verdict", base.verdict != other.verdict),
            ("confidence", by != 0.0),
            ("method", base.method != other.method),
            ("evidence", before != after),
        ]
        aspects = [aspect for aspect, differs in tests if differs]
    return ClaimDifference(
        path=path,
        only_in="base" if other is None else "other" if base is None else None,
        differs_in=aspects,
        base=base,
        other=other,
        confidence_by=by,
        evidence_added=sorted(after - before),
        evidence_removed=sorted(before - after),
    )
