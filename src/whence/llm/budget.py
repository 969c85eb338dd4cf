"""The budget for model calls, and the log that reserves and records them.

Before a request, the most that it may use is reserved; afterwards the actual use replaces it.
The run engine keeps this log in the database; `MemoryLog` is its twin for tests and for use
outside a run.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from whence.kernel.errors import BudgetExceeded
from whence.work.budget import (
    Budget,
    CallLog,
    CallOutcome,
    CallRecord,
    Exchange,
    Limit,
    SentMessage,
    Spend,
)

__all__ = [
    "Budget",
    "CallLog",
    "CallOutcome",
    "CallRecord",
    "Exchange",
    "Limit",
    "MemoryLog",
    "SentMessage",
    "Spend",
    "estimate_tokens",
]

CHARS_PER_TOKEN = 3.5
"""Characters of ASCII text to a token.  Providers say about 4; less, so that we reserve enough."""
TOKENS_PER_IMAGE = 1_600
"""Tokens that one photograph costs: Anthropic's ceiling for a picture of 1.15 megapixels."""


@dataclass
class MemoryLog:
    """A call log in memory, with the same arithmetic as the one in the database."""

    budget: Budget | None = None
    calls: list[CallRecord] = field(default_factory=list[CallRecord])
    spent: Spend = field(default_factory=Spend)
    held: Spend = field(default_factory=Spend)
    exhausted: Limit | None = None
    """The first limit that refused a request, or None."""

    async def reserve(self, estimate: Spend) -> None:
        """Reserve `estimate`; raises BudgetExceeded naming the limit."""
        limit = self.budget and self.budget.refuses(self.spent + self.held, estimate)
        if limit:
            self.exhausted = self.exhausted or limit
            raise BudgetExceeded(limit=limit)
        self.held += estimate

    async def record(self, call: CallRecord) -> None:
        """Record the call and replace its reservation by the actual use."""
        self.calls.append(call)
        self.held -= call.reserved
        self.spent += call.spent


def estimate_tokens(text: str, images: int = 0) -> int:
    """About how many tokens `text` and this many images are; no tokenizer is downloaded for it.

    A character outside ASCII counts as a token, which is the worst that usual vocabularies do.
    """
    ascii_length = len(text.encode("ascii", "ignore"))
    wide = len(text) - ascii_length
    return math.ceil(ascii_length / CHARS_PER_TOKEN) + wide + images * TOKENS_PER_IMAGE
