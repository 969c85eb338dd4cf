"""A model's answer as a Pydantic model: schema mode, validation, one second try, or a failure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel, JsonValue, ValidationError

from whence.kernel.retry import RetryPolicy, retry
from whence.llm.calls import ask
from whence.llm.failures import DETAIL_LENGTH, ModelFailed, is_passing
from whence.llm.messages import Answer, Message, estimate
from whence.llm.meter import Meter
from whence.llm.models import ChatModel
from whence.llm.repair import Unreadable, read_object, repaired_object
from whence.llm.schemas import OutputSchema, output_schema

MAX_ERRORS_SHOWN = 8
"""Errors listed for the model in a second try; more would hide the first."""

T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True)
class Structured(Generic[T]):
    """A valid output; `repaired` when the first answer could not be taken as it was."""

    value: T
    repaired: bool


class _Invalid(ValueError):
    """An answer that is not the requested output; its text says what is wrong."""


async def ask_for(
    output: type[T],
    messages: Sequence[Message],
    model: ChatModel,
    meter: Meter,
    policy: RetryPolicy,
) -> Structured[T]:
    """Ask for an `output`; an invalid answer is sent back once with the validator's message, and
    the second one is repaired where only its JSON is wrong.

    Raises ModelFailed (a refusal, a truncated or empty answer, two invalid ones, a provider that
    does not answer) or BudgetExceeded.
    """
    schema = output_schema(output)
    answer = await _ask(model, messages, schema, meter, policy)
    try:
        return Structured(_read(output, answer, read_object), repaired=False)
    except _Invalid as error:
        repair = f"That is not a valid {output.__name__}:\n{error}\n" + _REPAIR
        messages = [*messages, Message("assistant", answer.text), Message("user", repair)]
    answer = await _ask(model, messages, schema, meter, policy)
    try:
        return Structured(_read(output, answer, _read_leniently), repaired=True)
    except _Invalid as error:
        raise ModelFailed("invalid", str(error)[:DETAIL_LENGTH]) from error


async def _ask(
    model: ChatModel,
    messages: Sequence[Message],
    schema: OutputSchema,
    meter: Meter,
    policy: RetryPolicy,
) -> Answer:
    """Ask, and again after errors that pass; every request is reserved in the budget, with the wait
    before it.
    """
    expected_in = estimate(messages, schema.schema)

    async def once() -> Answer:
        try:
            answer = await ask(model, messages, schema)
        except ModelFailed as failure:
            meter.count_failure(failure, expected_in)
            meter.note_exchange(messages, None)
            raise
        meter.count(answer, expected_in)
        meter.note_exchange(messages, answer.text)
        if answer.stop == "interrupted":
            raise ModelFailed("interrupted")
        return answer

    async def reserve(wait: float) -> None:
        await meter.reserve(expected_in, wait)

    await reserve(0.0)
    return await retry(once, of="model", policy=policy, when=is_passing, before_wait=reserve)


_REPAIR = "Give the whole object again, corrected, as JSON and nothing else."


def _read_leniently(text: str) -> dict[str, JsonValue]:
    try:
        return read_object(text)
    except Unreadable:
        return repaired_object(text)


def _read(output: type[T], answer: Answer, read: Callable[[str], dict[str, JsonValue]]) -> T:
    if answer.stop != "complete":
        raise ModelFailed(answer.stop)
    if not answer.text.strip():
        raise ModelFailed("empty")
    try:
        return output.model_validate(read(answer.text))
    except Unreadable as error:
        raise _Invalid(str(error)) from error
    except ValidationError as error:
        raise _Invalid(_faults(error)) from error


def _faults(error: ValidationError) -> str:
    """Location and message of each error, without the values: those may be private data."""
    errors = error.errors(include_url=False, include_context=False, include_input=False)
    lines = [f"{'.'.join(map(str, one['loc'])) or 'object'}: {one['msg']}" for one in errors]
    return "\n".join(lines[:MAX_ERRORS_SHOWN])
