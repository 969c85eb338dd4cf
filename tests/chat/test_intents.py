"""What a message wants, by rules that know general English and the pack's words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.looks import CHAT
from whence.chat.intents import Intent, intent_of

QUESTIONS = (
    "what would happen if I set the price to 40?",
    "Should I change the condition to good?",
    "set it to 40 - would it be wise",
    "Do you think I should raise the price?",
    "how do I change the title",
    "Don't you think the price is high?",
    "Can I change the price?",
    "if I lower the price to 40, does it sell sooner?",
    "Would changing the price to 40 help?",
    "price?",
    "Tell me about the condition",
    "could you explain the price please",
    "When was the research refreshed?",
    "How old is the research?",
    "Should I refresh the research?",
    "set of two?",
    "What does “set the price to 40” do?",
    'What does "Sorry. Set the price to 40" mean?',
    "I want to know what it is worth",
    "How can I clear the note?",
    "is it working",
)
ACTIONS = (
    "Set the price to 40",
    "can you change the condition to good",
    "Could you please lower the price?",
    "please clear the note",
    "Clear the note.",
    "The price should be 40.",
    "price: 40",
    "condition = good",
    "the price is 40",
    "Actually the condition is fair",
    "no, set it to 40",
    "Nice. Set the price to 40 then. What would that leave me?",
    'Set the title to "How much is this?"',
    "rename it to Brass lamp",
    "Would you mind changing the price to 40?",
    "set the price to 40?",
    "I'd like the price to be 40",
    "sell it for 40",
    "use 40 as the asking price",
    "undo that",
    "chagne the price to 40",
    "It is broken, mark it as for parts",
    "Don't touch the price. Set the condition to good.",
    "let's raise the price by 10%",
    "update the note to say: see the market research",
)
RESEARCH = (
    "look again",
    "refresh the research",
    "Refresh.",
    "research this",
    "Could you please research it again?",
    "run the research again",
    "find more comparables",
    "update the research",
    "search again please",
    "I need newer data",
    "rerun",
    "Check the market again. What is it worth then?",
    "let's start a new search",
    "can you look it up",
)
UNKNOWN = (
    *(
        "hmm ok",
        "",
        "   ",
        "ok",
        "thanks!",
        "hello",
        "no",
        "yes please",
        "?!",
        "…",
        "the green one",
    ),
    *("never mind", "don't change the price", "do not refresh the research", "Do it.", "set", "👍"),
    *("makes sense", "make sense", "charge it", "40", "change"),
)


@pytest.mark.parametrize("text", QUESTIONS)
def test_a_question_starts_nothing(text: str) -> None:
    assert intent_of(text, CHAT) is Intent.QUESTION


@pytest.mark.parametrize("text", ACTIONS)
def test_a_wish_for_a_change_is_an_action(text: str) -> None:
    assert intent_of(text, CHAT) is Intent.ACTION


@pytest.mark.parametrize("text", RESEARCH)
def test_a_wish_for_another_look_is_research(text: str) -> None:
    assert intent_of(text, CHAT) is Intent.RESEARCH


@pytest.mark.parametrize("text", UNKNOWN)
def test_what_does_not_tell_is_unknown(text: str) -> None:
    assert intent_of(text, CHAT) is Intent.UNKNOWN


@given(st.text(max_size=80))
def test_every_text_has_an_intent(text: str) -> None:
    assert intent_of(text, CHAT) in Intent


@given(st.sampled_from([*QUESTIONS, *ACTIONS, *RESEARCH]))
def test_capitals_and_spaces_do_not_matter(text: str) -> None:
    assert intent_of(f"  {text.upper()}  ", CHAT) is intent_of(text, CHAT)
