"""leave.requests: what everyday messages about a leave request lead to by rules, end to end."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path

from whence.packs.leave import kind
from whence.packs.leave.chat.offer import CHAT
from whence.packs.leave.records import LeaveRequest, Reason
from whence.sdk.chat import RecordView
from whence.sdk.requests import RequestsReport, requests_report, view_for

SETS = {
    "tuning": "requests.jsonl",
    "fresh": "requests_fresh.jsonl",
    "second": "requests_second.jsonl",
    "third": "requests_third.jsonl",
    "fourth": "requests_fourth.jsonl",
    "fifth": "requests_fifth.jsonl",
}
"""Files by the name of their set; the fresh one was kept aside while the rules were written."""


def view() -> RecordView:
    """The request that the messages are about."""
    request = LeaveRequest(
        title="Leave of M. Ortiz",
        reason=Reason.OWN_HEALTH,
        starts_on=date(2027, 3, 1),
        ends_on=date(2027, 5, 23),
        works_in_california=True,
        employees=60,
        employees_within_75_miles=55,
        hired_on=date(2025, 1, 15),
        hours_last_12_months=1300,
        weekly_hours=40,
        notice_given_on=date(2027, 2, 1),
    )
    return view_for(kind.REQUESTS, request, datetime(2027, 2, 10, tzinfo=UTC))


def requests(data: Path) -> Mapping[str, RequestsReport]:
    """Read the messages of each set; raises Invalid where a file is missing or malformed."""
    return {name: requests_report(data / file, CHAT, view()) for name, file in SETS.items()}
