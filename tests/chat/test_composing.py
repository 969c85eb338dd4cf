"""Answers by rules: cited sentences, honest about what they rest on and what they are."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from chat.looks import CHAT, NOW, claim, dossier, evidence, look
from whence.chat.composing import BY_RULES, compose
from whence.chat.grounding import Grounded, Grounding
from whence.chat.look import Look, PastRun
from whence.chat.offer import ByEvidence, ByRule, ByRun, Said, Topic
from whence.chat.sources import SourceBook
from whence.evidence.lanes import Fallback

SEEN = look(dossier(claim()), evidence(1))


def answer(question: str, seen: Look = SEEN, *topics: Topic) -> Grounded:
    book = SourceBook()
    chat = replace(CHAT, topics=topics or CHAT.topics)
    grounding = Grounding(book)
    grounding.feed(compose(chat, seen, question, book))
    grounding.end()
    return grounding.result()


def saying(*said: Said) -> Topic:
    return Topic("any", "anything", (r".",), lambda _look, _question: said, "What?")


def test_a_claim_is_said_with_itself_and_its_evidence() -> None:
    found = answer("What is the price?")
    assert found.text.startswith("Its target price is 40.00 USD [1][2].")
    assert [each.source.kind for each in found.references] == ["claim", "evidence"]
    assert found.uncited == found.unsupported == ()
    assert found.removed == 0


def test_the_answer_says_that_rules_made_it() -> None:
    assert answer("What is the price?").text.endswith(BY_RULES)


def test_the_topic_with_most_of_its_words_answers_and_the_first_of_equals() -> None:
    assert "condition is good [1]" in answer("Is the condition right?").text
    assert "target price" in answer("price and condition?").text
    assert "target price" in answer("what is a price for this condition worth").text


def test_a_question_that_no_topic_knows_is_told_what_can_be_asked() -> None:
    found = answer("Who was Ada Lovelace?")
    assert "- price and its range: “How much?”" in found.text
    assert "- condition: “How worn is it?”" in found.text
    assert "asking price" in found.text
    assert found.references == ()
    assert found.uncited == ()


def test_a_record_without_research_says_so_and_offers_it() -> None:
    found = answer("What is the condition?", look())
    assert "condition is good [1]" in found.text
    assert "has not been researched yet. Shall I start?" in found.text


def test_a_sentence_whose_carrier_is_gone_is_not_said() -> None:
    found = answer("?", SEEN, saying(Said("It is 99 USD.", (ByEvidence(UUID(int=5)),))))
    assert "99" not in found.text
    assert "Nothing that carries an answer on anything was found." in found.text


def test_a_partial_dossier_is_told_with_what_was_not_done() -> None:
    partial = dossier(claim(), is_partial=True, not_done=["the 3 marketplaces"])
    found = answer("price?", look(partial, evidence(1)))
    assert "The research ended early; not done: the 3 marketplaces [3]." in found.text
    assert found.uncited == found.unsupported == ()


def test_a_fallback_is_told_once() -> None:
    fallback = Fallback(candidate="2", primary="1", reason="TimeoutError")
    fell = dossier(claim(), fallback=fallback, notices=[fallback.notice])
    found = answer("price?", look(fell, evidence(1)))
    assert found.text.count("Version 2 of the research flow failed and version 1 took over") == 1
    assert found.uncited == found.unsupported == ()


def test_a_fallback_without_a_notice_is_told_too() -> None:
    fell = dossier(claim(), fallback=Fallback(candidate="2", primary="1", reason="TimeoutError"))
    assert "took over: TimeoutError [3]." in answer("price?", look(fell, evidence(1))).text


def test_a_claim_that_failed_its_check_is_told_as_not_confirmed() -> None:
    shaky = claim(verdict="unsupported", note="recomputed from its evidence it is 41")
    found = answer("price?", look(dossier(shaky), evidence(1)))
    assert "Not confirmed by its evidence" in found.text
    assert "recomputed from its evidence it is 41" in found.text


def test_limits_are_told_only_where_there_are_some() -> None:
    assert answer("price?").text.count("\n\n") == 1


def test_rules_and_runs_and_evidence_carry_sentences() -> None:
    past = PastRun(UUID(int=33), "success", NOW - timedelta(days=9), None, "Found 12 comps.")
    seen = look(dossier(claim()), evidence(1), history=(past,))
    found = answer(
        "?",
        seen,
        saying(
            Said("Leave lasts 12 weeks.", (ByRule("29 CFR 825.200", "12 workweeks of leave"),)),
            Said("An earlier run found 12 comps.", (ByRun(past.run_id),)),
            Said("The current run says 40.", (ByRun(),)),
            Said("One sold for 40 USD.", (ByEvidence(UUID(int=1)),)),
        ),
    )
    assert [each.source.kind for each in found.references] == ["rule", "run", "run", "evidence"]
    assert found.uncited == found.unsupported == ()


def test_a_figure_that_its_carrier_does_not_have_is_found_by_the_check() -> None:
    found = answer("?", SEEN, saying(Said("It sold for 47 USD.", (ByEvidence(UUID(int=1)),))))
    assert found.unsupported == ("47",)


def test_a_figure_without_a_carrier_is_found_by_the_check() -> None:
    assert answer("?", SEEN, saying(Said("It sold for 40 USD."))).uncited == (
        "It sold for 40 USD.",
    )
