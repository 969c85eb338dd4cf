"""What skills run on: the models, the call log, the prices; put in place for a stretch of work.

The run engine installs one for each run.  Where none is installed, skills run on their rules.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from whence.kernel.retry import RetryPolicy
from whence.llm.budget import CallLog, MemoryLog
from whence.llm.meter import Meter
from whence.llm.models import ChatModel, Models
from whence.llm.prices import Prices, load_prices

SKILL_POLICY = RetryPolicy(longest_wait=30.0)
"""Rules can answer in place of a provider that asks to wait for longer."""


@dataclass(frozen=True)
class SkillRuntime:
    """The models and the books of one run, chat turn or command."""

    models: Models = field(default_factory=Models)
    log: CallLog = field(default_factory=MemoryLog)
    prices: Prices = field(default_factory=load_prices)
    policy: RetryPolicy = SKILL_POLICY

    def meter(self, skill: str, prompt_version: str, model: ChatModel) -> Meter:
        """A fresh count for one use of `model`."""
        return Meter(skill, prompt_version, model, self.log, self.prices)


_CURRENT: ContextVar[SkillRuntime | None] = ContextVar("whence_skill_runtime", default=None)


@contextmanager
def use(runtime: SkillRuntime) -> Generator[SkillRuntime]:
    """Skills awaited inside this block run on `runtime`."""
    token = _CURRENT.set(runtime)
    try:
        yield runtime
    finally:
        _CURRENT.reset(token)


def current() -> SkillRuntime | None:
    """The runtime of this stretch of work, or None."""
    return _CURRENT.get()
