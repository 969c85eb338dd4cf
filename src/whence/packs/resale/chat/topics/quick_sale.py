"""Questions for a price at which an item sells soon: `what do I ask to have it gone by Friday`."""

from __future__ import annotations

import re

_DAY = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|the end|"
    r"(?:the|this|next) (?:weekend|week|month))"
)
_SOON = (
    r"(?:quick(?:ly)?|quicker|fast(?:er)?|soon|asap|a\.?s\.?a\.?p|right away|straight away|"
    r"immediately|at once|in a hurry|today|tonight|tomorrow|(?:this|next) (?:week|weekend|month)|"
    rf"(?:by|before|until|till) {_DAY}|"
    r"(?:in|within|under) (?:an?|one|two|three|four|five|\d+|a few|a couple(?: of)?) "
    r"(?:hours?|days?|weeks?))"
)
_GONE = (
    r"(?:to (?:sell|move|shift|go)|(?:sell|move|shift) (?:it|this|them)|"
    r"(?:it|this|they) (?:sells?|moves?|goes)|"
    r"(?:have|get|want|need|be) (?:(?:it|this|them) )?(?:sold|gone)|"
    r"(?:it|this|them) (?:sold|gone)|rid of (?:it|this|them))"
)
_PRICE = r"(?:what|how much|how (?:low|cheap|far down)|price|ask|list|charge|lowest|cheap)"
QUICK_SALE = (
    r"^(?!\W*(?:(?:and|so|but|ok)\W+)*how (?:fast|quick|quickly|soon|long|likely)\b)"
    rf"(?=.*\b{_PRICE}\b)"
    rf"(?:.*\b{_GONE}\b(?! for\b).{{0,24}}\b{_SOON}|.*\b{_SOON}\W+(?:sale|sell)\b)"
)


def is_in_a_hurry(question: str) -> bool:
    """Whether a question asks for the price of a quick sale."""
    return re.search(QUICK_SALE, question, re.IGNORECASE | re.DOTALL) is not None
