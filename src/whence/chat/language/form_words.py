"""The words that the forms of a change are made of: verbs, amounts, and what stands between."""

from __future__ import annotations

from enum import Enum, auto

from whence.chat.language.obligations import CHANGED, COMES, INTO, MODAL


class Operation(Enum):
    SET = auto()
    CLEAR = auto()
    UP = auto()
    """By an amount or a share."""
    DOWN = auto()
    ADD = auto()


RAISE = "raise|increase|bump(?: up)?|lift|hike"
LOWER = "lower|reduce|decrease|drop|cut|slash"
CLEAR = (
    "clear|remove|delete|erase|empty|unset|reset|blank|wipe|get rid of|scrap|ditch|strip|"
    "take out|do away with"
)
CLEARED = r"(?:\s*[,;.!?(].*|\s+(?:please|pls|because|as|since|it|field|now|from|for)\b.*)?"
SET = (
    f"set|change|update|edit|correct|fix|adjust|modify|amend|make|put|enter|switch|{RAISE}|"
    f"{LOWER}|replace|rename|retitle|write|mark|assign|swap"
)
CHOOSE = r"use|take|choose|pick|go\s+with|go\s+for"
TAKE_OFF = "take|knock|shave|cut|chop|slash|drop|trim|get"
AMOUNT = (
    r"(?:about\s+)?(?:[$€£]\s?)?\d[\d.,]*(?:\s?(?:%|[$€£]|k\b)|\s+(?:percent|per cent|"
    r"(?!(?:not|and|now|for|then|instead|please|thanks|thx|pls)\b)[a-z]{3,7}))?"
)
POLITELY = r"\W*(?:(?:please|pls|thanks|thx|thank you|then|now|(?:will|would|could|can) you)\b\W*)*"
BY_NUMBER = rf"(?:by\s+)?(?P<value>{AMOUNT}){POLITELY}"
END_OF = r"(?:the\s+(?:very\s+)?(?:end|back|bottom)\s+of\s+)?"
MISSING = r"(?:missing|empty|blank|not\s+(?:there|set))"
WRONG = (
    r"(?:wrong|incorrect|not\s+(?:right|correct|true)|mis-?spel(?:led|t)|mis-?typed|mistaken|"
    r"a\s+(?:typo|mistake)|out\s?dated|out\s+of\s+date)"
)
DONE = {"archive": "archived", "publish": "published", "unpublish": "unpublished", "list": "listed"}
AS = "(?:as|for|in|into)"
THE = r"(?:(?:the|its|my|this|that|a|an|our|his|her|their)\s+)?(?:\w+'s\s+)?"
BECOMES = (
    r"(?:(?:set|put|changed|updated|lowered|raised|reduced|up|down|in|back|over)\s+)?"
    r"(?:to\s+(?:be|say|read|become)\b|(?:to|as|at|into|with)\b)"
)
TO = rf"(?:\s+{BECOMES}|\s*(?::|=|->|→))(?:\s*:)?\s*"
OUGHT_TO = (
    rf"(?:{MODAL}\s+(?:(?:be|been|say|said|read|become)(?:\s+{CHANGED}{INTO})?|{COMES})"
    rf"|(?:please\s+|kindly\s+)?be\s+{CHANGED}{INTO})(?:\s*:\s*|\s+)"
)
OUGHT = rf"\s+{OUGHT_TO}"
SAYING = r"\s+(?:saying|that\s+says|that)\s+(?:that\s+)?"
