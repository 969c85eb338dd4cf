"""Every topic answers from what carries it, and is honest where little or nothing does."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from whence.packs.resale.chat.offer import CHAT
from whence.sdk.chat import ByRecord, RecordView, Topic
from whence.sdk.citations import topic_of
from whence.sdk.testing import answer_by_rules

HEADPHONES, KETTLE, LAMP = "HP-001", "KT-014", "LM-007"
RESEARCHED = [topic for topic in CHAT.topics if topic.name not in {"stated", "all_items"}]
"""Topics that answer from the research; the others answer from the record alone."""
by_name = {topic.name: topic for topic in CHAT.topics}


@pytest.mark.parametrize("topic", CHAT.topics, ids=lambda topic: topic.name)
def test_a_topic_is_found_by_its_own_example(topic: Topic) -> None:
    assert topic_of(CHAT, topic.example) is topic


@pytest.mark.parametrize("topic", CHAT.topics, ids=lambda topic: topic.name)
@pytest.mark.parametrize("item", [HEADPHONES, KETTLE, "BP-230", LAMP])
def test_no_fact_of_an_answer_stands_without_its_source(
    looks: Mapping[str, RecordView], item: str, topic: Topic
) -> None:
    answer = answer_by_rules(CHAT, looks[item], topic.example)
    assert answer.references
    assert (answer.uncited, answer.unsupported, answer.removed) == ((), (), 0), answer.text


@pytest.mark.parametrize("topic", CHAT.topics, ids=lambda topic: topic.name)
def test_without_a_dossier_only_the_record_is_told(
    looks: Mapping[str, RecordView], topic: Topic
) -> None:
    bare = replace(looks[KETTLE], dossier=None, evidence=[], history=[])
    answer = answer_by_rules(CHAT, bare, topic.example)
    assert {each.source.kind for each in answer.references} <= {"record"}
    assert answer.uncited == ()
    assert answer.text.count("researched yet. Shall I start?") == 1


@pytest.mark.parametrize("topic", RESEARCHED, ids=lambda topic: topic.name)
def test_a_dossier_of_another_form_is_told_and_not_guessed_at(
    looks: Mapping[str, RecordView], changed: Callable[..., RecordView], topic: Topic
) -> None:
    for other in ({"schema_version": 99}, {"body": {"comps": "many"}}):
        reply = topic.answer(changed(looks[KETTLE], **other), topic.example)
        assert {type(each) for sentence in reply for each in sentence.by} <= {ByRecord}
        assert any("cannot read" in sentence.text for sentence in reply)


def test_no_price_is_told_with_the_reason_and_what_would_settle_it(
    looks: Mapping[str, RecordView],
) -> None:
    text = answer_by_rules(CHAT, looks[LAMP], "What is it worth?").text
    assert "not enough evidence" in text
    assert "What would help: One recent sale" in text


def test_a_price_that_is_named_is_placed_in_the_range(looks: Mapping[str, RecordView]) -> None:
    def answer(question: str) -> str:
        return answer_by_rules(CHAT, looks[HEADPHONES], question).text

    assert "is above the range" in answer("Would a price of $900 be too high?")
    assert "is below the range" in answer("Would a price of 20 be too low?")
    assert "is within the range, below the target" in answer("Is a price of 145.00 fair?")
    assert "The price that you name" not in answer("What is the price of the QB-700?")


@pytest.mark.parametrize("question", ["Can I get 200 for this?", "Would it sell for 150?"])
def test_a_price_that_is_asked_about_in_passing_is_placed_too(
    looks: Mapping[str, RecordView], question: str
) -> None:
    assert (
        "The price in your question is " in answer_by_rules(CHAT, looks[HEADPHONES], question).text
    )


def test_how_sure_a_price_is_can_be_asked(looks: Mapping[str, RecordView]) -> None:
    assert (
        "The target's confidence is "
        in answer_by_rules(CHAT, looks[HEADPHONES], "How sure are you?").text
    )


@pytest.mark.parametrize("question", ["Is it authentic?", "Could it be a replica?"])
def test_nobody_is_led_to_think_that_it_was_held_to_be_genuine(
    looks: Mapping[str, RecordView], question: str
) -> None:
    text = answer_by_rules(CHAT, looks[HEADPHONES], question).text
    assert text.startswith("Whether it is genuine was not examined")


def test_a_name_keeps_its_small_letter_at_the_beginning_of_a_sentence(
    looks: Mapping[str, RecordView],
) -> None:
    assert answer_by_rules(CHAT, looks[HEADPHONES], "What fee does eBay take?").text.startswith(
        "eBay leaves"
    )


def test_the_price_in_the_record_is_compared_with_the_range(
    looks: Mapping[str, RecordView],
) -> None:
    text = answer_by_rules(CHAT, looks[KETTLE], "Is my asking price fair?").text
    assert "The asking price in the record, 55.00 USD, is within the range" in text


def test_a_figure_that_its_evidence_does_not_support_is_not_said_as_one(
    looks: Mapping[str, RecordView], changed: Callable[..., RecordView]
) -> None:
    view = looks[KETTLE]
    assert view.dossier is not None
    claims = [claim.model_copy(update={"verdict": "unsupported"}) for claim in view.dossier.claims]
    doubtful = changed(view, claims=claims)
    for name in ("price", "comparables", "demand", "selling", "identification"):
        texts = [reply.text for reply in by_name[name].answer(doubtful, by_name[name].example)]
        assert any("do not rely on it" in text for text in texts), name
        assert not any("56.00" in text or "K2-90." in text for text in texts[1:]), texts


def test_a_fallback_is_told_in_every_answer(
    looks: Mapping[str, RecordView], changed: Callable[..., RecordView]
) -> None:
    words = "identification used rules: the model failed (it timed out. Twice!)"
    fell = changed(looks[KETTLE], body={"fallbacks": [words]})
    for topic in RESEARCHED:
        answer = answer_by_rules(CHAT, fell, topic.example)
        assert "A fallback was used: identification used rules" in answer.text
        assert answer.uncited == ()


def test_a_partial_research_is_told_with_what_was_not_done(
    looks: Mapping[str, RecordView], changed: Callable[..., RecordView]
) -> None:
    partial = changed(looks[KETTLE], is_partial=True, not_done=["no price was calculated"])
    text = answer_by_rules(CHAT, partial, "What is it worth?").text
    assert "no price was calculated" in text


def test_only_the_marketplace_that_is_asked_about_is_told(looks: Mapping[str, RecordView]) -> None:
    text = answer_by_rules(CHAT, looks[KETTLE], "What would I keep on Mercari?").text
    assert re.search(r"Mercari leaves \d+\.\d\d USD", text)
    assert "eBay leaves" not in text
    assert "read on 2026-02-16 (Mercari: FAQs about our new fee structure" in text


def test_listings_that_were_left_out_are_told_with_their_reasons(
    looks: Mapping[str, RecordView],
) -> None:
    text = answer_by_rules(CHAT, looks[KETTLE], "Which listings did you leave out?").text
    assert "broken, or a part of the thing" in text
    assert "different model code" in text


def test_what_outsiders_wrote_cannot_end_a_sentence_and_slip_its_source(
    looks: Mapping[str, RecordView],
) -> None:
    view = looks[KETTLE]
    odd = "Kettle. It is worth 900 USD! Sure? Yes.\nSold 77 times. [source:dossier:0] [9]"
    evidence = [replace(each, evidence=replace(each.evidence, title=odd)) for each in view.evidence]
    for name in ("comparables", "excluded"):
        answer = answer_by_rules(CHAT, replace(view, evidence=evidence), by_name[name].example)
        assert answer.uncited == ()


@pytest.mark.parametrize("key", ["HP-001", "KT-014", "BP-230", "LM-007"])
def test_answers_read_as_a_person_would_write_them(
    looks: Mapping[str, RecordView], key: str
) -> None:
    reply = " ".join(answer_by_rules(CHAT, looks[key], topic.example).text for topic in CHAT.topics)
    for odd in ("keeps", "uSD", "(media)", "(gtin)", "(comps)", "about 0%", "a factor of"):
        assert odd not in reply
    assert not re.search(r"\b1 (?:were|are|sales)\b|Ages \d|effective number", reply)


def test_a_sale_of_another_thing_is_not_denied(looks: Mapping[str, RecordView]) -> None:
    reply = answer_by_rules(CHAT, looks["LM-007"], "What is missing?").text
    assert "No sale of exactly this item is known" in reply
    assert "Only asking prices are known" not in reply
