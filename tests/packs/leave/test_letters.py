"""The employer's notices as drafts: filled from the outcome, blank where facts lack."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from uuid import uuid4

import pytest

from whence.app.platform import Platform
from whence.packs.leave.eligibility.overview import overview
from whence.packs.leave.letters.drafting import BLANK, Letter, letters
from whence.packs.leave.records import LeaveRequest
from whence.packs.leave.tools.draft_notices import Drafts
from whence.records import store as records
from whence.sdk.errors import NotFound

NewRequest = Callable[..., LeaveRequest]


def drafted(request: LeaveRequest) -> dict[str, Letter]:
    return {one.name: one for one in letters(overview(request))}


def test_what_is_known_is_filled_in_and_what_is_not_stays_blank(a_request: NewRequest) -> None:
    draft = drafted(a_request(notice_given_on=date(2026, 1, 20)))
    eligibility = draft["eligibility"].text
    assert "On January 20, 2026 you told us that you need leave from March 2, 2026" in eligibility
    assert "**FMLA:** you are eligible" in eligibility
    assert f"To: {BLANK} (employee)" in eligibility
    assert draft["eligibility"].blanks == eligibility.count(BLANK) > 0
    assert "12 months rolling backward" in draft["rights"].text
    assert "counted under this law up to April 10, 2026: 6 weeks." in draft["designation"].text
    assert all("Not legal advice" in one.text for one in draft.values())


def test_an_employee_who_is_not_eligible_is_told_why_with_the_section(
    a_request: NewRequest,
) -> None:
    text = drafted(a_request(hours_last_12_months=900))["eligibility"].text
    assert "**FMLA:** you are not eligible, because:" in text
    assert "needed is at least 1,250 hours worked" in text
    assert "29 CFR 825.110(a)(2)" in text


def test_the_rights_say_what_follows_from_a_failure(a_request: NewRequest) -> None:
    """29 CFR 825.300(c)(1): the consequences of failing to meet each obligation."""
    text = drafted(a_request())["rights"].text
    assert (
        "Without it we may deny the leave until it is given (29 CFR 825.313; 2 CCR 11091(b))"
        in text
    )
    assert "If you do not meet them, you still have the unpaid leave" in text
    assert "cover may end after a written notice" in text
    assert "may be refused the return" in text


def test_eligibility_from_a_later_day_says_what_it_takes(a_request: NewRequest) -> None:
    few = {"employees": 48, "employees_within_75_miles": 48, "weeks_with_50": 20}
    text = drafted(a_request(**few, fifty_employees_on=date(2026, 3, 23)))["eligibility"].text
    assert "From March 23, 2026 on you are" in text
    assert "a new notice is needed once there are 50" in text


def test_leave_that_is_used_up_is_not_designated(a_request: NewRequest) -> None:
    taken = {"starts_on": "2025-09-01", "ends_on": "2025-11-21", "laws": ["fmla"]}
    text = drafted(a_request(earlier_leave=[taken]))["designation"].text
    assert "**FMLA:** the leave is not counted under this law" in text
    assert "**CFRA:** the leave is counted" in text


def test_only_eligibility_is_answered_where_no_law_gives_the_leave(a_request: NewRequest) -> None:
    assert list(drafted(a_request(employees=3, employees_within_75_miles=3))) == ["eligibility"]


CARE = {"reason": "family_care", "relation": "parent"}
SMALL = {"employees": 30, "employees_within_75_miles": 30}
PREGNANT = {"reason": "pregnancy_disability", "child_arrives_on": "2026-04-20"}


@pytest.mark.parametrize(
    ("facts", "absent"),
    [
        ({**CARE, **SMALL}, ["Key employee", "825.3", "825.2", "regnancy", "itness-for-duty"]),
        ({"reason": "bonding_birth", "child_arrives_on": "2026-02-01"}, ["itness", "regnancy"]),
        (
            {**PREGNANT, **SMALL},
            ["Key employee", "825.", "12-month period"],
        ),
        ({**SMALL}, ["Key employee", "825.3", "825.2", "regnancy"]),
        ({"works_in_california": False}, ["Gov. Code", "2 CCR", "regnancy", "knows no such"]),
        ({**CARE, "works_in_california": False}, ["2 CCR", "itness-for-duty", "regnancy"]),
    ],
)
def test_rights_and_designation_speak_only_of_laws_that_may_give_the_leave(
    a_request: NewRequest, facts: dict[str, object], absent: list[str]
) -> None:
    draft = drafted(a_request(**facts))
    text = draft["rights"].text + draft["designation"].text
    assert [words for words in absent if words in text] == []


def test_a_law_that_is_left_out_is_named_with_its_reason(a_request: NewRequest) -> None:
    text = drafted(a_request(**CARE, **SMALL))["rights"].text
    assert "FMLA does not appear to give it (covered employer and employees near" in text


def test_sick_leave_is_not_required_for_the_care_of_others(a_request: NewRequest) -> None:
    care, own = drafted(a_request(**CARE)), drafted(a_request())
    assert "for other reasons it is used only if you and we agree" in care["rights"].text
    assert "vacation, other paid time off or sick leave: [ ] yes" in own["rights"].text
    pregnant = drafted(a_request(**PREGNANT))["rights"].text
    assert "Vacation and other paid time off are used during pregnancy disability leave only" in (
        pregnant
    )


def test_a_certification_that_was_not_asked_for_may_still_be(a_request: NewRequest) -> None:
    facts = {"certification": "not_asked"}
    text = drafted(a_request(**facts))["rights"].text
    assert "We have not asked you for a certification. If we do, it is due 15 calendar days" in text
    given = drafted(a_request(certification="given", certification_given_on="2026-02-20"))
    assert "We received your certification on February 20, 2026." in given["rights"].text


def test_sections_that_were_not_read_are_named_to_whoever_sends_it(a_request: NewRequest) -> None:
    text = drafted(a_request(**PREGNANT))["designation"].text
    assert "Before it is sent, read the text of 2 CCR 11050 (checked only against reports" in text
    outside = drafted(a_request(works_in_california=False))
    assert not any("Before it is sent" in one.text for one in outside.values())


@pytest.mark.anyio
async def test_they_are_drafted_for_a_request_by_its_id(platform: Platform) -> None:
    kind, who = platform.kind("leave-requests"), platform.owner
    stated = {"title": "Leave", "reason": "own_health", "starts_on": "2026-03-02"}
    async with platform.unit(who) as session:
        request = LeaveRequest.model_validate(stated)
        row = await records.create(session, who, kind, request, external_id="LR-001")
    context = platform.tool_context(who, "test")
    drafts = await platform.tools.call("draft_notices", {"requestId": str(row.id)}, context)
    assert isinstance(drafts, Drafts)
    names = [one.name for one in drafts.letters]
    assert names == ["eligibility", "rights", "designation"]
    assert "we cannot say yet" in drafts.letters[0].text
    named = await platform.tools.call("draft_notices", {"requestId": "LR-001"}, context)
    assert named == drafts
    for unknown in (str(uuid4()), "LR-999"):
        with pytest.raises(NotFound, match="There is no leave request"):
            await platform.tools.call("draft_notices", {"requestId": unknown}, context)
