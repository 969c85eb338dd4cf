"""The pack's rules, tested without a server: its flow runs in memory."""

from __future__ import annotations

import asyncio
from pathlib import Path

from whence.sdk.testing import FlowResult, load_pack, run_flow

PACK = load_pack(Path(__file__).parents[1])


def research(text: str) -> FlowResult:
    """What research concludes about a blank record with this text."""
    record = PACK.subjects[0].record.model_validate({"title": "A title", "text": text})
    return asyncio.run(run_flow(PACK, PACK.flows[0], record))


def test_words_are_counted_and_cite_the_text() -> None:
    result = research("four words stand here")
    assert result.dossier.body == {"words": 4}
    [claim] = result.claims
    assert claim.verdict.value == "supported"
    assert [item.evidence.content for item in result.bundle("text")] == ["four words stand here"]


def test_a_blank_record_without_text_is_not_ready() -> None:
    kind = PACK.subjects[0]
    assert kind.not_ready(kind.record.model_validate({"title": "A title"}))


def test_the_evaluation_agrees_with_its_labels() -> None:
    [words] = PACK.evals
    assert words.run(Path(__file__).parents[1] / "sample") == {"right": 2, "n": 2}
