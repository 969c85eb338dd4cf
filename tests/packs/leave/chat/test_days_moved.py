"""Days of a leave that move by a span: `push the end out two weeks`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from whence.chat.language.understanding import understand
from whence.chat.record_view import RecordView
from whence.packs.leave.chat.offer import CHAT
from whence.packs.leave.records import LeaveRequest
from whence.sdk.chat import Intent

NewRequest = Callable[..., LeaveRequest]
LookAt = Callable[[LeaveRequest], RecordView]


@pytest.mark.parametrize(
    ("message", "changes"),
    [  # the leave is from 2026-03-02 to 2026-04-10
        ("push the end out two weeks", {"ends_on": "2026-04-24"}),
        ("could you push the start back by 3 days?", {"starts_on": "2026-03-05"}),
        ("bring the first day forward a week", {"starts_on": "2026-02-23"}),
        ("add another month to the end", {"ends_on": "2026-05-10"}),
        ("extend it by a fortnight", {"ends_on": "2026-04-24"}),
        ("cut the leave by ten days", {"ends_on": "2026-03-31"}),
        ("move it a week later", {"starts_on": "2026-03-09", "ends_on": "2026-04-17"}),
        ("set the start to in two weeks", {"starts_on": "2026-02-15"}),
    ],
)
def test_a_day_moves_from_what_it_is_now(
    a_request: NewRequest, look_at: LookAt, message: str, changes: dict[str, str]
) -> None:
    reading = understand(message, CHAT, look_at(a_request()))
    assert {each.field: each.value for each in reading.changes} == changes


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("move the start by two weeks", "earlier or later"),
        ("push the due date out two weeks", "not known yet"),
    ],
)
def test_a_span_that_moves_no_day_is_refused_with_what_to_say(
    a_request: NewRequest, look_at: LookAt, message: str, words: str
) -> None:
    reading = understand(message, CHAT, look_at(a_request()))
    assert reading.refusal is not None
    assert words in reading.refusal.message


@pytest.mark.parametrize(
    "message", ["what if the end moved out two weeks?", "don't push the end out two weeks"]
)
def test_a_span_that_is_asked_about_or_ruled_out_moves_nothing(
    a_request: NewRequest, look_at: LookAt, message: str
) -> None:
    reading = understand(message, CHAT, look_at(a_request()))
    assert reading.intent is not Intent.ACTION
    assert reading.changes == ()
