"""A pack's own examples teach the rules what messages about its records ask for."""

from __future__ import annotations

from dataclasses import replace

from chat.record_views import CHAT
from sdk.test_testing import FOLDER
from whence.chat.language.intents import Intent, intent_of


def test_what_a_packs_examples_say_is_learned() -> None:
    taught = replace(CHAT, kind="taught", examples=[FOLDER / "examples.jsonl"])
    assert intent_of("recount the words", taught) is Intent.RESEARCH
    assert intent_of("recount the words", CHAT) is not Intent.RESEARCH
