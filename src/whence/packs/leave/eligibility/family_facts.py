"""Who the other person is, for each law: one answer on the relation serves both."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta

from whence.packs.leave.records import LeaveRequest, OpenFact, Reason, Relation

from .days import add_months
from .fact import Fact, word_fact
from .words import RELATIONS, day

NEAR = (Relation.SPOUSE, Relation.CHILD, Relation.PARENT, Relation.NEXT_OF_KIN)
"""Relations of 29 CFR 825.127(d) that need no more to be known."""
NOT_BLOOD = (Relation.DOMESTIC_PARTNER, Relation.PARENT_IN_LAW)
"""Never next of kin by being the nearest blood relative."""
VETERAN_MONTHS = 60
"""Five years from the discharge to the first day of such leave, 29 CFR 825.127(b)(2)."""
NOT_COUNTED_FROM, NOT_COUNTED_TO = date(2009, 10, 28), date(2013, 3, 8)
"""Time that is left out of those five years, 29 CFR 825.127(b)(2)(i)."""

NOT_NAMED = Fact(
    ("relation",),
    f"{RELATIONS[Relation.OTHER]}; not stated as the designated person",
    word=Relation.OTHER,
    missing=("relation",),
    may_be=(Relation.DESIGNATED_PERSON,),
    open_words="whether the employee names this person as designated person",
)
"""A cousin or a friend: no relative of CFRA, but the employee may name anybody who is related by
blood or like family when asking for the leave (Gov. Code 12945.2(b)(2))."""


def family_facts(request: LeaveRequest) -> Mapping[str, Fact]:
    """The facts about the other person."""
    return {
        "child_counts": _child(request),
        "caregiver_family": _caregiver_family(request),
        "named_relation": _named_relation(request),
        "second_designated": Fact(
            ("designated_person_named",),
            "",
            is_true=bool(request.designated_person_named)
            and request.relation is Relation.DESIGNATED_PERSON,
        ),
        "designated_not_limited": _designated_not_limited(request),
        "veteran": Fact(("veteran",), "", is_true=_may_be_veteran(request)),
        "veteran_in_time": _veteran(request),
    }


def _child(request: LeaveRequest) -> Fact:
    adult, cared = request.child_is_adult, request.child_needs_care
    if adult is False:
        return Fact(("child_is_adult",), "under 18", is_true=True)
    if cared is True:
        return Fact(("child_needs_care",), "cannot care for themself", is_true=True)
    if adult is True and cared is False:
        return Fact(("child_is_adult", "child_needs_care"), "18 or older", is_true=False)
    missing = ("child_is_adult",) if adult is None else ("child_needs_care",)
    return Fact(("child_is_adult",), "not known", missing=missing)


def _caregiver_family(request: LeaveRequest) -> Fact:
    """Spouse, child, parent or next of kin; a sibling is next of kin where nobody is nearer."""
    relation, kin = request.relation, request.next_of_kin
    fields = ("relation", "next_of_kin")
    if relation is None:
        return Fact(("relation",), "not known", missing=("relation",))
    words = RELATIONS[relation]
    if relation in NEAR:
        return Fact(("relation",), words, is_true=True)
    if kin:
        return Fact(fields, f"{words}, next of kin", is_true=True)
    if kin is None and relation not in NOT_BLOOD:
        text = f"{words}; whether the employee is next of kin is not known"
        return Fact(("relation",), text, missing=("next_of_kin",))
    return Fact(fields if kin is False else ("relation",), words, is_true=False)


def _named_relation(request: LeaveRequest) -> Fact:
    """The relation that CFRA looks at: `next of kin` alone does not say which one it is."""
    is_kin = request.relation is Relation.NEXT_OF_KIN
    if is_kin and request.reason is Reason.MILITARY_CAREGIVER:
        text = "next of kin; how they are related is not known"
        return Fact(("relation",), text, missing=("relation",))
    if request.relation is Relation.OTHER:
        return NOT_NAMED
    return word_fact("relation", request.relation, RELATIONS)


def _designated_not_limited(request: LeaveRequest) -> Fact:
    """An employer may limit designated persons to one in 12 months (Gov. Code 12945.2(b)(2))."""
    fields, limited = ("designated_person_limited",), request.designated_person_limited
    if limited is None:
        text = "another was named before; whether the employer limits it to one is not known"
        return Fact(fields, text, missing=fields)
    text = "another was named in the last 12 months, and the employer "
    return Fact(fields, text + ("allows one" if limited else "sets no limit"), is_true=not limited)


def _may_be_veteran(request: LeaveRequest) -> bool:
    return bool(request.veteran) or request.is_open(OpenFact.VETERAN)


def _veteran(request: LeaveRequest) -> Fact:
    if request.is_open(OpenFact.VETERAN):
        text = "not known whether the servicemember is a veteran"
        return Fact(("veteran",), text, missing=("veteran",))
    first = request.caregiver_leave_began or request.starts_on
    discharged = request.discharged_on
    fields = ("discharged_on", "starts_on")
    if request.dishonorable:
        return Fact(("dishonorable",), "a dishonorable discharge", is_true=False)
    if discharged is None or first is None:
        missing = tuple(name for name in fields if getattr(request, name) is None)
        return Fact(fields, "not known", missing=missing)
    text = f"discharged on {day(discharged)}"
    return Fact(fields, text, is_true=discharged <= first <= _five_years(discharged))


def _five_years(discharged: date) -> date:
    last = add_months(discharged, VETERAN_MONTHS)
    if discharged < NOT_COUNTED_TO:
        last += timedelta(days=(NOT_COUNTED_TO - max(discharged, NOT_COUNTED_FROM)).days)
    return last
