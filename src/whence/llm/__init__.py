"""Skills and the models under them; importing this loads no provider's client."""

from whence.llm.budget import (
    Budget,
    CallLog,
    CallOutcome,
    CallRecord,
    Limit,
    MemoryLog,
    Spend,
    estimate_tokens,
)
from whence.llm.choice import ModelChoice
from whence.llm.failures import ModelFailed
from whence.llm.messages import ImagePart, Message
from whence.llm.models import ChatModel, Models, models_from
from whence.llm.prices import Prices, load_prices
from whence.llm.prompts import BadPrompt
from whence.llm.runtime import SkillRuntime, current, use
from whence.llm.skill import BadSkill, Outcome, Skill, SkillOutcome, skill

__all__ = [
    "BadPrompt",
    "BadSkill",
    "Budget",
    "CallLog",
    "CallOutcome",
    "CallRecord",
    "ChatModel",
    "ImagePart",
    "Limit",
    "MemoryLog",
    "Message",
    "ModelChoice",
    "ModelFailed",
    "Models",
    "Outcome",
    "Prices",
    "Skill",
    "SkillOutcome",
    "SkillRuntime",
    "Spend",
    "current",
    "estimate_tokens",
    "load_prices",
    "models_from",
    "skill",
    "use",
]
