"""A test call: one small question to a model, and exactly what went wrong if it was not answered.

It is made once, without retries and without a repair, so that the failure is the provider's own.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from pydantic import BaseModel, ValidationError

from whence.llm.budget import CallLog
from whence.llm.calls import ask
from whence.llm.failures import ModelFailed, Reason
from whence.llm.messages import Message, estimate
from whence.llm.meter import Meter
from whence.llm.models import KEY_VARIABLE, ChatModel
from whence.llm.prices import Prices
from whence.llm.repair import Unreadable, read_object
from whence.llm.schemas import output_schema

SKILL = "test_call"
"""The name of test calls in the call log."""
NODE = "test"
LONGEST_SECONDS = 20.0
"""Longest wait for the answer: somebody sits in front of the page."""
_PROMPT = 'Answer with the JSON object {"word": "ready"} and nothing else.'
ProbeResult = Literal[
    "ok", "key_refused", "rate_limited", "timeout", "nonsense", "unreachable", "refused", "failed"
]
_RESULTS: Mapping[Reason, ProbeResult] = {
    "key_refused": "key_refused",
    "rate_limited": "rate_limited",
    "timeout": "timeout",
    "connection": "unreachable",
    "interrupted": "unreachable",
    "invalid": "nonsense",
    "malformed": "nonsense",
    "empty": "nonsense",
    "truncated": "nonsense",
    "refused": "refused",
    "rejected": "failed",
    "server_error": "failed",
}


class Ready(BaseModel):
    """The answer that is asked for."""

    word: Literal["ready"]


@dataclass(frozen=True)
class ModelProbe:
    """What a test call showed."""

    result: ProbeResult
    explanation: str
    """What it means, and what to do."""
    detail: str | None
    """The provider's own words, without secrets."""
    seconds: float
    tokens_in: int
    tokens_out: int
    is_exact: bool
    """False if the tokens are an estimate, because the provider did not count them."""
    usd: Decimal | None
    """None if the price of the model is not known."""


async def probe_model(model: ChatModel, prices: Prices, log: CallLog) -> ModelProbe:
    """Ask `model` once, and log what it cost.  Never raises for an error of the model."""
    seconds = min(model.choice.timeout, LONGEST_SECONDS)
    probed = ChatModel(replace(model.choice, timeout=seconds))
    await probed.client()  # loading the provider's library is no part of the answer's time
    meter = Meter(SKILL, "1", probed, log, prices)
    began = time.perf_counter()
    failure = await _failure(probed, meter)
    took = time.perf_counter() - began
    await probed.close()
    if failure:
        meter.blame(failure.reason, failure.detail)
    outcome = "error" if failure else "ok"
    await meter.close(outcome)
    call = meter.record(outcome)
    result = _RESULTS[failure.reason] if failure else "ok"
    return ModelProbe(
        result=result,
        explanation=_explained(result, probed, seconds),
        detail=failure.detail if failure else None,
        seconds=took,
        tokens_in=call.tokens_in,
        tokens_out=call.tokens_out,
        is_exact=call.exact,
        usd=call.usd,
    )


async def _failure(model: ChatModel, meter: Meter) -> ModelFailed | None:
    messages = [Message("user", _PROMPT)]
    schema = output_schema(Ready)
    expected_in = estimate(messages, schema.schema)
    try:
        answer = await ask(model, messages, schema)
    except ModelFailed as failure:
        meter.count_failure(failure, expected_in)
        return failure
    meter.count(answer, expected_in)
    if answer.stop != "complete":
        return ModelFailed(answer.stop)
    try:
        Ready.model_validate(read_object(answer.text))
    except (Unreadable, ValidationError):
        return ModelFailed("invalid", model.masked(answer.text)[:200])
    return None


def _explained(result: ProbeResult, model: ChatModel, seconds: float) -> str:
    key = KEY_VARIABLE.get(model.choice.provider)
    credential = f"the key in {key}" if key else "the request's credentials"
    return _EXPLAINED[result].format(credential=credential, seconds=seconds)


_EXPLAINED: Mapping[ProbeResult, str] = {
    "ok": "It answered as asked.",
    "key_refused": "The provider refused {credential}: check that it is valid and may use this "
    "model.",
    "rate_limited": "The provider takes no more requests at the moment: wait, or ask it for a "
    "higher limit. Until then rules answer.",
    "timeout": "No answer within {seconds:g} seconds: the model is overloaded, or "
    "WHENCE_MODEL_TIMEOUT is too short for it.",
    "nonsense": "It answered, but not with what was asked: this model, or the server at "
    "WHENCE_MODEL_BASE_URL, does not keep to a schema. Rules answer in its place.",
    "unreachable": "The provider could not be reached: check the network and "
    "WHENCE_MODEL_BASE_URL.",
    "refused": "The model refused to answer a harmless question; use another model.",
    "failed": "The provider refused the request or failed: its own words say why. Check the "
    "model's name.",
}
