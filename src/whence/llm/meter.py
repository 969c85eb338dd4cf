"""Counts what one use of a model costs, over its retries and its repair, into one record."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from whence.llm.budget import (
    CallLog,
    CallOutcome,
    CallRecord,
    Exchange,
    Spend,
    estimate_tokens,
)
from whence.llm.clients import MAX_ANSWER_TOKENS
from whence.llm.exchanges import MOST_CHARACTERS, exchange_of
from whence.llm.failures import ModelFailed
from whence.llm.messages import Answer
from whence.llm.models import ChatModel
from whence.llm.prices import Prices
from whence.llm.tool_messages import ChatMessage, ToolSpec


class Meter:
    """The running count of one skill call or chat turn; `close` writes it to the call log."""

    def __init__(
        self,
        skill: str,
        prompt_version: str,
        model: ChatModel,
        log: CallLog,
        prices: Prices,
        *,
        keeps_exchange: bool = False,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._skill = skill
        self._prompt_version = prompt_version
        self._model = model
        self._log = log
        self._prices = prices
        self._clock = clock
        self._started = clock()
        self._closed = False
        self._reserved = Spend()
        self._calls = 0
        self._tokens_in = 0
        self._tokens_out = 0
        self._exact = True
        self._reason: str | None = None
        self._detail: str | None = None
        self._keeps_exchange = keeps_exchange
        self._exchange: Exchange | None = None

    async def reserve(self, tokens_in: int, wait_seconds: float) -> None:
        """Reserve one request with about `tokens_in` and the longest possible answer, and the wait
        before it; unused reservations of earlier requests are used first.

        Raises BudgetExceeded.
        """
        usd = self._prices.cost(self._model.label, tokens_in, MAX_ANSWER_TOKENS)
        request = Spend(1, tokens_in + MAX_ANSWER_TOKENS, usd, wait_seconds)
        amount = self._used + request - self._reserved
        await self._log.reserve(amount)
        self._reserved += amount

    @property
    def _used(self) -> Spend:
        """What the requests so far have used, without the time they took."""
        usd = self._prices.cost(self._model.label, self._tokens_in, self._tokens_out)
        return Spend(self._calls, self._tokens_in + self._tokens_out, usd, self._reserved.seconds)

    def count(self, answer: Answer, expected_in: int) -> None:
        """Add an answer's tokens; estimated where the provider did not count them."""
        tokens_in, tokens_out = answer.tokens or (expected_in, estimate_tokens(answer.text))
        self._add(tokens_in, tokens_out, exact=answer.tokens is not None)

    def count_failure(self, failure: ModelFailed, expected_in: int) -> None:
        """Add a failed request: no tokens where the provider refused it, an estimate where it
        may have worked on it.
        """
        unsure = failure.reason in ("timeout", "interrupted", "truncated", "refused", "malformed")
        guess = (expected_in, 0) if unsure else (0, 0)
        exact = failure.tokens is not None or not unsure
        self._add(*(failure.tokens or guess), exact=exact)

    def note_exchange(
        self,
        messages: Sequence[ChatMessage],
        answer: str | None,
        tools: Sequence[ToolSpec] = (),
        most: int = MOST_CHARACTERS,
    ) -> None:
        """Keep the last request and its answer for the call log, if this installation does so;
        texts of more than `most` characters without their middle.
        """
        if self._keeps_exchange:
            self._exchange = exchange_of(messages, answer, tools, most)

    def blame(self, reason: str | None, detail: str | None) -> None:
        """Record why this use of the model failed."""
        self._reason, self._detail = reason, detail

    @property
    def spent(self) -> Spend:
        """What it has used so far."""
        return self.record("ok").spent

    async def close(self, outcome: CallOutcome) -> None:
        """Write the record, once; later calls change nothing."""
        if self._closed:
            return
        self._closed = True
        await self._log.record(self.record(outcome))

    def record(self, outcome: CallOutcome) -> CallRecord:
        """The count so far as a record of the call log; money None where no price is known."""
        failed_unblamed = outcome == "error" and self._reason is None
        return CallRecord(
            skill=self._skill,
            model=self._model.label,
            prompt_version=self._prompt_version,
            outcome=outcome,
            reason="stopped" if failed_unblamed else self._reason,
            detail=self._detail,
            calls=self._calls,
            tokens_in=self._tokens_in,
            tokens_out=self._tokens_out,
            exact=self._exact,
            usd=self._prices.cost(self._model.label, self._tokens_in, self._tokens_out),
            latency_ms=round((self._clock() - self._started) * 1000),
            reserved=self._reserved,
            exchange=self._exchange,
        )

    def _add(self, tokens_in: int, tokens_out: int, *, exact: bool) -> None:
        self._calls += 1
        self._tokens_in += tokens_in
        self._tokens_out += tokens_out
        self._exact = self._exact and exact
