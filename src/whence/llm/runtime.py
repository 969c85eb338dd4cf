"""The models, call log and prices that skills use during a run, chat turn or command.

The run engine installs one for each run.  If none is installed, skills use their rules.
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
"""If a provider asks for a longer wait, the rules answer instead."""


@dataclass(frozen=True)
class SkillRuntime:
    """The models and the call log of one run, chat turn or command."""

    models: Models = field(default_factory=Models)
    log: CallLog = field(default_factory=MemoryLog)
    prices: Prices = field(default_factory=load_prices)
    policy: RetryPolicy = SKILL_POLICY
    keeps_exchanges: bool = False
    """Whether the call log gets what was sent and answered."""

    def meter(self, skill: str, prompt_version: str, model: ChatModel) -> Meter:
        """A fresh count for one use of `model`."""
        keeps = self.keeps_exchanges
        return Meter(skill, prompt_version, model, self.log, self.prices, keeps_exchange=keeps)


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
    """The current runtime, or None."""
    return _CURRENT.get()
