"""What a person is told when an answer did not go well, and whether to offer another try."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from whence.chat.model.tool_loop import LoopResult, LoopStatus
from whence.chat.model.tool_results import spoken
from whence.kernel.errors import BudgetExceeded

TROUBLE = "I'm having trouble right now. Try again?"
CUT = "The answer was cut off here: the model stopped answering. Try again?"
TRUNCATED = "The answer reached its greatest length here. Ask for the rest."
REFUSED = "The model declined to answer this. Ask in other words, or about something else."
STOPPED = "Stopped."


@dataclass(frozen=True)
class Notice:
    """Words that stand below an answer (or in its place), apart from it."""

    text: str
    retry: bool
    """Whether to offer to try again."""


_NOTICES: Mapping[LoopStatus, Notice | None] = {
    "complete": None,
    "failed": Notice(TROUBLE, retry=True),
    "cut": Notice(CUT, retry=True),
    "truncated": Notice(TRUNCATED, retry=False),
    "refused": Notice(REFUSED, retry=False),
    "stopped": Notice(STOPPED, retry=True),
    "budget": None,
}


def notice_of(result: LoopResult) -> Notice | None:
    """What to say below what is kept of an answer; None where it went well."""
    if result.status == "budget":
        return Notice(result.detail or BudgetExceeded().message, retry=False)
    notice = _NOTICES[result.status]
    if notice is None and result.unread:
        return Notice(could_not_be_read(result.unread), retry=True)
    return notice


def could_not_be_read(tools: Sequence[str]) -> str:
    """That these tools gave nothing, also where the model kept quiet about it."""
    names = ", ".join(spoken(name) for name in tools)
    return f"Could not be read, after two tries: {names}. The answer had to do without."
