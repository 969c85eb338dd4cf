"""Courtesies have a short reply; other languages are told that rules read English only."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.language.test_intents import ACTIONS, QUESTIONS, RESEARCH
from chat.record_views import CHAT, record_view
from whence.chat.citing.composing import compose
from whence.chat.citing.sources import SourceBook
from whence.chat.language.language_detection import ENGLISH_ONLY, is_other_language
from whence.chat.language.small_talk import small_talk


@pytest.mark.parametrize(
    ("message", "reply"),
    [
        ("thanks", "You are welcome."),
        ("Great, thank you so much!", "You are welcome."),
        ("ok thanks", "You are welcome."),
        ("Hi there!", "Hello. Ask me about this lamp, or tell me what to change or look up."),
        ("ok", "All right."),
        ("👍", "All right."),
        ("thanks, bye", "Goodbye. This conversation is saved."),
        ("that’s all for now", "Goodbye. This conversation is saved."),
        ("no", "All right, I will leave everything as it is."),
    ],
)
def test_a_courtesy_gets_a_short_reply_that_fits_it(message: str, reply: str) -> None:
    assert small_talk(message, "lamp") == reply


@pytest.mark.parametrize(
    "message", ["yes", "hmm", "hello?", "ok do it", "thanks, and the price?", ""]
)
def test_what_may_want_something_gets_no_such_reply(message: str) -> None:
    assert small_talk(message, "lamp") is None


@given(st.sampled_from([*QUESTIONS, *ACTIONS, *RESEARCH]))
def test_no_wish_is_taken_for_a_courtesy_or_for_another_language(message: str) -> None:
    assert small_talk(message, "lamp") is None
    assert not is_other_language(message)


@pytest.mark.parametrize(
    "message",
    [
        "Was ist das wert?",
        "Setze den Preis auf 40",
        "Quel est le prix ?",
        "Mettez le prix à 40",
        "¿Cuánto vale?",
        "hola",
        "Сколько это стоит?",
        "これはいくらですか",
        "quanto costa?",
        "qual o preço?",
        "hoeveel is dit waard?",
    ],
)
def test_who_writes_another_language_is_told_that_rules_read_english(message: str) -> None:
    answer = compose(CHAT, record_view(), message, SourceBook())
    assert answer.startswith(
        f"{ENGLISH_ONLY} In English I can answer questions about:\n- price and its range"
    )


@pytest.mark.parametrize(
    "message",
    ["Le Creuset pot from La Perla?", "is this a Der Spiegel print", "QB-700", "ok", "???"],
)
def test_a_foreign_name_makes_no_foreign_message(message: str) -> None:
    assert ENGLISH_ONLY not in compose(CHAT, record_view(), message, SourceBook())
