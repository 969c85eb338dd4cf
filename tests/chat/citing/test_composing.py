"""Answers by rules: cited sentences, honest about what they rest on and what they are."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from chat.record_views import CHAT, NOW, claim, dossier, evidence, record_view
from whence.chat.citing.composing import BY_RULES, compose, topics_of
from whence.chat.citing.grounding import Grounded, Grounding
from whence.chat.citing.sources import SourceBook
from whence.chat.offer import ByClaim, ByEvidence, ByRule, ByRun, Statement, Topic
from whence.chat.record_view import PastRun, RecordView
from whence.evidence.lanes import Fallback

SEEN = record_view(dossier(claim()), evidence(1))


def answer(question: str, view: RecordView = SEEN, *topics: Topic) -> Grounded:
    book = SourceBook()
    chat = replace(CHAT, topics=topics or CHAT.topics)
    grounding = Grounding(book)
    grounding.feed(compose(chat, view, question, book))
    grounding.end()
    return grounding.result()


def saying(*statements: Statement) -> Topic:
    return Topic("any", "anything", (r".",), lambda _look, _question: statements, "What?")


def test_a_claim_is_said_with_itself_and_its_evidence() -> None:
    reply = answer("What is the price?")
    assert reply.text.startswith("Its target price is 40.00 USD [1][2].")
    assert [each.source.kind for each in reply.references] == ["claim", "evidence"]
    assert reply.uncited == reply.unsupported == ()
    assert reply.removed == 0


def test_the_answer_says_that_rules_made_it() -> None:
    assert answer("What is the price?").text.endswith(BY_RULES)


def test_the_topic_with_most_of_its_words_answers_and_the_first_of_equals() -> None:
    assert "condition is good [1]" in answer("Is the condition right?").text
    assert "target price" in answer("price and condition?").text
    assert "target price" in answer("what is a price for this condition worth").text


def test_two_topics_in_one_question_are_both_answered_in_its_order_and_cited() -> None:
    reply = answer("What is it worth, and what condition is it in?")
    price, condition, method = reply.text.split("\n\n")
    assert price.startswith("Its target price is 40.00 USD [1][2].")
    assert condition == "Its condition is good [3]."
    assert method == BY_RULES
    assert reply.uncited == reply.unsupported == ()
    turned = answer("In what condition is it and what is it worth?").text
    assert turned.index("condition is good") < turned.index("target price")
    assert len(answer("price and condition").text.split("\n\n")) == 3


def test_a_sentence_that_two_topics_share_is_said_once() -> None:
    shared = Statement("One sold for 40 USD.", (ByEvidence(UUID(int=1)),))
    own = Statement("An offer is open.")
    topics = (
        Topic("price", "price", (r"\bprice",), lambda _l, _q: (shared,), "?"),
        Topic("sales", "sales", (r"\bsales",), lambda _l, _q: (shared, own), "?"),
        Topic("more", "more", (r"\bmore",), lambda _l, _q: (shared,), "?"),
    )
    reply = answer("Which price, which sales and what more?", SEEN, *topics)
    assert reply.text.split("\n\n") == ["One sold for 40 USD [1].", "An offer is open.", BY_RULES]


def test_equal_words_that_different_evidence_carries_are_both_said() -> None:
    same = [Statement("One sold for 40 USD.", (ByEvidence(UUID(int=n)),)) for n in (1, 2)]
    reply = answer("?", record_view(dossier(claim()), evidence(1), evidence(2)), saying(*same))
    assert "One sold for 40 USD [1]. One sold for 40 USD [2]." in reply.text


def test_what_limits_two_answers_is_told_once() -> None:
    shaky = claim(verdict="unsupported")
    partial = dossier(shaky, is_partial=True)
    text = answer(
        "What is the price and what is its condition?", record_view(partial, evidence(1))
    ).text
    assert text.count("Not confirmed by its evidence") == 1
    assert text.count("The research is incomplete") == 1


def test_a_claim_of_two_sentences_is_told_as_not_confirmed_once() -> None:
    by = (ByClaim("price.target"),)
    shaky = record_view(dossier(claim(verdict="unsupported")), evidence(1))
    text = answer(
        "?", shaky, saying(Statement("So it says.", by), Statement("And so on.", by))
    ).text
    assert text.count("Not confirmed by its evidence") == 1


def test_what_carries_a_sentence_twice_is_cited_once() -> None:
    book = SourceBook()
    twice = saying(
        Statement("It is 40.00 USD.", (ByClaim("price.target"), ByEvidence(UUID(int=1))))
    )
    text = compose(replace(CHAT, topics=(twice,)), SEEN, "?", book)
    assert text.count("[source:evidence:") == 1


def test_a_bare_why_asks_nothing_of_its_own() -> None:
    topics = (
        Topic("price", "price", (r"\bprice",), lambda _l, _q: (), "?"),
        Topic("why", "why", (r"\bwhy\b",), lambda _l, _q: (), "?"),
    )
    chat = replace(CHAT, topics=topics)
    assert [each.name for each in topics_of(chat, "Which price, and why?")] == ["price"]
    result = topics_of(chat, "Which price, and why so low?")
    assert [each.name for each in result] == ["price", "why"]


def test_topics_that_cannot_be_answered_are_named_in_one_sentence() -> None:
    silent = (
        Topic("price", "price", (r"\bprice",), lambda _l, _q: (), "?"),
        Topic("sales", "sales", (r"\bsales",), lambda _l, _q: (), "?"),
    )
    text = answer("What price and what sales?", record_view(), *silent).text
    assert "I can answer about price or about sales once this lamp is researched." in text
    assert text.count("has not been researched yet") == 1


def test_of_very_many_topics_the_rest_is_named() -> None:
    topics = [
        Topic(
            name,
            name,
            (rf"\b{name}\b",),
            lambda _l, _q, name=name: (Statement(f"On {name}."),),
            "?",
        )
        for name in ("one", "two", "three", "four", "five")
    ]
    question = "What is one, what is two, what is three, what is four and what is five?"
    text = answer(question, SEEN, *topics).text
    assert "On four.\n\nAsk me again about five." in text


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What is the price, and why?", ["price"]),
        ("The condition is bad. What is the price?", ["price"]),
        ("The price is bad. Tell me about the condition.", ["condition"]),
        ("What is it worth in this condition?", ["price"]),
        ("Who are you and where are we?", []),
    ],
)
def test_what_is_not_asked_is_not_answered(question: str, names: list[str]) -> None:
    assert [topic.name for topic in topics_of(CHAT, question)] == names


def test_a_question_on_no_topic_is_refused_in_a_few_words_that_name_the_topics() -> None:
    reply = answer("Who was Ada Lovelace?")
    assert reply.text == (
        "Without a language model I cannot answer that. I can answer about: price and its range; "
        "condition. Say “help” for examples."
    )
    assert reply.references == ()


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("whats the weather like", "I cannot know the weather."),
        ("who won the game last night", "I cannot know that: "),
        ("remind me on friday", "I cannot send reminders."),
        ("text my brother about it", "I cannot send messages."),
    ],
)
def test_what_nobody_here_can_know_or_do_is_refused_by_its_kind(question: str, reason: str) -> None:
    reply = answer(question)
    assert reply.text.startswith(reason)
    assert len(reply.text.split("\n")) == 1


def test_a_chat_may_answer_what_is_on_no_topic() -> None:
    chat = replace(CHAT, otherwise=lambda _view, question: [Statement(f"“{question}” is new.")])
    assert compose(chat, SEEN, "Who was Ada Lovelace?", SourceBook()).startswith("“Who was Ada")
    assert compose(chat, SEEN, "What is the price?", SourceBook()).startswith("Its target price")


def test_an_expression_that_decides_outweighs_the_words_of_other_topics() -> None:
    decided = Topic("cost", "cost", (), lambda _l, _q: (), "?", decides=(r"\bprice i paid\b",))
    chat = replace(CHAT, topics=(*CHAT.topics, decided))
    assert topics_of(chat, "what is the price i paid worth") == [decided]


def test_help_lists_the_topics_with_their_examples() -> None:
    reply = answer("help")
    assert "- price and its range: “How much?”" in reply.text
    assert "- condition: “How worn is it?”" in reply.text
    assert "asking price" in reply.text
    assert reply.references == ()
    assert reply.uncited == ()


def test_a_record_without_research_says_so_and_offers_it() -> None:
    reply = answer("What is the condition?", record_view())
    assert "condition is good [1]" in reply.text
    assert "has not been researched yet. Shall I start?" in reply.text


def test_a_sentence_whose_carrier_is_gone_is_not_said() -> None:
    reply = answer("?", SEEN, saying(Statement("It is 99 USD.", (ByEvidence(UUID(int=5)),))))
    assert "99" not in reply.text
    assert "I found nothing to base an answer about anything on." in reply.text


def test_a_partial_dossier_is_told_with_what_was_not_done() -> None:
    partial = dossier(claim(), is_partial=True, not_done=["the 3 marketplaces"])
    reply = answer("price?", record_view(partial, evidence(1)))
    assert "The research is incomplete; not done: the 3 marketplaces [3]." in reply.text
    assert reply.uncited == reply.unsupported == ()


def test_a_fallback_is_told_once() -> None:
    fallback = Fallback(candidate="2", primary="1", reason="TimeoutError")
    fell = dossier(claim(), fallback=fallback, notices=[fallback.notice])
    reply = answer("price?", record_view(fell, evidence(1)))
    assert reply.text.count("Version 2 of the research flow failed and version 1 took over") == 1
    assert reply.uncited == reply.unsupported == ()


def test_a_fallback_without_a_notice_is_told_too() -> None:
    fell = dossier(claim(), fallback=Fallback(candidate="2", primary="1", reason="TimeoutError"))
    assert "took over: TimeoutError [3]." in answer("price?", record_view(fell, evidence(1))).text


def test_a_claim_that_failed_its_check_is_told_as_not_confirmed() -> None:
    shaky = claim(verdict="unsupported", note="recomputed from its evidence it is 41")
    reply = answer("price?", record_view(dossier(shaky), evidence(1)))
    assert "Not confirmed by its evidence" in reply.text
    assert "recomputed from its evidence it is 41" in reply.text


def test_limits_are_told_only_where_there_are_some() -> None:
    assert answer("price?").text.count("\n\n") == 1


def test_rules_and_runs_and_evidence_carry_sentences() -> None:
    past = PastRun(UUID(int=33), "success", NOW - timedelta(days=9), None, "Found 12 comps.")
    view = record_view(dossier(claim()), evidence(1), history=(past,))
    reply = answer(
        "?",
        view,
        saying(
            Statement(
                "Leave lasts 12 weeks.", (ByRule("29 CFR 825.200", "12 workweeks of leave"),)
            ),
            Statement("An earlier run found 12 comps.", (ByRun(past.run_id),)),
            Statement("The current run says 40.", (ByRun(),)),
            Statement("One sold for 40 USD.", (ByEvidence(UUID(int=1)),)),
        ),
    )
    assert [each.source.kind for each in reply.references] == ["rule", "run", "run", "evidence"]
    assert reply.uncited == reply.unsupported == ()


def test_a_figure_that_its_carrier_does_not_have_is_found_by_the_check() -> None:
    reply = answer("?", SEEN, saying(Statement("It sold for 47 USD.", (ByEvidence(UUID(int=1)),))))
    assert reply.unsupported == ("47",)


def test_a_figure_without_a_carrier_is_found_by_the_check() -> None:
    assert answer("?", SEEN, saying(Statement("It sold for 40 USD."))).uncited == (
        "It sold for 40 USD.",
    )
