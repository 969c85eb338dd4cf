"""Two dossiers about one record are compared claim by claim."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from whence.evidence.lanes import LaneName
from whence.kernel.ids import new_id
from whence.research.difference import (
    ClaimSide,
    Figures,
    Pair,
    RunResult,
    Version,
    compared,
    differences,
    totalled,
)

FIRST, SECOND = UUID(int=1), UUID(int=2)


def claim(value: Any = 4, **more: Any) -> ClaimSide:
    fields = {"confidence": 0.9, "verdict": "supported", "method": "rules:count@1"}
    fields |= {"statement": "It has words.", "evidence": frozenset({FIRST})}
    return ClaimSide.model_validate(fields | {"value": value} | more)


def result_of(claims: dict[str, ClaimSide], **spent: float) -> RunResult:
    figures = {"seconds": 1, "calls": 0, "tokens": 0, "usd": 0} | spent
    version = Version(
        job_id=new_id(),
        dossier_id=new_id(),
        flow_version="1",
        lane=LaneName.PRIMARY,
        is_partial=False,
        subject_version=1,
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
        spent=Figures.model_validate(figures),
    )
    return RunResult(version, claims)


sides = st.builds(
    ClaimSide,
    statement=st.just("words"),
    value=st.one_of(st.none(), st.booleans(), st.integers(0, 3), st.floats(0, 3), st.text("ab")),
    confidence=st.floats(0, 1),
    verdict=st.sampled_from(["supported", "unsupported"]),
    method=st.sampled_from(["rules:a@1", "rules:a@2"]),
    evidence=st.frozensets(st.integers(1, 4).map(lambda n: UUID(int=n)), max_size=3),
)
dossiers = st.dictionaries(st.sampled_from(["a", "b", "c[0]", "c[1]"]), sides)


@given(dossiers)
def test_a_dossier_does_not_differ_from_itself(claims: dict[str, ClaimSide]) -> None:
    assert differences(claims, claims) == []
    report = compared(Pair(result_of(claims), result_of(claims)))
    assert report.agreeing == report.claims == len(claims)


@given(dossiers, dossiers)
def test_swapping_the_sides_turns_each_difference_round(
    base: dict[str, ClaimSide], other: dict[str, ClaimSide]
) -> None:
    forth, back = differences(base, other), differences(other, base)
    turned = {"base": "other", "other": "base", None: None}
    assert [one.path for one in forth] == [one.path for one in back]
    for one, two in zip(forth, back, strict=True):
        assert turned[one.only_in] == two.only_in
        assert one.differs_in == two.differs_in
        assert (one.base, one.other) == (two.other, two.base)
        assert (one.evidence_added, one.evidence_removed) == (
            two.evidence_removed,
            two.evidence_added,
        )
        assert (one.confidence_by is None) == (two.confidence_by is None)
        assert one.confidence_by is None or one.confidence_by == -(two.confidence_by or 0)


@given(st.lists(st.tuples(dossiers, dossiers), max_size=4))
def test_the_total_over_records_is_the_sum_of_their_reports(
    records: list[tuple[dict[str, ClaimSide], dict[str, ClaimSide]]],
) -> None:
    pairs = [Pair(result_of(base), result_of(other)) for base, other in records]
    reports = [compared(pair) for pair in pairs]
    total = totalled(pairs)
    assert total.records == len(pairs)
    assert total.claims == sum(report.claims for report in reports)
    assert total.agreeing == sum(report.agreeing for report in reports)
    assert total.identical == sum(report.agreeing == report.claims for report in reports)


def test_each_kind_of_difference_is_named() -> None:
    base = {
        "gone": claim(),
        "value": claim(4),
        "verdict": claim(),
        "confidence": claim(confidence=0.5),
        "evidence": claim(evidence=frozenset({FIRST})),
        "method": claim(),
        "alike": claim(),
    }
    other = {
        "new": claim(),
        "value": claim(5),
        "verdict": claim(verdict="unsupported"),
        "confidence": claim(confidence=0.75),
        "evidence": claim(evidence=frozenset({SECOND})),
        "method": claim(method="model:x/count@1"),
        "alike": claim(),
    }
    report = compared(Pair(result_of(base), result_of(other, seconds=2)))
    rows = {one.path: one for one in report.differences}
    assert sorted(rows) == sorted({*base, *other} - {"alike"})
    assert (rows["gone"].only_in, rows["new"].only_in) == ("base", "other")
    for path in ("value", "verdict", "confidence", "evidence", "method"):
        assert rows[path].differs_in == [path]
    assert rows["confidence"].confidence_by == 0.25
    assert rows["evidence"].evidence_added == [SECOND]
    assert rows["evidence"].evidence_removed == [FIRST]
    # A reader acts on the value and on whether it is supported; the rest explains.
    assert (report.claims, report.agreeing) == (8, 4)
    assert (report.base.spent.seconds, report.other.spent.seconds) == (1, 2)


def test_rounding_is_no_difference() -> None:
    assert differences({"price": claim(0.1 + 0.2)}, {"price": claim(0.3)}) == []


def test_the_path_that_disagrees_most_comes_first_and_places_in_lists_count_together() -> None:
    pairs = [
        Pair(
            result_of({"words": claim(4), "parts[0].n": claim(1), "parts[1].n": claim(2)}, usd=0.2),
            result_of({"words": claim(4), "parts[0].n": claim(3), "parts[1].n": claim(4)}, usd=0.1),
        ),
        Pair(result_of({"words": claim(4)}), result_of({"words": claim(5)}, usd=0.1)),
    ]
    total = totalled(pairs)
    assert [(row.path, row.claims, row.agreeing) for row in total.paths] == [
        ("parts[*].n", 2, 0),
        ("words", 2, 1),
    ]
    assert (total.records, total.identical) == (2, 0)
    assert total.base is not None
    assert total.base.usd == 0.1
