"""Notices for answers that failed or were cut off, and whether to offer a retry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from whence.chat.model.tool_loop import LoopResult, LoopStatus
from whence.chat.model.tool_results import tool_title
from whence.kernel.errors import BudgetExceeded

FAILED_TEXT = "The language model is having trouble, so rules answered. Try again?"
WHY: Mapping[str, str] = {
    "key_refused": (
        "The language model refused its key, so rules answered. Ask your operator to check the key."
    ),
    "rate_limited": (
        "The language model takes no more requests at the moment, so rules answered. Try again in "
        "a minute?"
    ),
    "timeout": "The language model took too long, so rules answered. Try again?",
    "connection": "The language model cannot be reached, so rules answered. Try again?",
    "server_error": "The language model has trouble of its own, so rules answered. Try again?",
    "malformed": "The language model's answer made no sense, so rules answered. Try again?",
    "empty": "The language model answered nothing, so rules answered. Try again?",
}
"""What a person is told of a model that gave no answer, by the reason."""
CUT_TEXT = "The answer was cut off here: the model stopped answering. Try again?"
TRUNCATED_TEXT = "The answer reached its maximum length here. Ask for the rest."
REFUSED_TEXT = "The model declined to answer this. Rephrase the question or ask something else."
STOPPED_TEXT = "Stopped."


@dataclass(frozen=True)
class Notice:
    """A text below an answer, or in its place, that is not part of it."""

    text: str
    retry: bool
    """Whether to offer a retry."""


_NOTICES: Mapping[LoopStatus, Notice | None] = {
    "complete": None,
    "failed": Notice(FAILED_TEXT, retry=True),
    "cut": Notice(CUT_TEXT, retry=True),
    "truncated": Notice(TRUNCATED_TEXT, retry=False),
    "refused": Notice(REFUSED_TEXT, retry=False),
    "stopped": Notice(STOPPED_TEXT, retry=True),
    "budget": None,
}


def notice_of(result: LoopResult) -> Notice | None:
    """The notice below an answer; None if all went well."""
    if result.status == "budget":
        return Notice(result.detail or BudgetExceeded().message, retry=False)
    why = WHY.get(result.reason or "") if result.status == "failed" else None
    if why is not None:
        return Notice(why, retry=result.reason != "key_refused")
    notice = _NOTICES[result.status]
    if notice is None and result.unread:
        return Notice(could_not_be_read(result.unread), retry=True)
    return notice


def could_not_be_read(tools: Sequence[str]) -> str:
    """A notice that these tools failed, even if the model did not mention it."""
    names = ", ".join(tool_title(name) for name in tools)
    return f"These tools failed twice: {names}. The answer does without their results."
