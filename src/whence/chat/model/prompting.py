"""The prompt of one turn: the rules, the context and the last messages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path

from whence.llm.messages import Message
from whence.llm.prompts import BadPrompt, Prompt, read_prompt

MAX_ROUNDS = 5
"""Rounds of tools in one turn (design, section 9)."""
MAX_MESSAGE_CHARACTERS = 6_000
"""Characters of one earlier message (about 1,700 tokens): ten of them leave room for the record."""
ANSWER_NOW = (
    f"(The program: {MAX_ROUNDS} rounds of tools are used up, and none can be called any more. "
    "Answer now from what you were shown, and say what is still open.)"
)
_ANSWER = Path(__file__).parents[1] / "prompts" / "answer.md"
_REFERENCE = re.compile(r" ?\[\d{1,4}\]")


@dataclass(frozen=True)
class PromptParts:
    """The values that fill the engine's prompt for one turn."""

    subject: str
    """What the person asks about, as it continues "questions about"."""
    organization: str
    pack: str
    """The pack's own instructions: for the kind of record, the page, or both."""
    context: str
    """Fenced, with markers."""
    version: str
    """The version of the pack's instructions."""


@dataclass(frozen=True)
class ChatPrompt:
    """The messages of a turn's prompt, and the version of its prompt files."""

    messages: tuple[Message, ...]
    version: str
    """`<the engine's>.<the pack's>`."""


def prompt_of(
    pack_prompt: Path, context: str, history: Sequence[Message], message: str, at: datetime
) -> ChatPrompt:
    """The prompt of a turn.

    `pack_prompt` is a prompt file without inputs; `context` is the fenced text of `context_of`;
    `history` are the last messages, without the `message` to answer.  Raises BadPrompt if a file
    is not a prompt.
    """
    pack = read_plain_prompt(pack_prompt)
    parts = PromptParts("one of their records", "", pack.text.strip(), context, pack.version)
    return prompt_with(parts, history, message, at)


def prompt_with(
    parts: PromptParts, history: Sequence[Message], message: str, at: datetime
) -> ChatPrompt:
    """The prompt of a turn from its parts; otherwise like `prompt_of`."""
    rules = read(_ANSWER)
    values = {
        "about": parts.subject,
        "organization": parts.organization,
        "pack": parts.pack,
        "context": parts.context,
        "today": f"{at:%A, %d %B %Y}",
    }
    system = rules.fill(values, {"rounds": MAX_ROUNDS})
    messages = (Message("system", system), *past_messages(history), Message("user", message))
    return ChatPrompt(messages, f"{rules.version}.{parts.version}")


def read_plain_prompt(path: Path) -> Prompt:
    """A pack's prompt for a kind of record; raises BadPrompt if it has inputs or is no prompt."""
    prompt = read(path)
    if prompt.inputs or prompt.constants:
        raise BadPrompt(f"{path} has inputs; a pack's chat prompt must be plain text")
    return prompt


def past_messages(history: Sequence[Message]) -> list[Message]:
    """Earlier messages for the model: the first is the person's, none is empty, long ones are cut.

    The numbers of earlier references are removed, because they mean nothing in this turn.
    """
    messages: list[Message] = []
    for each in history:
        text = each.text
        if each.role == "assistant":
            text = _REFERENCE.sub("", text)
        if len(text) > MAX_MESSAGE_CHARACTERS:
            text = f"{text[:MAX_MESSAGE_CHARACTERS]} […]"
        if text.strip() and (messages or each.role == "user"):
            messages.append(Message(each.role, text))
    return messages


@cache
def read(path: Path) -> Prompt:
    """A prompt file, read once; raises BadPrompt."""
    return read_prompt(path)
