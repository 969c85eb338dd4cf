"""Days that people tell without naming a field: `the baby came on June 2`, `she is back August 10`.

Each expression is that of a whole sentence with a day in it.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from whence.sdk.chat import read_day

_MONTHS = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_WEEKDAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_DAY = (
    rf"(?:\b{_MONTHS}\.? \d{{1,2}}(?:st|nd|rd|th)?\b|\b\d{{1,2}}(?:st|nd|rd|"
    rf"th)? (?:of )?{_MONTHS}\b|"
    rf"\b\d{{4}}-\d\d-\d\d\b|\b\d{{1,2}}/\d{{1,2}}(?:/\d{{2,4}})?\b|"
    rf"\b(?:today|yesterday|tomorrow)\b|\b(?:(?:next|last) )?{_WEEKDAYS}\b)"
)
_WITH_A_DAY = rf"(?=.*{_DAY})"
_CHILD = r"(?:bab(?:y|ies)|child(?:ren)?|kid|twins?|newborn|daughter|son)"
_BIRTH = r"(?:came|comes|born|arriv\w+|is here|here since|delivered|placed)"
_PROOF = r"(?:certif\w*|paperwork|papers?|forms?|(?:doctor'?s?|dr\.?|medical) (?:note|form)s?|note)"
_GIVEN = (
    r"(?:gave|given|brought|handed|turned in|submitted|sent|got|received|came(?: in)?|arrived|"
    r"provided|is in)"
)
BACK = (
    (
        rf"{_WITH_A_DAY}.*\b(?:(?:comes?|coming|be|is|are|gets?|will be|start\w*) back|returns?|"
        rf"returning|"
        r"first day back)\b"
    ),
)
BORN = (
    rf"{_WITH_A_DAY}.*\b{_CHILD}\b.*\b{_BIRTH}\b",
    rf"{_WITH_A_DAY}.*\b(?:gave birth|had (?:the|her|our) baby)\b",
)
_BY_EMPLOYER = (
    r"\W*(?:hr|human resources|we|i|(?:the|her|his|their|our|my) (?:employer|company|boss|manager|"
    r"office|supervisor))\b.{0,20}\b(?:gave|handed|sent|mailed|e-?mailed|asked|requested|told)\b"
)
ASKED = (rf"{_WITH_A_DAY}{_BY_EMPLOYER}.*\b{_PROOF}\b",)
"""The employer handed out the form, which asks for the certification."""
PROVEN = (
    rf"{_WITH_A_DAY}(?!{_BY_EMPLOYER}).*\b{_GIVEN}\b.*\b{_PROOF}\b",
    rf"{_WITH_A_DAY}(?!{_BY_EMPLOYER}).*\b{_PROOF}\b.*\b{_GIVEN}\b",
)
"""Not `asked for the certification on ...`, which is another day."""
_RETURN = re.compile(r"\b(?:back|returns?|returning)\b", re.I)


def told_day(words: str, today: date, near: date | None) -> date | None:
    """The one day in a sentence; of the day of return the one before it, the last of the leave."""
    days = {
        day
        for match in re.finditer(_DAY, words, re.I)
        if (day := read_day(match[0], today, near)) is not None
    }
    if len(days) != 1:
        return None
    day = days.pop()
    return day - timedelta(days=1) if _RETURN.search(words) else day
