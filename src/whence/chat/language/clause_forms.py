"""The forms of a change in English, made with a pack's words for its fields.

`field` and `value` are the groups of every form; forms are tried in their order, the narrow first.
"""

from __future__ import annotations

import re
from enum import Enum, auto

from whence.chat.language.obligations import (
    CHANGED,
    CHANGING,
    CLEARED,
    COMES,
    DOWN_BY,
    INTO,
    MODAL,
    NEEDS,
    UP_BY,
)

MOST_BEFORE = 120
"""Characters before a change in its part of a message; so that reading takes no longer with it."""


class Way(Enum):
    SET = auto()
    CLEAR = auto()
    UP = auto()
    """By an amount or a share."""
    DOWN = auto()
    ADD = auto()


_RAISE = "raise|increase|bump(?: up)?|lift|hike"
_LOWER = "lower|reduce|decrease|drop|cut|slash"
_CLEAR = (
    "clear|remove|delete|erase|empty|unset|reset|blank|wipe|get rid of|scrap|ditch|strip|"
    "take out|do away with"
)
_CLEARED = r"(?:\s*[,;.!?(].*|\s+(?:please|pls|because|as|since|it|field|now|from|for)\b.*)?"
_SET = (
    f"set|change|update|edit|correct|fix|adjust|modify|amend|make|put|enter|switch|{_RAISE}|"
    f"{_LOWER}|replace|rename|retitle|write|mark|assign|swap"
)
_CHOOSE = r"use|take|choose|pick|go\s+with|go\s+for"
_TAKE_OFF = "take|knock|shave|cut|chop|slash|drop|trim|get"
_AMOUNT = (
    r"(?:about\s+)?(?:[$€£]\s?)?\d[\d.,]*(?:\s?(?:%|[$€£]|k\b)|\s+(?:percent|per cent|[a-z]{3,7}))?"
)
_POLITELY = r"\W*(?:(?:please|pls|thanks|thank you|then|now|(?:will|would|could|can) you)\b\W*)*"
_BY_NUMBER = rf"(?:by\s+)?(?P<value>{_AMOUNT}){_POLITELY}"
_END_OF = r"(?:the\s+(?:very\s+)?(?:end|back|bottom)\s+of\s+)?"
_WRONG = (
    r"(?:wrong|incorrect|not\s+(?:right|correct|true)|mis-?spel(?:led|t)|mis-?typed|mistaken|"
    r"a\s+(?:typo|mistake)|out\s?dated|out\s+of\s+date)"
)
DONE = {"archive": "archived", "publish": "published", "unpublish": "unpublished", "list": "listed"}
_AS = "(?:as|for|in|into)"
_THE = r"(?:(?:the|its|my|this|that|a|an|our|his|her|their)\s+)?(?:\w+'s\s+)?"
_BECOMES = (
    r"(?:(?:set|put|changed|updated|lowered|raised|reduced|up|down|in|back|over)\s+)?"
    r"(?:to\s+(?:be|say|read|become)\b|(?:to|as|at|into|with)\b)"
)
_TO = rf"(?:\s+{_BECOMES}|\s*(?::|=|->|→))(?:\s*:)?\s*"
_OUGHT_TO = (
    rf"(?:{MODAL}\s+(?:(?:be|been|say|said|read|become)(?:\s+{CHANGED}{INTO})?|{COMES})"
    rf"|(?:please\s+|kindly\s+)?be\s+{CHANGED}{INTO})(?:\s*:\s*|\s+)"
)
_OUGHT = rf"\s+{_OUGHT_TO}"
_SAYING = r"\s+(?:saying|that\s+says|that)\s+(?:that\s+)?"


class Forms:
    """The forms of a change, made with a pack's words for its fields."""

    def __init__(self, fields: str) -> None:
        named = rf"{_THE}(?P<field>{fields})\b"
        self.named = re.compile(rf"\b(?:{fields})\b")
        lead = rf"(?:.{{0,{MOST_BEFORE}}}?\b)??"
        is_wrong = rf"(?:'s|\s+(?:is|was|has|looks|got))\s+(?:\w+\s+){{0,3}}?{_WRONG}"
        ought = rf"(?:{MODAL}\s+)?"
        self.forms: tuple[tuple[Way, re.Pattern[str]], ...] = tuple(
            (way, re.compile(form, re.S))
            for way, form in (
                (Way.UP, rf"{lead}{named}\s+{ought}{UP_BY}\s+{_BY_NUMBER}"),
                (Way.DOWN, rf"{lead}{named}\s+{ought}{DOWN_BY}\s+{_BY_NUMBER}"),
                (Way.CLEAR, rf"{lead}{named}\s+{ought}be\s+{CLEARED}(?P<value>){_CLEARED}\W*"),
                (
                    Way.SET,
                    rf"{lead}{named}\s+{NEEDS}\s+{CHANGING}(?:\s+(?:to|as|at)\s+(?P<value>.+))?",
                ),
                (Way.UP, rf"{lead}(?:{_RAISE})\s+{named}\s+{_BY_NUMBER}"),
                (Way.UP, rf"{lead}(?:{_RAISE})\s+{named}\s+by\s+(?P<value>.+)"),
                (Way.DOWN, rf"{lead}(?:{_LOWER})\s+{named}\s+{_BY_NUMBER}"),
                (Way.DOWN, rf"{lead}(?:{_LOWER})\s+{named}\s+by\s+(?P<value>.+)"),
                (
                    Way.DOWN,
                    (
                        rf"{lead}(?:{_TAKE_OFF})\s+(?P<value>{_AMOUNT})\s+(?:off|from)\s+(?:of\s+)?"
                        rf"{named}\W*"
                    ),
                ),
                (
                    Way.ADD,
                    rf"{lead}(?:add|append|put)\s+(?P<value>.+?)\s+(?:to|into|on|at)\s+{_END_OF}{named}\W*",
                ),
                (
                    Way.ADD,
                    rf"{lead}(?:add|append)\s+to\s+{named}(?:{_TO}|{_SAYING}|\s+)(?P<value>.+)",
                ),
                (Way.ADD, rf"{lead}(?:add|append)\s+(?P<value>.+?)\s+in\s+{named}\W*"),
                (Way.ADD, rf"{lead}(?:add|append)\s+{named}(?:{_TO}|{_SAYING}|\s+)(?P<value>.+)"),
                (Way.SET, rf"{lead}{named}\s+from\s+.+?\s+to\s+(?P<value>.+)"),
                (
                    Way.SET,
                    (
                        rf"{lead}(?:(?:{_SET}|wrong|incorrect)\s+{named}|{_THE}(?P<field2>{fields})"
                        rf"{is_wrong})\s*[,.;:–-]+\s*(?:and\s+|so\s+)?(?:it|this|that)?"
                        rf"(?:'s\s+|\s*is\s+|\s*{_OUGHT_TO})(?P<value>.+)"
                    ),
                ),
                (Way.SET, rf"{lead}{named}(?:{_OUGHT}|{_TO})(?P<value>.+)"),
                (
                    Way.SET,
                    (
                        rf"{lead}(?:have|let|make|get|want|need|like)\s+{named}\s+(?:say|read|"
                        rf"be)\s+"
                        r"(?P<value>.+)"
                    ),
                ),
                (
                    Way.SET,
                    (
                        rf"{lead}(?:to|at|go|do|say|try|with)\s+(?P<value>{_AMOUNT})\s+(?:on|for|as)"
                        rf"\s+{named}{_POLITELY}"
                    ),
                ),
                (
                    Way.SET,
                    rf"{lead}(?:swap|exchange|switch|replace)\s+{named}\s+(?:for|by)\s+(?P<value>.+)",
                ),
                (
                    Way.SET,
                    rf"{lead}(?:put|set|turn|switch)\s+{named}\s+(?:back\s+)?on\s+(?P<value>.+)",
                ),
                (Way.SET, rf"{lead}make\s+{named}\s+(?:more\s+\w+|\w+er)\s*:\s*(?P<value>.+)"),
                (
                    Way.SET,
                    (
                        rf"{lead}(?:{_SET})\s+{named}\s+(?:a\s+\w+|slightly)[,\s]+(?:say|to|maybe)\s+"
                        rf"(?P<value>{_AMOUNT}){_POLITELY}"
                    ),
                ),
                (Way.CLEAR, rf"{lead}(?:{_CLEAR})\s+(?:out\s+)?{named}(?P<value>){_CLEARED}"),
                (Way.SET, rf"{lead}(?:{_SET}|{_CHOOSE})\s+(?P<value>\S.*?)\s+{_AS}\s+{named}\W*"),
                (
                    Way.SET,
                    rf"{lead}{named}\s+(?:it|this|that|them)\s+(?:at|to|for)\s+(?P<value>.+)",
                ),
                (Way.SET, rf"{lead}(?:{_SET}|{_CHOOSE})\s+{named}\s+(?P<value>[\d$€£\ufffc].*)"),
                (Way.SET, rf"(?:.*\bso\s+)?{_THE}(?P<field>{fields})\s+(?P<value>[\d$€£\ufffc].*)"),
                (
                    Way.SET,
                    rf"(?:.*\bso\s+)?{_THE}(?P<field>{fields})\s+(?P<value>(?=\S*\d)\S+){_POLITELY}",
                ),
                (Way.SET, rf"{lead}{named}{is_wrong}(?P<value>)\b.*"),
            )
        )
        self.renamed = re.compile(
            rf"{lead}(?:rename|retitle)\s+(?:it|this|that|{_THE}\w+)\s+(?:to|as)\s+(?P<value>.+)",
            re.S,
        )
        this = rf"(?:it|this|that|them|{_THE}(?:item|record))"
        self.unnamed: tuple[tuple[Way, re.Pattern[str]], ...] = tuple(
            (way, re.compile(form, re.S))
            for way, form in (
                (Way.UP, rf"{lead}{this}\s+{ought}{UP_BY}\s+{_BY_NUMBER}"),
                (Way.DOWN, rf"{lead}{this}\s+{ought}{DOWN_BY}\s+{_BY_NUMBER}"),
                (
                    Way.ADD,
                    (
                        rf"{lead}(?:add|append|put)\s+(?P<value>.+?)\s+(?:to|on|at)\s+{_END_OF}(?:it|this|that)"
                        rf"{_POLITELY}"
                    ),
                ),
                (
                    Way.SET,
                    rf"{lead}{this}\s+{ought}(?:be|been)\s+{CHANGED}(?:{INTO})?\s+(?P<value>.+)",
                ),
                (Way.SET, rf"{lead}{this}\s+{MODAL}\s+{COMES}\s+(?P<value>.+)"),
                (
                    Way.SET,
                    (
                        rf"{lead}(?:{_SET})\s+{this}\s+(?:a\s+\w+|slightly)[,\s]+(?:say|to|maybe)\s+"
                        rf"(?P<value>{_AMOUNT}){_POLITELY}"
                    ),
                ),
                (Way.UP, rf"{lead}(?:{_RAISE})\s+{this}\s+{_BY_NUMBER}"),
                (Way.DOWN, rf"{lead}(?:{_LOWER})\s+{this}\s+{_BY_NUMBER}"),
                (
                    Way.DOWN,
                    rf"{lead}(?:{_TAKE_OFF})\s+(?P<value>{_AMOUNT})\s+off(?:\s+(?:of\s+)?{this})?\W*",
                ),
                (
                    Way.DOWN,
                    rf"{lead}make\s+{this}\s+(?P<value>{_AMOUNT})\s+(?:cheaper|less|lower)\W*",
                ),
                (
                    Way.UP,
                    (
                        rf"{lead}make\s+{this}\s+(?P<value>{_AMOUNT})\s+(?:dearer|more expensive|"
                        rf"more|"
                        r"higher)\W*"
                    ),
                ),
                (
                    Way.SET,
                    (
                        rf"{lead}(?:{_SET}|take|bring|get|move|push|knock|keep|leave|hold)\s+{this}"
                        r"(?:\s+(?:down|up|in|back))*(?:\s+(?:to|as|at))?\s+(?P<value>.+)"
                    ),
                ),
                (
                    Way.SET,
                    (
                        rf"{lead}(?:do|call\s+it|say|try|{_CHOOSE}|settle\s+(?:on|for)|"
                        rf"stick\s+(?:with|to)|"
                        rf"meant|go\s+(?:back\s+|down\s+|"
                        rf"up\s+)?to)\s+(?:at\s+)?(?P<value>{_AMOUNT})\b.*"
                    ),
                ),
            )
        )
        self.asked = re.compile(
            rf"{lead}(?:(?:want|ask(?:ing)?|charge|have|get|take|need|like)\s+(?P<wanted>{_AMOUNT})"
            rf"\s+for\s+{this}|(?:list|sell|offer|price)\s+{this}\s+(?:at|for)\s+"
            rf"(?P<value>{_AMOUNT}))\b.*",
            re.S,
        )
        self.done = re.compile(rf"{lead}(?P<verb>{'|'.join(DONE)})\s+{this}(?:\s+one)?\W*", re.S)
        self.stated = re.compile(
            rf"{lead}{named}(?:'s|\s+(?:is|was))\s+(?:now\s+)?(?P<value>.+)", re.S
        )
        self.other = re.compile(
            rf"{lead}(?:{_SET}|{_CLEAR})\s+{_THE}(?!(?:of|it|this|that|my mind)\b)"
            r"(?P<named>[a-z][\w\s-]{0,40}?)(?:\s+(?:to|as|at|by)\s+.+|\s*[:=]\s*.+|\W*)",
            re.S,
        )
        plainly = rf"{_THE}(?:{fields})\b"
        self.begins = re.compile(
            rf"(?:please\s+|also\s+|then\s+|and\s+)*(?:(?:{_SET}|{_CLEAR}|add|append)\s+{plainly}"
            rf"|(?:mark|make|rename|retitle)\s+(?:it|this|that)\b|{plainly}(?:{_TO}|{_OUGHT}|"
            rf"\s+[\d$€£\ufffc]))"
        )
