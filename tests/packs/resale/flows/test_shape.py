"""The flow has exactly the nodes that were asked for, in their order, and one branch."""

from __future__ import annotations

import pytest

from whence.packs.resale.flows.nodes.assess_missing import next_step
from whence.packs.resale.flows.research import RESEARCH
from whence.packs.resale.pricing.hints import Hint, Importance, Refinement, should_refine
from whence.packs.resale.thresholds import CONFIDENT, MAX_ITERATIONS


def hint(question: str | None = "Which size?", effect: float | None = 0.3) -> Hint:
    return Hint("size", Importance.REQUIRED, question, "sizes differ", effect, 30.0, "USD")


def test_its_nodes_are_these_in_this_order() -> None:
    assert [node.__name__ for node in RESEARCH.nodes] == [
        "load_context",
        "analyze_media",
        "identify_product",
        "search_comps",
        "analyze_comps",
        "calculate_price",
        "assess_missing",
        "refine_search",
        "persist_results",
    ]


def test_they_follow_each_other_and_a_refinement_goes_back_to_the_comparables() -> None:
    assert RESEARCH.edges == (
        ("load_context", "analyze_media"),
        ("analyze_media", "identify_product"),
        ("identify_product", "search_comps"),
        ("search_comps", "analyze_comps"),
        ("analyze_comps", "calculate_price"),
        ("calculate_price", "assess_missing"),
        ("refine_search", "analyze_comps"),
    )
    [branch] = RESEARCH.branches
    assert (branch.source, branch.to) == ("assess_missing", ("refine_search", "persist_results"))


@pytest.mark.parametrize(
    ("iteration", "confidence", "hints", "again"),
    [
        (1, 0.4, [hint()], True),
        (MAX_ITERATIONS, 0.4, [hint()], False),
        (1, CONFIDENT, [hint()], False),
        (1, 0.4, [], False),
        (1, 0.4, [hint(effect=0.01)], False),
        (1, 0.4, [hint(question=None)], False),
        (1, 0.4, [hint(effect=0.01), hint(effect=None)], True),
    ],
)
def test_it_refines_only_while_a_question_that_matters_is_open(
    iteration: int, confidence: float, hints: list[Hint], again: bool
) -> None:
    assert should_refine(iteration, confidence, hints) is again


def test_its_limits_are_settings() -> None:
    limits = Refinement(confidence=0.9, effect=0.5, searches=5)
    assert should_refine(4, 0.8, [hint(effect=0.6)], limits)
    assert not should_refine(5, 0.8, [hint(effect=0.6)], limits)
    assert not should_refine(1, 0.8, [hint(effect=0.4)], limits)
    assert not should_refine(1, 0.9, [hint(effect=0.6)], limits)


@pytest.mark.parametrize(
    ("queries", "following"),
    [(["Corvane L3"], "refine_search"), ([], "persist_results"), (None, "persist_results")],
)
def test_it_searches_again_only_with_new_queries(queries: list[str] | None, following: str) -> None:
    state = {} if queries is None else {"next_queries": queries}
    assert next_step(state) == following  # type: ignore[arg-type]
