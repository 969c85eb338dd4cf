"""What nobody here can answer or do: the weather, reminders, messages to people."""

from __future__ import annotations

import re

_HELP = re.compile(
    r"^\W*(?:please\s+)?(?:help(?: me)?|commands?|options|topics|menu|"
    r"what (?:else )?(?:can|could|do) (?:you|i|we) (?:do|ask|answer|know|help)\b.*|"
    r"how does this work)\W*$",
    re.I,
)
_PLEASE = r"^\W*(?:(?:please|can you|could you)\s+)*"
_WEATHER = r"\b(?:weather|raining|snowing|rain|snow)\b"
_NEWS = (
    r"\bwho (?:won|wins|will win)\b|\b(?:the news|football|soccer|baseball|basketball|election|"
    r"lottery|horoscope|what time is it)\b"
)
_REMINDER = (
    rf"{_PLEASE}(?:remind|notify|alert|wake|ping) (?:me|us)\b|"
    r"\b(?:set|create) (?:a|an) (?:reminder|alarm)\b"
)
_MESSAGE = (
    rf"{_PLEASE}(?:e-?mail|text|phone|call|message|whatsapp|write to|"
    r"send (?:a message|an e-?mail) to)\s+\w+"
)
_REASONS = {
    _WEATHER: "I cannot know the weather.",
    _NEWS: "I cannot know that: I know this {thing} and its research.",
    _REMINDER: "I cannot send reminders.",
    _MESSAGE: "I cannot send messages.",
}


def asks_for_help(question: str) -> bool:
    """Whether a message asks what can be asked."""
    return _HELP.match(question) is not None


def out_of_reach(question: str, thing: str) -> str | None:
    """Why a question on no topic has no answer here; None if it may be about the record.

    `thing` is what the record is called.
    """
    for pattern, reason in _REASONS.items():
        if re.search(pattern, question, re.I):
            return (
                f"{reason.format(thing=thing)} Ask about this {thing}, or say “help” for examples."
            )
    return None
