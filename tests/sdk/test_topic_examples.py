"""A pack's own questions teach the chat what a question is about, and what it cannot answer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from chat.record_views import CHAT
from sdk.test_testing import FOLDER
from whence.chat.citing.composing import topic_of
from whence.chat.offer import Topic
from whence.kernel.errors import Invalid

LENGTH = Topic("length", "how long it is", ("long",), lambda look, question: [], "How long is it?")
EXAMPLES = FOLDER / "topic_examples.jsonl"


def test_a_topic_is_found_by_examples_and_what_is_like_none_is_refused() -> None:
    by_words = replace(CHAT, kind="by-words", topics=[LENGTH])
    taught = replace(by_words, kind="by-examples", topic_examples=[EXAMPLES])
    assert topic_of(by_words, "how many words has it") is None
    assert topic_of(taught, "how many words has it") is LENGTH
    assert topic_of(taught, "who has written it") is None


def test_an_example_of_a_topic_that_is_not_there_is_named_by_its_line(tmp_path: Path) -> None:
    file = tmp_path / "examples.jsonl"
    file.write_text('{"topic": "length", "text": "a"}\n{"topic": "colour", "text": "b"}\n')
    chat = replace(CHAT, kind="faulty", topics=[LENGTH], topic_examples=[file])
    with pytest.raises(Invalid, match=r"line 2: there is no topic 'colour'"):
        topic_of(chat, "how long")
