"""Days and relations as people write them on a form in the United States."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date

_SLASHES = re.compile(r"(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})")
_CENTURY = 2000
FAMILY: Mapping[str, str] = {
    r"(?:mother|father|parent)s?[- ]in[- ]law": "parent_in_law",
    r"(?:domestic|registered) partner": "domestic_partner",
    r"designated person": "designated_person",
    r"next of kin": "next_of_kin",
    r"(?:grand(?:mother|father|parent|ma|pa)|granny|nana)": "grandparent",
    r"grand(?:child|son|daughter)": "grandchild",
    r"(?:(?:half|step)[- ]?)?(?:sister|brother|sibling)": "sibling",
    r"(?:spouse|husband|wife)": "spouse",
    r"(?:step[- ]?|foster )?(?:mother|father|parent|mom|mum|dad)": "parent",
    r"(?:step[- ]?|foster )?(?:son|daughter|child|kid|baby)": "child",
    r"(?:friend|neighbou?r|cousin|uncle|aunt|niece|nephew|roommate)": "other",
}
"""Words for family members, and what they are here; longer words come before those in them."""


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


def relation_as_written(value: object) -> object:
    """`Mother in law` as `parent_in_law`; what is no word for a relation stays as is."""
    if not isinstance(value, str):
        return value
    text = re.sub(r"^(?:my|his|her|their|the)\s+", "", " ".join(value.lower().split()))
    for words, relation in FAMILY.items():
        if re.fullmatch(words, text):
            return relation
    return value
