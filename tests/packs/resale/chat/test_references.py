"""References below an answer: short, in readable words, evidence cited once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

import pytest

from whence.chat.citing.composing import compose
from whence.chat.citing.grounding import Grounded, Grounding
from whence.chat.citing.sources import SNIPPET_CHARACTERS, SourceBook
from whence.packs.resale.chat.offer import CHAT
from whence.sdk.chat import RecordView

QUESTIONS = ("What is it worth?", "How well does it sell?", "What is it worth and is demand low?")


def answered(view: RecordView, question: str) -> Grounded:
    book = SourceBook()
    grounding = Grounding(book)
    grounding.feed(compose(CHAT, view, question, book))
    grounding.end()
    return grounding.result()


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_listing_behind_several_claims_is_cited_once(
    looks: Mapping[str, RecordView], question: str
) -> None:
    result = answered(looks["HP-001"], question)
    cited = Counter(map(int, re.findall(r"\[(\d+)\]", result.text)))
    listings = [each for each in result.references if each.source.kind == "evidence"]
    assert listings
    assert {cited[each.number] for each in listings} == {1}
    assert (result.uncited, result.unsupported, result.removed) == ((), (), 0)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_listing_is_told_by_its_price_status_and_day(
    looks: Mapping[str, RecordView], question: str
) -> None:
    for each in answered(looks["HP-001"], question).references:
        if each.source.kind == "evidence":
            assert re.match(r"status (?:sold|active|ended), price [\d.]+,", each.source.snippet)
            assert not re.search(r"source_id|T\d\d:\d\d|_", each.source.snippet)
            assert len(each.source.snippet) <= SNIPPET_CHARACTERS
