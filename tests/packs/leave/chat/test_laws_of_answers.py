"""An answer speaks of the laws that may give the leave, and says of each other that it does not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from packs.leave.chat.test_answers import answered
from whence.chat.record_view import RecordView
from whence.packs.leave.records import LeaveRequest

NewRequest = Callable[..., LeaveRequest]
LookAt = Callable[[LeaveRequest], RecordView]
SMALL = {"employees": 30, "employees_within_75_miles": 30}
CARE = {"reason": "family_care", "relation": "parent", **SMALL}
PREGNANT = {"reason": "pregnancy_disability", "child_arrives_on": "2026-04-20"}
FMLA_OUT = "FMLA does not appear to give this leave (covered employer and employees near"


@pytest.mark.parametrize(
    ("question", "section"),
    [
        ("can my employer call my doctor?", "2 CCR 11091(b)(1)-(2)"),
        ("am I a key employee who can lose the job?", "no exception for key employees"),
        ("is she a key employee", "no exception for key employees"),
        ("how often can they ask for recertification?", "12945.2(i)(2), (j)(2)"),
        ("Can they demand a fitness-for-duty certificate?", "12945.2(j)(4)"),
        ("Can the employer ask for a second opinion?", "12945.2(j)(3)"),
        ("Can they fire me for taking leave?", "12945.2(k)"),
        ("How is the leave year counted?", "2 CCR 11090(b)"),
        ("Do I get my old job back?", "2 CCR 11089"),
        ("Can I use my vacation instead of unpaid leave?", "12945.2(c)-(d)"),
    ],
)
def test_an_employer_too_small_for_the_fmla_is_answered_from_california(
    question: str, section: str, a_request: NewRequest, look_at: LookAt
) -> None:
    text = answered(look_at(a_request(**CARE)), question).text
    assert section in text
    assert FMLA_OUT in text
    assert "FMLA (29 CFR" not in text


@pytest.mark.parametrize(
    ("question", "section"),
    [
        ("do holidays count", "29 CFR 825.200(h)"),
        ("Can I work another job while on leave?", "29 CFR 825.216(e)"),
        ("Do I have to report while I am on leave?", "29 CFR 825.311"),
    ],
)
def test_where_cfra_is_silent_the_federal_regulation_is_a_guide(
    question: str, section: str, a_request: NewRequest, look_at: LookAt
) -> None:
    text = answered(look_at(a_request(**CARE)), question).text
    assert text.index(FMLA_OUT) < text.index("2 CCR 11096") < text.index(section)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("How often can a recertification be asked for?", "2 CCR 11050(b) [checked only against"),
        ("Can they demand a fitness-for-duty certificate?", "2 CCR 11050 [checked only against"),
        ("Can they fire me for taking leave?", "CFRA and California pregnancy disability leave ("),
        ("Do I get my old job back?", "2 CCR 11043"),
        ("do holidays count", "For California pregnancy disability leave the rules I have say"),
        ("May my manager call my doctor?", "For California pregnancy disability leave the rules"),
    ],
)
def test_pregnancy_disability_leave_is_answered_or_said_to_be_silent(
    question: str, words: str, a_request: NewRequest, look_at: LookAt
) -> None:
    for more in ({}, SMALL):
        text = answered(look_at(a_request(**PREGNANT, **more)), question).text
        assert words in text
        assert ("FMLA (29 CFR" in text) == (not more)


def test_a_law_that_is_named_answers_and_says_that_it_does_not_apply(
    a_request: NewRequest, look_at: LookAt
) -> None:
    view = look_at(a_request(**CARE))
    text = answered(view, "How often can they ask for recertification under the FMLA?").text
    assert text.index(FMLA_OUT) < text.index("29 CFR 825.308")


@pytest.mark.parametrize(("facts", "is_federal"), [({"relation": "sibling"}, True), (SMALL, False)])
def test_relatives_are_answered_by_every_law_that_may_give_leave_for_somebody(
    facts: dict[str, object], is_federal: bool, a_request: NewRequest, look_at: LookAt
) -> None:
    view = look_at(a_request(**{"reason": "family_care", "relation": "parent", **facts}))
    text = answered(view, "Does it cover care for a grandmother?").text
    assert ("29 CFR 825.112" in text) == is_federal
    assert "Gov. Code 12945.2(b)" in text


def test_under_cfra_alone_no_days_to_mend_a_certification_are_promised(
    a_request: NewRequest, look_at: LookAt
) -> None:
    text = answered(
        look_at(a_request(**CARE)), "How long is there to mend an incomplete certification?"
    ).text
    assert "under CFRA is not confirmed" in text
    assert "not checked against the text" in text
    assert "guide at most" in text
