"""Changes of a request that are asked for in words, and what is said of those not taken."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from whence.chat.language.understanding import understand
from whence.chat.record_view import RecordView
from whence.packs.leave.chat.offer import CHAT
from whence.packs.leave.records import LeaveRequest
from whence.sdk.chat import changes_in
from whence.sdk.errors import Invalid

NewRequest = Callable[..., LeaveRequest]
LookAt = Callable[[LeaveRequest], RecordView]


@pytest.mark.parametrize(
    ("message", "refusal_text"),
    [
        (
            "set the first day to 2026-13-45",
            "The first day cannot be “2026-13-45”: that is not a valid date; write it as 2026",
        ),
        ("set the hire date to soon", "The hire date cannot be “soon”: that is not a valid date"),
        ("set the weekly hours to 400", "The weekly hours cannot be “400”: "),
        ("set the employees to many", "The employees cannot be “many”; give a number"),
        ("clear the title", "The title cannot be empty."),
    ],
)
def test_what_is_not_taken_is_named_as_people_call_it(
    a_request: NewRequest, look_at: LookAt, message: str, refusal_text: str
) -> None:
    with pytest.raises(Invalid) as refusal:
        changes_in(message, CHAT, look_at(a_request()))
    assert refusal.value.message.startswith(refusal_text)


@pytest.mark.parametrize(
    "message", ["please forward the letter", "forward it to her", "forward this to payroll"]
)
def test_a_verb_is_not_taken_for_the_choice_it_sounds_like(
    a_request: NewRequest, look_at: LookAt, message: str
) -> None:
    assert understand(message, CHAT, look_at(a_request())).changes == ()
