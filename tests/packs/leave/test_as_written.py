"""Days and relations as people write them on a form in the United States."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from pydantic import ValidationError

from whence.chat.record_view import RecordView
from whence.packs.leave.chat.offer import CHAT
from whence.packs.leave.records import LeaveRequest, Relation
from whence.packs.leave.wizard.answers import Dates, FamilyMember
from whence.sdk.chat import changes_in

NewRequest = Callable[..., LeaveRequest]
LookAt = Callable[[LeaveRequest], RecordView]


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("12/10/2026", date(2026, 12, 10)),
        ("3/2/26", date(2026, 3, 2)),
        ("12-10-2026", date(2026, 12, 10)),
        (" 2026-12-10 ", None),
        ("2026-12-10", date(2026, 12, 10)),
        ("13/10/2026", None),
    ],
)
def test_the_month_is_first_on_a_form(written: str, day: date | None) -> None:
    answer = f'{{"startsOn": "{written}"}}'
    if day is None:
        with pytest.raises(ValidationError):
            Dates.model_validate_json(answer)
    else:
        assert Dates.model_validate_json(answer).starts_on == day


@pytest.mark.parametrize(
    ("written", "relation"),
    [
        ("mother in law", Relation.PARENT_IN_LAW),
        ("my Mother-in-law", Relation.PARENT_IN_LAW),
        ("husband", Relation.SPOUSE),
        ("dad", Relation.PARENT),
        ("stepson", Relation.CHILD),
        ("half-sister", Relation.SIBLING),
        ("grandma", Relation.GRANDPARENT),
        ("cousin", Relation.OTHER),
        ("parent_in_law", Relation.PARENT_IN_LAW),
    ],
)
def test_a_relation_is_found_by_other_words_for_it(written: str, relation: Relation) -> None:
    assert FamilyMember.model_validate_json(f'{{"relation": "{written}"}}').relation is relation


def test_words_for_nobody_are_refused() -> None:
    with pytest.raises(ValidationError):
        FamilyMember.model_validate({"relation": "landlord"})


@pytest.mark.parametrize(
    ("message", "field", "value"),
    [
        ("set the first day to March 8th", "starts_on", "2027-03-08"),
        ("change the first day to 3/2", "starts_on", "2027-03-02"),
        ("move the last day to April 30", "ends_on", "2027-04-30"),
        ("set the last day to 4/23/2027", "ends_on", "2027-04-23"),
        ("set the notice date to in two weeks", "notice_given_on", "2026-02-15"),
        ("set the relation to mother in law", "relation", "parent_in_law"),
    ],
)
def test_a_change_in_words_is_read_for_the_year_of_the_request(
    a_request: NewRequest, look_at: LookAt, message: str, field: str, value: Any
) -> None:
    request = a_request(starts_on=date(2027, 3, 1), ends_on=date(2027, 4, 9))
    [change] = changes_in(message, CHAT, look_at(request))
    assert (change.field, change.value) == (field, value)
