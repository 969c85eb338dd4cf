"""What a model is sent: the engine's rules, the pack's, the record, the last messages."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from whence.chat.model.prompting import MAX_MESSAGE_CHARACTERS, MAX_ROUNDS, past_messages, prompt_of
from whence.llm import BadPrompt, Message

AT = datetime(2026, 6, 3, 12, tzinfo=UTC)
PACK = "---\nversion: 7\noutput: text\n---\nYou help with lamps.\n"


def pack(folder: Path, text: str = PACK) -> Path:
    path = folder / "chat.md"
    path.write_text(text, "utf-8")
    return path


def test_rules_come_first_then_the_pack_then_the_record_and_the_question_last(
    tmp_path: Path,
) -> None:
    history = [Message("user", "Hello"), Message("assistant", "Hello.")]
    prompt = prompt_of(pack(tmp_path), "THE RECORD", history, "What is it worth?", AT)
    system, *rest = prompt.messages
    order = [system.text.index(word) for word in ("How to cite", "You help with lamps", "THE REC")]
    assert order == sorted(order)
    assert "Wednesday, 03 June 2026" in system.text
    assert f"at most {MAX_ROUNDS} times" in system.text
    assert rest == [*history, Message("user", "What is it worth?")]
    assert prompt.version == "3.7"


def test_a_context_with_holes_is_not_filled(tmp_path: Path) -> None:
    prompt = prompt_of(pack(tmp_path), "{{ pack }} {{ secret }}", [], "Hello", AT)
    assert "{{ pack }} {{ secret }}" in prompt.messages[0].text


def test_a_packs_prompt_with_holes_is_refused(tmp_path: Path) -> None:
    holes = "---\nversion: 1\ninputs: title\noutput: text\n---\n{{ title }}\n"
    with pytest.raises(BadPrompt, match="plain text"):
        prompt_of(pack(tmp_path, holes), "", [], "Hello", AT)


def test_earlier_references_are_taken_out_and_nothing_is_endless_or_empty() -> None:
    shown = past_messages(
        [
            Message("assistant", "What an earlier window began with."),
            Message("user", "x" * (MAX_MESSAGE_CHARACTERS + 1)),
            Message("assistant", "It sold for 40 [1], then 60 [2][3]."),
            Message("assistant", "  "),
            Message("user", "In [4] it says so."),
        ]
    )
    assert [each.role for each in shown] == ["user", "assistant", "user"]
    assert shown[0].text == "x" * MAX_MESSAGE_CHARACTERS + " […]"
    assert [each.text for each in shown[1:]] == ["It sold for 40, then 60.", "In [4] it says so."]
