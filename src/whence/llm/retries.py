"""The one policy for coming again after a provider's error.

Up to three tries; exponential backoff with full jitter (M. Brooker, "Exponential Backoff And
Jitter", AWS Architecture Blog, 2015); never sooner than the provider's Retry-After.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from whence.kernel import metrics
from whence.llm.calls import ask
from whence.llm.failures import ModelFailed
from whence.llm.messages import Answer, Message, estimate
from whence.llm.meter import Meter
from whence.llm.models import ChatModel
from whence.llm.schemas import OutputSchema


@dataclass(frozen=True)
class RetryPolicy:
    """How often and how long to wait before giving a model up."""

    tries: int = 3
    base_seconds: float = 0.5
    """Upper end of the first wait; it doubles with each try."""
    longest_wait: float = 30.0
    """Seconds; a provider that asks for more is given up for now, since the rules can answer."""
    draw: Callable[[], float] = random.random
    """A number in [0, 1)."""

    def wait(self, failed: int, failure: ModelFailed) -> float | None:
        """Seconds to wait after `failed` (>= 1) tries, or None to give up."""
        if not failure.retryable or failed >= self.tries:
            return None
        jitter = self.draw() * self.base_seconds * 2 ** (failed - 1)
        seconds = (failure.retry_after or 0.0) + jitter
        return seconds if seconds <= self.longest_wait else None


async def ask_patiently(
    model: ChatModel,
    messages: Sequence[Message],
    schema: OutputSchema | None,
    meter: Meter,
    policy: RetryPolicy,
) -> Answer:
    """Ask, and ask again after errors that pass; every request is reserved in the budget.

    Raises ModelFailed when the policy gives up, BudgetExceeded when a request or the wait before
    it does not fit the budget.
    """
    expected_in = estimate(messages, schema.schema if schema else None)
    failed, wait = 0, 0.0
    while True:
        await meter.reserve(expected_in, wait)
        if wait:
            metrics.tried_again("model")
            await asyncio.sleep(wait)
        try:
            answer = await ask(model, messages, schema)
        except ModelFailed as failure:
            meter.count_failure(failure, expected_in)
            failed += 1
            failure.tries = failed
            again = policy.wait(failed, failure)
            if again is None:
                raise
            wait = again
        else:
            meter.count(answer, expected_in)
            if answer.stop != "interrupted":
                return answer
            failed += 1
            again = policy.wait(failed, ModelFailed("interrupted"))
            if again is None:
                return answer
            wait = again
