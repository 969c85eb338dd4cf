"""What a model is sent for one turn: the rules, what it may know, the last messages."""

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
MAX_PAST_CHARACTERS = 6_000
"""Of one earlier message (about 1,700 tokens): ten of them leave room for the record itself."""
ANSWER_NOW = (
    f"(The program: {MAX_ROUNDS} rounds of tools are used up, and none can be called any more. "
    "Answer now from what you were shown, and say what is still open.)"
)
_ANSWER = Path(__file__).parents[1] / "prompts" / "answer.md"
_REFERENCE = re.compile(r" ?\[\d{1,4}\]")


@dataclass(frozen=True)
class Briefed:
    """What the engine's rules are filled with for one turn."""

    about: str
    """What the person asks about, in words that go on after "questions about"."""
    organization: str
    pack: str
    """The pack's own words: of the kind of record, of the page, or both."""
    context: str
    """Fenced, with markers."""
    version: str
    """Of the pack's words."""


@dataclass(frozen=True)
class ChatPrompt:
    """What a model is sent for a turn, and the version of the prompts that made it."""

    lines: tuple[Message, ...]
    version: str
    """`<the engine's>.<the pack's>`."""


def prompt_of(
    pack_prompt: Path, context: str, history: Sequence[Message], message: str, at: datetime
) -> ChatPrompt:
    """The prompt of a turn.

    `pack_prompt` is a prompt file without inputs; `context` is what `context_of` made, fenced;
    `history` is the window, without the `message` that is to be answered.  Raises BadPrompt when a
    file is not a prompt.
    """
    pack = plain(pack_prompt)
    said = Briefed("one of their records", "", pack.text.strip(), context, pack.version)
    return prompt_with(said, history, message, at)


def prompt_with(
    said: Briefed, history: Sequence[Message], message: str, at: datetime
) -> ChatPrompt:
    """The prompt of a turn from what was briefed; otherwise as `prompt_of`."""
    rules = read(_ANSWER)
    values = {
        "about": said.about,
        "organization": said.organization,
        "pack": said.pack,
        "context": said.context,
        "today": f"{at:%A, %d %B %Y}",
    }
    system = rules.fill(values, {"rounds": MAX_ROUNDS})
    lines = (Message("system", system), *past(history), Message("user", message))
    return ChatPrompt(lines, f"{rules.version}.{said.version}")


def plain(path: Path) -> Prompt:
    """A pack's prompt about a kind of record; raises BadPrompt when it has holes, or is none."""
    found = read(path)
    if found.inputs or found.constants:
        raise BadPrompt(f"{path} has holes; a pack's chat prompt is plain text")
    return found


def past(history: Sequence[Message]) -> list[Message]:
    """Earlier messages as a model is shown them: begun by the person, none empty, none endless.

    The numbers of earlier references are taken out, because they mean nothing in this turn.
    """
    shown: list[Message] = []
    for each in history:
        text = each.text
        if each.role == "assistant":
            text = _REFERENCE.sub("", text)
        if len(text) > MAX_PAST_CHARACTERS:
            text = f"{text[:MAX_PAST_CHARACTERS]} […]"
        if text.strip() and (shown or each.role == "user"):
            shown.append(Message(each.role, text))
    return shown


@cache
def read(path: Path) -> Prompt:
    """A prompt file, read once; raises BadPrompt."""
    return read_prompt(path)
