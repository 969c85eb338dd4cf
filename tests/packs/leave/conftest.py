"""What tests of the leave pack share: requests that are right, and looks at them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any
from uuid import uuid4

import pytest

from whence.chat.record_view import RecordView
from whence.packs.leave.pack import PACK
from whence.packs.leave.records import LeaveRequest

NewRequest = Callable[..., LeaveRequest]
LookAt = Callable[[LeaveRequest], RecordView]

RIGHT: dict[str, Any] = {
    "title": "A leave",
    "reason": "own_health",
    "medical_need": True,
    "starts_on": date(2026, 3, 2),
    "ends_on": date(2026, 4, 10),
    "pattern": "continuous",
    "works_in_california": True,
    "employees": 120,
    "employees_within_75_miles": 80,
    "hired_on": date(2024, 1, 15),
    "hours_last_12_months": 1800,
    "weekly_hours": 40,
    "year_method": "rolling",
}
"""The FMLA and CFRA are met in every rule."""


@pytest.fixture(scope="session")
def a_request() -> NewRequest:
    """`a_request(employees=4)`: a request that meets all rules but for what is changed."""
    return lambda **changes: LeaveRequest.model_validate({**RIGHT, **changes})


@pytest.fixture(scope="session")
def look_at() -> LookAt:
    """A turn's look at a request that was not researched."""
    [kind] = PACK.subjects

    def view(request: LeaveRequest) -> RecordView:
        at = datetime(2026, 2, 1, tzinfo=UTC)
        shown = {"id": str(uuid4()), **request.model_dump(mode="json", by_alias=True)}
        return RecordView(
            kind, uuid4(), 1, request, shown, None, (), (), changed_since=False, at=at
        )

    return view
