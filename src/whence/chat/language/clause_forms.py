"""The forms of a change in English, made with a pack's words for its fields.

`field` and `value` are the groups of every form; forms are tried in their order, the narrow first.
"""

from __future__ import annotations

import re

from whence.chat.language.form_words import (
    AMOUNT,
    AS,
    BY_NUMBER,
    CHOOSE,
    CLEAR,
    CLEARED,
    DONE,
    END_OF,
    LOWER,
    MISSING,
    OUGHT,
    OUGHT_TO,
    POLITELY,
    RAISE,
    SAYING,
    SET,
    TAKE_OFF,
    THE,
    TO,
    WRONG,
    Operation,
)
from whence.chat.language.obligations import (
    CHANGED,
    CHANGING,
    COMES,
    DOWN_BY,
    INTO,
    MODAL,
    NEEDS,
    UP_BY,
)
from whence.chat.language.obligations import CLEARED as DONE_AWAY

MAX_LEAD_CHARACTERS = 120
"""Characters before a change in its part of a message; so that reading takes no longer with it."""


class Forms:
    """The forms of a change, made with a pack's words for its fields."""

    def __init__(self, fields: str) -> None:
        named = rf"{THE}(?P<field>{fields})\b"
        self.named = re.compile(rf"\b(?:{fields})\b")
        lead = rf"(?:.{{0,{MAX_LEAD_CHARACTERS}}}?\b)??"
        is_wrong = rf"(?:'s|\s+(?:is|was|has|looks|got))\s+(?:\w+\s+){{0,3}}?{WRONG}"
        down = "(?:mark|bring|take|knock|move|push|put)"
        ought = rf"(?:{MODAL}\s+)?"
        self.forms: tuple[tuple[Operation, re.Pattern[str]], ...] = tuple(
            (way, re.compile(form, re.S))
            for way, form in (
                (Operation.UP, rf"{lead}{named}\s+{ought}{UP_BY}\s+{BY_NUMBER}"),
                (Operation.DOWN, rf"{lead}{named}\s+{ought}{DOWN_BY}\s+{BY_NUMBER}"),
                (
                    Operation.CLEAR,
                    rf"{lead}{named}\s+{ought}be\s+{DONE_AWAY}(?P<value>){CLEARED}\W*",
                ),
                (
                    Operation.SET,
                    rf"{lead}{named}\s+{NEEDS}\s+{CHANGING}(?:\s+(?:to|as|at)\s+(?P<value>.+))?",
                ),
                (Operation.UP, rf"{lead}(?:{RAISE})\s+{named}\s+{BY_NUMBER}"),
                (Operation.UP, rf"{lead}(?:{RAISE})\s+{named}\s+by\s+(?P<value>.+)"),
                (Operation.DOWN, rf"{lead}(?:{LOWER})\s+{named}\s+{BY_NUMBER}"),
                (Operation.DOWN, rf"{lead}(?:{LOWER})\s+{named}\s+by\s+(?P<value>.+)"),
                (
                    Operation.DOWN,
                    (
                        rf"{lead}(?:{TAKE_OFF})\s+(?P<value>{AMOUNT})\s+(?:off|from)\s+(?:of\s+)?"
                        rf"{named}\W*"
                    ),
                ),
                (
                    Operation.ADD,
                    rf"{lead}(?:add|append|put)\s+(?P<value>.+?)\s+(?:to|into|on|at)\s+{END_OF}{named}\W*",
                ),
                (
                    Operation.ADD,
                    rf"{lead}(?:add|append)\s+to\s+{named}(?:{TO}|{SAYING}|\s+)(?P<value>.+)",
                ),
                (Operation.ADD, rf"{lead}(?:add|append)\s+(?P<value>.+?)\s+in\s+{named}\W*"),
                (
                    Operation.ADD,
                    rf"{lead}(?:add|append)\s+{named}(?:{TO}|{SAYING}|\s+)(?P<value>.+)",
                ),
                (
                    Operation.ADD,
                    rf"{lead}{named}\s+{MODAL}\s+(?:mention|include|contain|state)\s+(?P<value>.+)",
                ),
                (
                    Operation.CLEAR,
                    rf"{lead}take\s+{named}\s+(?:off|out|away)(?P<value>){CLEARED}\W*",
                ),
                (Operation.DOWN, rf"{lead}{down}\s+{named}\s+down\s+{BY_NUMBER}"),
                (
                    Operation.SET,
                    (
                        rf"{lead}{named}(?:'s|\s+is)\s+{MISSING}\s*[,;.:–-]+\s*(?:so\s+|please\s+)*"
                        rf"(?:{SET}|{CHOOSE})\s+(?:it\s+(?:to|as)\s+|in\s+)?(?P<value>.+)"
                    ),
                ),
                (
                    Operation.SET,
                    (
                        rf"{lead}(?:it|this|that)(?:'s|\s+is)\s+(?P<value>{AMOUNT})"
                        rf"(?:,?\s+not\s+\S+)?\s+(?:for|as|on)\s+{named}{POLITELY}"
                    ),
                ),
                (
                    Operation.SET,
                    rf"{lead}(?:{SET})\s+{named}\s+so\s+(?:that\s+)?it\s+(?:reads|says|is)\s+(?P<value>.+)",
                ),
                (Operation.SET, rf"{lead}{named}\s+from\s+.+?\s+to\s+(?P<value>.+)"),
                (
                    Operation.SET,
                    (
                        rf"{lead}(?:(?:{SET}|wrong|incorrect|(?:typo|mistake)\s+in)\s+{named}|{THE}(?P<field2>{fields})"
                        rf"{is_wrong})\s*[,.;:!–-]+\s*(?:and\s+|so\s+)?(?:it|this|that)?"
                        rf"(?:'s\s+|\s*is\s+|\s*{OUGHT_TO})(?P<value>.+)"
                    ),
                ),
                (Operation.SET, rf"{lead}{named}(?:{OUGHT}|{TO})(?P<value>.+)"),
                (
                    Operation.SET,
                    (
                        rf"{lead}(?:have|let|make|get|want|need|like)\s+{named}\s+(?:say|read|"
                        rf"be)\s+"
                        r"(?P<value>.+)"
                    ),
                ),
                (
                    Operation.SET,
                    (
                        rf"{lead}(?:to|at|go|do|say|try|with)\s+(?P<value>{AMOUNT})\s+(?:on|for|as)"
                        rf"\s+{named}{POLITELY}"
                    ),
                ),
                (
                    Operation.SET,
                    rf"{lead}(?:swap|exchange|switch|replace)\s+{named}\s+(?:for|by)\s+(?P<value>.+)",
                ),
                (
                    Operation.SET,
                    rf"{lead}(?:put|set|turn|switch)\s+{named}\s+(?:back\s+)?on\s+(?P<value>.+)",
                ),
                (
                    Operation.SET,
                    rf"{lead}make\s+{named}\s+(?:more\s+\w+|\w+er)\s*:\s*(?P<value>.+)",
                ),
                (
                    Operation.SET,
                    (
                        rf"{lead}(?:{SET})\s+{named}\s+(?:a\s+\w+|slightly)[,\s]+(?:say|to|maybe)\s+"
                        rf"(?P<value>{AMOUNT}){POLITELY}"
                    ),
                ),
                (Operation.CLEAR, rf"{lead}(?:{CLEAR})\s+(?:out\s+)?{named}(?P<value>){CLEARED}"),
                (
                    Operation.SET,
                    rf"{lead}(?:{SET}|{CHOOSE})\s+(?P<value>\S.*?)\s+{AS}\s+{named}{POLITELY}",
                ),
                (
                    Operation.SET,
                    rf"{lead}{named}\s+(?:it|this|that|them)\s+(?:at|to|for)\s+(?P<value>.+)",
                ),
                (
                    Operation.SET,
                    rf"{lead}(?:{SET}|{CHOOSE})\s+{named}\s+(?P<value>[\d$€£\ufffc].*)",
                ),
                (
                    Operation.SET,
                    rf"(?:.*\bso\s+)?{THE}(?P<field>{fields})\s+(?P<value>[\d$€£\ufffc].*)",
                ),
                (
                    Operation.SET,
                    rf"(?:.*\bso\s+)?{THE}(?P<field>{fields})\s+(?P<value>(?=\S*\d)\S+){POLITELY}",
                ),
                (Operation.SET, rf"{lead}{named}{is_wrong}(?P<value>)\b.*"),
            )
        )
        self.renamed = re.compile(
            rf"{lead}(?:rename|retitle)\s+(?:it|this|that|{THE}\w+)\s+(?:to|as)\s+(?P<value>.+)",
            re.S,
        )
        this = rf"(?:it|this|that|them|{THE}(?:item|record))"
        self.unnamed: tuple[tuple[Operation, re.Pattern[str]], ...] = tuple(
            (way, re.compile(form, re.S))
            for way, form in (
                (Operation.UP, rf"{lead}{this}\s+{ought}{UP_BY}\s+{BY_NUMBER}"),
                (Operation.DOWN, rf"{lead}{this}\s+{ought}{DOWN_BY}\s+{BY_NUMBER}"),
                (
                    Operation.ADD,
                    (
                        rf"{lead}(?:add|append|put)\s+(?P<value>.+?)\s+(?:to|on|at)\s+{END_OF}(?:it|this|that)"
                        rf"{POLITELY}"
                    ),
                ),
                (
                    Operation.SET,
                    rf"{lead}{this}\s+{ought}(?:be|been)\s+{CHANGED}(?:{INTO})?\s+(?P<value>.+)",
                ),
                (Operation.SET, rf"{lead}{this}\s+{MODAL}\s+{COMES}\s+(?P<value>.+)"),
                (
                    Operation.SET,
                    (
                        rf"{lead}(?:{SET})\s+{this}\s+(?:a\s+\w+|slightly)[,\s]+(?:say|to|maybe)\s+"
                        rf"(?P<value>{AMOUNT}){POLITELY}"
                    ),
                ),
                (Operation.DOWN, rf"{lead}{down}\s+{this}\s+down\s+{BY_NUMBER}"),
                (Operation.UP, rf"{lead}(?:{RAISE})\s+{this}\s+{BY_NUMBER}"),
                (Operation.DOWN, rf"{lead}(?:{LOWER})\s+{this}\s+{BY_NUMBER}"),
                (
                    Operation.DOWN,
                    rf"{lead}(?:{TAKE_OFF})\s+(?P<value>{AMOUNT})\s+off(?:\s+(?:of\s+)?{this})?\W*",
                ),
                (
                    Operation.DOWN,
                    rf"{lead}make\s+{this}\s+(?P<value>{AMOUNT})\s+(?:cheaper|less|lower)\W*",
                ),
                (
                    Operation.UP,
                    (
                        rf"{lead}make\s+{this}\s+(?P<value>{AMOUNT})\s+(?:dearer|more expensive|"
                        rf"more|"
                        r"higher)\W*"
                    ),
                ),
                (
                    Operation.SET,
                    (
                        rf"{lead}(?:{SET}|take|bring|get|move|push|knock|keep|leave|hold)(?:\s+{this}|"
                        r"(?=\s+(?:to|as)\s))"
                        r"(?:\s+(?:down|up|in|back))*(?:\s+(?:to|as|at))?\s+(?P<value>.+)"
                    ),
                ),
                (
                    Operation.SET,
                    (
                        rf"{lead}(?:do|call\s+it|say|try|{CHOOSE}|settle\s+(?:on|for)|"
                        rf"stick\s+(?:with|to)|"
                        rf"meant|go\s+(?:back\s+|down\s+|"
                        rf"up\s+)?to)\s+(?:at\s+)?(?P<value>{AMOUNT})\b.*"
                    ),
                ),
            )
        )
        self.asked = re.compile(
            rf"{lead}(?:(?:want|ask(?:ing)?|charge|have|get|take|need|like)\s+(?P<wanted>{AMOUNT})"
            rf"\s+for\s+{this}|(?:list|sell|offer|price)\s+{this}\s+(?:at|for)\s+"
            rf"(?P<value>{AMOUNT}))\b.*",
            re.S,
        )
        self.done = re.compile(rf"{lead}(?P<verb>{'|'.join(DONE)})\s+{this}(?:\s+one)?\W*", re.S)
        self.stated = re.compile(
            rf"{lead}{named}(?:'s|\s+(?:is|was))\s+(?:now\s+)?(?!{MISSING}\b)(?P<value>.+)", re.S
        )
        self.other = re.compile(
            rf"{lead}(?:{SET}|{CLEAR})\s+{THE}(?!(?:of|it|this|that|my mind)\b)"
            r"(?P<named>[a-z][\w\s-]{0,40}?)(?:\s+(?:to|as|at|by)\s+.+|\s*[:=]\s*.+|\W*)",
            re.S,
        )
        plainly = rf"{THE}(?:{fields})\b"
        self.begins = re.compile(
            rf"(?:please\s+|also\s+|then\s+|and\s+)*(?:(?:{SET}|{CLEAR}|add|append)\s+{plainly}"
            rf"|(?:mark|make|rename|retitle)\s+(?:it|this|that)\b|{plainly}(?:{TO}|{OUGHT}|"
            rf"\s+[\d$€£\ufffc]))"
        )
