"""The result of a request in one line: each law once, and no leave promised that is used up."""

from __future__ import annotations

from collections.abc import Sequence

from .assessing import Eligibility, LawAssessment
from .entitlement import LawLeave
from .other_laws import OtherLaw
from .words import LAWS, day, join_words

NONE = "Does not appear eligible under these laws"


def headline(
    assessed: Sequence[LawAssessment], leave: Sequence[LawLeave], other: OtherLaw | None = None
) -> str:
    """`Appears eligible under FMLA and CFRA`, with what is later, used up or not known."""
    if other is not None:
        return f"{NONE}. {other.title} is under {other.law}"
    exhausted = {one.law for one in leave if one.is_exhausted}
    open_laws = [one for one in assessed if one.law not in exhausted]
    parts = [
        _laws("appears eligible under", open_laws, Eligibility.APPEARS_ELIGIBLE),
        *(
            f"appears eligible under {LAWS[one.law]} from {day(one.since)} on"
            for one in open_laws
            if one.eligibility is Eligibility.APPEARS_LATER and one.since
        ),
        _used_up([one for one in assessed if one.law in exhausted]),
        _laws("cannot be determined yet for", open_laws, Eligibility.UNDETERMINED),
    ]
    text = "; ".join(part for part in parts if part)
    return f"{text[:1].upper()}{text[1:]}" if text else NONE


def _laws(words: str, assessed: Sequence[LawAssessment], wanted: Eligibility) -> str:
    names = [LAWS[one.law] for one in assessed if one.eligibility is wanted]
    return f"{words} {join_words(names)}" if names else ""


def _used_up(assessed: Sequence[LawAssessment]) -> str:
    names = [LAWS[one.law] for one in assessed]
    return f"no leave is left under {join_words(names)}" if names else ""
