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
    assert "Without it we may deny the leave until it is given (29 CFR 825.313)" in text
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


@pytest.mark.anyio
async def test_they_are_drafted_for_a_request_by_its_id(platform: Platform) -> None:
    kind, who = platform.kind("leave-requests"), platform.owner
    stated = {"title": "Leave", "reason": "own_health", "starts_on": "2026-03-02"}
    async with platform.unit(who) as session:
        row = await records.create(session, who, kind, LeaveRequest.model_validate(stated))
    context = platform.tool_context(who, "test")
    drafts = await platform.tools.call("draft_notices", {"requestId": str(row.id)}, context)
    assert isinstance(drafts, Drafts)
    names = [one.name for one in drafts.letters]
    assert names == ["eligibility", "rights", "designation"]
    assert "we cannot say yet" in drafts.letters[0].text
    with pytest.raises(NotFound):
        await platform.tools.call("draft_notices", {"requestId": str(uuid4())}, context)
