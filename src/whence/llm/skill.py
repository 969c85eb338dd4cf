"""`@skill`: a typed model call whose Python body is its deterministic fallback.

```python
@skill(prompt="identify_product.md")
async def identify_product(look: ProductLook) -> ProductIdentification:
    return match_by_gtin(look) or parse_title(look)
```

`await identify_product(look)` gives the output; `await identify_product.run(look)` gives it with
how it was made.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Generic, Literal, TypeVar, get_type_hints

from pydantic import BaseModel

from whence.kernel.errors import BudgetExceeded, Misconfigured
from whence.llm.budget import Spend
from whence.llm.failures import ModelFailed
from whence.llm.messages import ImagePart, Message
from whence.llm.models import ChatModel
from whence.llm.prompts import Constant, Prompt, check_prompt, find_prompt, read_prompt
from whence.llm.runtime import SkillRuntime, current
from whence.llm.structured import ask_for

I = TypeVar("I", bound=BaseModel)  # noqa: E741 - input and output, as in the design
O = TypeVar("O", bound=BaseModel)  # noqa: E741
SkillOutcome = Literal["ok", "repaired", "fallback", "no_model"]


class BadSkill(Misconfigured):
    """A skill is `async def name(look: InputModel) -> OutputModel`, both Pydantic models."""


@dataclass(frozen=True)
class Outcome(Generic[O]):
    """A skill's output and how it was made."""

    value: O
    method: str
    """`model:<provider:name>/<skill>@<prompt version>` or `rules:<skill>@<rules version>`."""
    outcome: SkillOutcome
    reason: str | None = None
    """Why the rules answered although there is a model: `timeout`, `refused`, `invalid`, ..."""
    detail: str | None = None
    spent: Spend = field(default_factory=Spend)


class Skill(Generic[I, O]):
    """A decorated skill: call it, or use `run` to learn how its answer was made."""

    def __init__(
        self,
        body: Callable[[I], Awaitable[O]],
        prompt: str,
        *,
        vision: bool,
        rules_version: int,
        constants: Mapping[str, Constant],
    ) -> None:
        if not inspect.iscoroutinefunction(body) or len(inspect.signature(body).parameters) != 1:
            raise BadSkill(f"{body.__qualname__} is not a skill: {inspect.getdoc(BadSkill)}")
        functools.update_wrapper(self, body)
        self.name = body.__name__
        self.vision = vision
        self.rules_method = f"rules:{self.name}@{rules_version}"
        self._body = body
        self._module = Path(body.__code__.co_filename)
        self._prompt_name = prompt
        self._constants = dict(constants)

    async def __call__(self, inputs: I) -> O:
        """The skill's output for `look`, from the model or from the rules."""
        return (await self.run(inputs)).value

    async def run(self, inputs: I) -> Outcome[O]:
        """The output and how it was made.

        Raises what the body raises, and whatever stops the run itself (a used-up budget, a stale
        attempt, a cancelled run); never an error of the model.
        """
        self.check()
        runtime, model = current(), self._model
        images = tuple(_images(getattr(inputs, name) for name in type(inputs).model_fields))
        if runtime is None or model is None:
            return Outcome(await self._body(inputs), self.rules_method, "no_model")
        if self.vision and not images:
            return Outcome(await self._body(inputs), self.rules_method, "no_model", "no_images")
        return await self._run_on(runtime, model, inputs, images if self.vision else ())

    @property
    def has_model(self) -> bool:
        """Whether a model would be asked now, so that its input is worth preparing."""
        return self._model is not None

    @property
    def _model(self) -> ChatModel | None:
        runtime = current()
        return runtime and (runtime.models.vision if self.vision else runtime.models.text)

    async def _run_on(
        self, runtime: SkillRuntime, model: ChatModel, inputs: I, images: tuple[ImagePart, ...]
    ) -> Outcome[O]:
        meter = runtime.meter(self.name, self.prompt.version, model)
        try:
            messages = self.messages(inputs, images)
            try:
                answer = await ask_for(self.output, messages, model, meter, runtime.policy)
            except BudgetExceeded as refusal:
                meter.blame("budget", refusal.message)
                raise
            except ModelFailed as failure:
                meter.blame(failure.reason, failure.detail)
                value = await self._body(inputs)
                await meter.close("fallback")
                reason, spent = (failure.reason, failure.detail), meter.spent
                return Outcome(value, self.rules_method, "fallback", *reason, spent)
            outcome: Literal["ok", "repaired"] = "repaired" if answer.repaired else "ok"
            await meter.close(outcome)
            method = f"model:{model.label}/{self.name}@{self.prompt.version}"
            return Outcome(answer.value, method, outcome, spent=meter.spent)
        finally:
            await meter.close("error")

    def messages(self, inputs: I, images: tuple[ImagePart, ...] = ()) -> list[Message]:
        """The messages to the model for `look`; the last one has the images."""
        values = {name: getattr(inputs, name) for name in self.prompt.inputs}
        *head, last = self.prompt.render(values, self._constants)
        return [*head, Message(last.role, last.text, images)]

    def check(self) -> None:
        """Load and check the prompt against the types; raises Misconfigured naming the fault."""
        _ = self.prompt

    @cached_property
    def prompt(self) -> Prompt:
        """The prompt file, read and checked once."""
        prompt = read_prompt(find_prompt(self._module, self._prompt_name))
        fields, constants = frozenset(self.input.model_fields), frozenset(self._constants)
        check_prompt(prompt, fields, constants, self.output.__name__)
        return prompt

    @property
    def input(self) -> type[I]:
        """The input model."""
        return self._types[0]

    @property
    def output(self) -> type[O]:
        """The output model."""
        return self._types[1]

    @cached_property
    def _types(self) -> tuple[type[I], type[O]]:
        hints = get_type_hints(self._body)
        output, taken = hints.pop("return", None), [*hints.values()]
        if len(taken) != 1 or not _is_model(taken[0]) or not _is_model(output):
            raise BadSkill(f"{self.name} is not a skill: {inspect.getdoc(BadSkill)}")
        return taken[0], output


def skill(
    *,
    prompt: str,
    vision: bool = False,
    rules_version: int = 1,
    constants: Mapping[str, Constant] | None = None,
) -> Callable[[Callable[[I], Awaitable[O]]], Skill[I, O]]:
    """Make a skill of an `async def body(look: Input) -> Output`.

    `prompt` is a file in the pack's `prompts/`; raise `rules_version` when the body decides
    differently; `vision` sends the input's `ImagePart`s to the vision model.
    """

    def make(body: Callable[[I], Awaitable[O]]) -> Skill[I, O]:
        return Skill(
            body, prompt, vision=vision, rules_version=rules_version, constants=constants or {}
        )

    return make


def _is_model(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, BaseModel)


def _images(values: Iterable[object]) -> Iterable[ImagePart]:
    for value in values:
        if isinstance(value, ImagePart):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _images(value)
