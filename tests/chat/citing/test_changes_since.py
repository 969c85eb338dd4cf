"""What changed since last time: the claims that two researches do not have alike, both cited."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from chat.record_views import CHAT, NOW, claim, dossier, evidence, record_view
from whence.chat.citing.changes_since import asks_what_changed
from whence.chat.citing.composing import BY_RULES, compose
from whence.chat.citing.grounding import Grounded, Grounding
from whence.chat.citing.sources import SourceBook
from whence.chat.language.intents import Intent, intent_of
from whence.chat.record_view import RecordView

EARLIER = UUID(int=800)
PRICE = claim()
OLD_PRICE = claim(statement="Its target price is 55.00 USD.", value=55.0)
WEAR = claim("wear", statement="It is worn. Slightly.", value="worn")
BEFORE = dossier(
    OLD_PRICE, job_id=EARLIER, created_at=NOW - timedelta(days=40), summary="A lamp worth 55.00."
)
QUESTION = "What changed since last time?"


def answer(view: RecordView, question: str = QUESTION) -> Grounded:
    book = SourceBook()
    grounding = Grounding(book)
    grounding.feed(compose(CHAT, view, question, book))
    grounding.end()
    return grounding.result()


def test_a_claim_with_another_value_is_told_before_and_after_with_both_researches() -> None:
    reply = answer(replace(record_view(dossier(PRICE), evidence(1)), before=BEFORE))
    assert (
        "Before: “Its target price is 55.00 USD”; now: “Its target price is 40.00 USD” [3]"
        in reply.text
    )
    assert reply.text.startswith(
        "The current research is from 1 June 2026, the previous research from 24 April 2026 [1][2]."
    )
    assert reply.uncited == reply.unsupported == ()
    assert EARLIER in {each.source.id for each in reply.references}
    assert reply.text.endswith(BY_RULES)


def test_a_claim_that_came_or_went_is_told() -> None:
    before = BEFORE.model_copy(update={"claims": [WEAR]})
    reply = answer(replace(record_view(dossier(PRICE)), before=before))
    assert "New: “Its target price is 40.00 USD” [3]." in reply.text
    assert "No longer claimed: “It is worn; Slightly” [2]." in reply.text


def test_a_claim_that_is_no_longer_supported_is_told() -> None:
    now = claim(verdict="unsupported")
    before = BEFORE.model_copy(update={"claims": [PRICE]})
    reply = answer(replace(record_view(dossier(now)), before=before))
    assert "is no longer supported by its evidence" in reply.text


def test_where_nothing_differs_it_says_so() -> None:
    before = BEFORE.model_copy(update={"claims": [claim(confidence=0.5)]})
    assert (
        "Both reach the same conclusions"
        in answer(replace(record_view(dossier(PRICE)), before=before)).text
    )


def test_with_one_research_there_is_nothing_to_compare() -> None:
    reply = answer(record_view(dossier(PRICE)))
    assert reply.text.startswith(
        "There is no earlier research to compare with the research of 1 June 2026 [1]."
    )


def test_before_any_research_it_says_that_there_is_none() -> None:
    assert "has not been researched yet" in answer(record_view(), "what changed in price?").text


@pytest.mark.parametrize(
    "question",
    [
        QUESTION,
        "what's new?",
        "What has changed?",
        "has the price changed since the last research",
        "did anything change compared with before",
        "is it different from last time?",
        "anything new",
    ],
)
def test_it_is_asked_in_many_words(question: str) -> None:
    assert asks_what_changed(question)
    assert intent_of(question, CHAT) is not Intent.ACTION


@pytest.mark.parametrize(
    "question",
    [
        "what would change the answer?",
        "what should be changed before I list it",
        "has anyone changed the price since last week?",
        "who changed it",
        "is it new?",
        "what if I change the condition",
        "what is a new one worth?",
    ],
)
def test_another_question_about_change_is_another_question(question: str) -> None:
    assert not asks_what_changed(question)
