"""Skills: functions that a model carries out, with rules as the fallback."""

from whence.llm import ImagePart, Outcome, skill

__all__ = [
    "ImagePart",
    "Outcome",
    "skill",
]
