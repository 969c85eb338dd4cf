"""Claims are checked by code: quotes stand in their evidence, figures follow from it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from whence.evidence.checks import check, same
from whence.evidence.records import (
    BundledEvidence,
    Cite,
    ClaimDraft,
    DossierDraft,
    Evidence,
    Figure,
    Judgement,
    UncitedClaim,
    Verdict,
)
from whence.kernel.ids import new_id


def _evidence(content: str, **data: Any) -> BundledEvidence:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    evidence = Evidence(new_id(), "web", "1", None, "t", content, data, None, at)
    return BundledEvidence(evidence, Judgement(evidence.id, "web", True, "found"))


def _claim(value: Any, *cites: Cite, figure: Figure | None = None, **more: Any) -> ClaimDraft:
    return ClaimDraft("price", "It costs that.", value, 0.8, "rules:x@1", cites, figure, **more)


def total(cited: Any, settings: Any) -> float:
    return sum(item.evidence.data["price"] for item in cited) * settings.get("rate", 1)


def _checked(claim: ClaimDraft, *bundle: BundledEvidence) -> Any:
    return check(claim, {item.evidence.id: item for item in bundle}, {"total": total})


def test_a_verbatim_quote_is_supported_with_its_place() -> None:
    item = _evidence("Sold for 12 dollars in May.")
    checked = _checked(_claim(12, Cite(item.evidence.id, "12 dollars")), item)
    assert checked.verdict is Verdict.SUPPORTED
    [cite] = checked.cites
    assert item.evidence.content[cite.starts_at : cite.ends_at] == "12 dollars"


@given(content=st.text(min_size=1), start=st.integers(0, 50), length=st.integers(1, 50))
def test_every_piece_of_a_text_is_a_quote_of_it(content: str, start: int, length: int) -> None:
    start %= len(content)
    quote = content[start : start + length]
    assume(quote.strip())
    item = _evidence(content)
    checked = _checked(_claim(1, Cite(item.evidence.id, quote)), item)
    assert checked.verdict is Verdict.SUPPORTED
    [cite] = checked.cites
    assert content[cite.starts_at : cite.ends_at] == quote


@given(content=st.text(), quote=st.text(min_size=1))
def test_what_is_not_in_the_text_is_no_quote_of_it(content: str, quote: str) -> None:
    assume(quote not in content)
    item = _evidence(content)
    checked = _checked(_claim(1, Cite(item.evidence.id, quote)), item)
    assert checked.verdict is Verdict.UNSUPPORTED
    [cite] = checked.cites
    assert (cite.starts_at, cite.ends_at) == (None, None)


@pytest.mark.parametrize("quote", ["", "  "])
def test_an_empty_quote_supports_nothing(quote: str) -> None:
    item = _evidence("some  text")
    checked = _checked(_claim(1, Cite(item.evidence.id, quote)), item)
    assert (checked.verdict, checked.draft.note) == (Verdict.UNSUPPORTED, "a quote is empty")


def test_a_figure_that_follows_from_its_evidence_is_supported() -> None:
    a, b = _evidence("a", price=10), _evidence("b", price=2.5)
    cites = (Cite(a.evidence.id), Cite(b.evidence.id))
    claim = _claim(25, *cites, figure=Figure("total", {"rate": 2}))
    assert _checked(claim, a, b).verdict is Verdict.SUPPORTED


def test_a_tampered_figure_is_kept_and_marked_with_what_it_should_be() -> None:
    item = _evidence("a", price=10)
    claim = _claim(99, Cite(item.evidence.id), figure=Figure("total"), note="by the rules")
    checked = _checked(claim, item)
    assert checked.verdict is Verdict.UNSUPPORTED
    assert checked.draft.value == 99
    assert checked.draft.note == "by the rules; recomputed from its evidence it is 10"
    assert [cite.evidence_id for cite in checked.cites] == [item.evidence.id]


@pytest.mark.parametrize(
    ("data", "words"),
    [({}, "KeyError"), ({"price": "ten"}, "TypeError"), ({"price": None}, "TypeError")],
)
def test_evidence_that_does_not_carry_the_figure_supports_nothing(
    data: dict[str, Any], words: str
) -> None:
    item = _evidence("a", **data)
    checked = _checked(_claim(10, Cite(item.evidence.id), figure=Figure("total")), item)
    assert checked.verdict is Verdict.UNSUPPORTED
    assert checked.draft.note == f"it cannot be recomputed from its evidence ({words})"


def test_an_unknown_recomputation_is_no_support() -> None:
    item = _evidence("a", price=10)
    checked = _checked(_claim(10, Cite(item.evidence.id), figure=Figure("magic")), item)
    assert checked.draft.note == "no recomputation 'magic' is known"
    assert checked.verdict is Verdict.UNSUPPORTED


def test_evidence_outside_the_bundle_is_never_cited() -> None:
    item, stranger = _evidence("a", price=10), _evidence("b", price=1)
    claim = _claim(10, Cite(item.evidence.id), Cite(stranger.evidence.id))
    checked = _checked(claim, item)
    assert checked.verdict is Verdict.UNSUPPORTED
    assert [cite.evidence_id for cite in checked.cites] == [item.evidence.id]
    assert checked.draft.note == "cites evidence that is not in this run's bundle"


def test_a_conclusion_without_evidence_is_no_claim() -> None:
    with pytest.raises(UncitedClaim, match="'price' cites no evidence"):
        _claim(10)


def test_two_claims_cannot_stand_at_one_path() -> None:
    claim = _claim(1, Cite(new_id()))
    with pytest.raises(ValueError, match="two claims stand at the path 'price'"):
        DossierDraft(1, "s", {}, (claim, claim))


@pytest.mark.parametrize("confidence", [-0.01, 1.01, float("nan")])
def test_a_confidence_is_between_0_and_1(confidence: float) -> None:
    with pytest.raises(ValueError, match="not 0 to 1"):
        ClaimDraft("p", "s", 1, confidence, "rules:x@1", (Cite(new_id()),))


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(value=PLAIN)
def test_every_value_is_the_same_as_itself(value: Any) -> None:
    assert same(value, value)


@given(one=PLAIN, other=PLAIN)
def test_same_goes_both_ways(one: Any, other: Any) -> None:
    assert same(one, other) == same(other, one)


@given(value=st.floats(1e-3, 1e9), share=st.floats(1e-4, 0.5))
def test_a_figure_off_by_a_ten_thousandth_is_another_figure(value: float, share: float) -> None:
    assert not same(value, value * (1 + share))


def test_true_is_not_one() -> None:
    assert not same(True, 1)
    assert not same(0, False)
