"""What a message wants, by rules that know general English and the pack's words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.record_views import CHAT
from whence.chat.language.intents import Intent, intent_of

QUESTIONS = (
    "do the comps include sold ones",
    "do both searches run at the same time",
    "do more listings mean a lower price",
    "could the price be wrong",
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
    "do you have newer comps?",
    "would you lower the price if you were me?",
    "what if I knock 20 off",
    "I don't want to change anything, just tell me the price.",
    "I still don't get why the price is that low",
    "show me the sold ones again",
    "whats the condition",
    "the price is 120, right?",
    "I'd like to understand the price",
    "not sure what condition to pick",
    "Can I take 20 off and still make a profit?",
    "I bought it for 300 last year, was that too much",
    "set it to 40, would that help?",
)
ACTIONS = (
    "The asking price shall be 151 dollars.",
    "could the condition be put to good",
    "The title is Lamp and not Lmap, sorry",
    "set the price to two hundred",
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
    "update the title with a better one",
    "update the price to the latest comparable sale, 40",
    "Could you take the price down to 130 for me?",
    "price should've been 120",
    "the price is wrong, it should be 119",
    "title is wrong",
    "the title has a typo, should say Kettle",
    "Condition is like new, not good.",
    "I want the condition set to fair",
    "have the title say Kettle",
    "get the price to 99",
    "let's make that 150",
    "I'd rather ask 145 for it",
    "call it 145",
    "quantity 4",
    "take 15 off the price",
    "revert the last change",
    "put it back to how it was",
    "I typed the wrong price. It must be 141.",
    "would it be possible to set the price to 140",
    "do you mind changing the title to Lamp?",
    "set price 140 and tell me what I would keep",
    "why is it 150? I said 140, change it",
    "condition is now good",
    "it would be great if you could lower the price to 140",
    "wipe the note",
    "instead of 150 make it 140",
)
RESEARCH = (
    "a fresh look at the market would be welcome",
    "Would you kindly carry out the research once more?",
    "i want that you search again",
    "do another search",
    "look again",
    "refresh the research",
    "Refresh.",
    "research this",
    "Could you please research it again?",
    "run the research again",
    "find more comparables",
    "update the research",
    "please update the price with new comparables",
    "refresh the price based on the latest sales",
    "Could you update the condition and price from fresh data?",
    "re-price it with newer listings",
    "search again please",
    "I need newer data",
    "rerun",
    "Check the market again. What is it worth then?",
    "let's start a new search",
    "can you look it up",
    "Do the whole thing again, I changed the model.",
    "go look for some more listings",
    "Time to update the research, isn't it? Please do.",
    "kick off another run",
    "give it another go",
    "let's have a second look",
    "need newer prices",
    "could you check the shops again",
    "check what it sells for now",
    "find similar listings that sold this month",
    "your data is stale, refresh it",
    "run a new analysis",
    "re-evaluate it",
    "keep looking",
    "mind having another look?",
    "how about running it once more",
    "there is better light now. could you go over everything from scratch?",
)
UNKNOWN = (
    "see you",
    "there are more listings elsewhere",
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
    "???",
    "hello?",
    "huh?",
    "fair enough",
    "no need to search again",
    "I wouldn't change the price",
    "keep it as it is",
    "set it to 40. no wait, never mind",
    "no, leave everything as it is",
    "forget it",
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
