"""Days and relations as people write them on a form in the United States."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date

_SLASHES = re.compile(r"(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})")
_CENTURY = 2000
_IN_LAW = r"[- ]in[- ]law"
_FORMER = r"(?:ex|former|late)[- ]"
FAMILY: Mapping[str, str] = {
    rf"(?:mother|father|parent)s?{_IN_LAW}": "parent_in_law",
    rf"\w+{_IN_LAW}": "other",
    rf"{_FORMER}(?:spouse|husband|wife|partner)": "other",
    r"great[- ](?:grand)?(?:mother|father|parent|ma|pa|aunt|uncle|child|son|daughter)": "other",
    r"(?:domestic|registered) partner": "domestic_partner",
    r"designated person": "designated_person",
    r"next of kin": "next_of_kin",
    r"(?:grand(?:mother|father|parent|ma|pa)|granny|nana)": "grandparent",
    r"grand(?:child|son|daughter)": "grandchild",
    r"(?:(?:half|step)[- ]?)?(?:sister|brother|sibling)": "sibling",
    r"(?:spouse|husband|wife)": "spouse",
    r"(?:step[- ]?|foster )?(?:mother|father|parent|mom|mum|dad)": "parent",
    r"(?:step[- ]?|foster )?(?:son|daughter|child|kid|baby)": "child",
    (
        r"(?:(?:best|close|good|old|family) )?"
        r"(?:friend|neighbou?r|cousin|uncle|aunt|auntie|niece|nephew|roommate|housemate|boyfriend|"
        r"girlfriend|fianc[eé]e?|god(?:mother|father|parent|child|son|daughter)|colleague|"
        r"co-?worker)"
    ): "other",
}
"""Words for family members, and what they are here; longer words come before those in them."""
_OF_ANOTHER: Mapping[tuple[str, str], str] = {
    ("spouse", "parent"): "parent_in_law",
    ("domestic_partner", "parent"): "parent_in_law",
    ("spouse", "child"): "child",
    ("domestic_partner", "child"): "child",
    ("parent", "parent"): "grandparent",
    ("parent", "child"): "sibling",
    ("child", "child"): "grandchild",
}
"""What somebody is who is related to a relative: `my wife's mother`."""
_RELATIVE = re.compile(
    "|".join(rf"(?P<r{at}>\b(?:{words})s?\b)" for at, words in enumerate(FAMILY))
)
_POSSESSIVE = re.compile(r"['’]s?\s+(?:[\w-]+\s+){0,2}")


def day_as_written(value: object) -> object:
    """`12/10/2026` and `12-10-26` as December 10, 2026: the month is first; others stay as is."""
    match = _SLASHES.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        return value
    month, day, year = int(match[1]), int(match[2]), int(match[3])
    try:
        return date(year if len(match[3]) == len("2026") else _CENTURY + year, month, day)
    except ValueError:
        return value


def relation_in(text: str) -> str | None:
    """The first relation in a text in lower case: `her husband's father` as `parent_in_law`."""
    matches = list(_RELATIVE.finditer(text))
    if not matches:
        return None
    relation, end = _relation(matches[0]), matches[0].end()
    for match in matches[1:]:
        if not _POSSESSIVE.fullmatch(text[end : match.start()]):
            break
        relation, end = _OF_ANOTHER.get((relation, _relation(match)), "other"), match.end()
    return relation


def relation_as_written(value: object) -> object:
    """`Mother in law` as `parent_in_law`; what is no word for a relation stays as is."""
    if not isinstance(value, str):
        return value
    text = re.sub(r"^(?:my|his|her|their|the)\s+", "", " ".join(value.lower().split()))
    parts = re.split(r"['’]s?\s+", text)
    if all(any(re.fullmatch(words, part) for words in FAMILY) for part in parts):
        return relation_in(text)
    return value


def _relation(match: re.Match[str]) -> str:
    assert match.lastgroup is not None
    return list(FAMILY.values())[int(match.lastgroup.removeprefix("r"))]
