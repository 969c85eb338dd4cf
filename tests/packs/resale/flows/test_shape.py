"""The flow has exactly the nodes that were asked for, in their order, and one branch."""

from __future__ import annotations

import pytest

from whence.packs.resale.flows.nodes.assess_missing import next_step
from whence.packs.resale.flows.research import RESEARCH
from whence.packs.resale.thresholds import CONFIDENT, MAX_ITERATIONS


def hint(importance: str = "required", question: str | None = "Which size?") -> dict[str, object]:
    return {
        "field": "size",
        "importance": importance,
        "question": question,
        "why": "sizes differ in price",
        "effect": 0.3,
        "amount": 30.0,
        "currency": "USD",
    }


def state(**changes: object) -> dict[str, object]:
    return {"iteration": 1, "confidence": 0.4, "hints": [hint()], **changes}


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
    ("changes", "following"),
    [
        ({}, "refine_search"),
        ({"iteration": MAX_ITERATIONS}, "persist_results"),
        ({"confidence": CONFIDENT}, "persist_results"),
        ({"hints": []}, "persist_results"),
        ({"hints": [hint("optional")]}, "persist_results"),
        ({"hints": [hint(question=None)]}, "persist_results"),
        ({"hints": [hint("optional"), hint("recommended")]}, "refine_search"),
    ],
)
def test_it_refines_only_while_a_question_that_matters_is_open(
    changes: dict[str, object], following: str
) -> None:
    assert next_step(state(**changes)) == following  # type: ignore[arg-type]
