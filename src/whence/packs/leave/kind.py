"""The kind of record that the pack is about."""

from __future__ import annotations

from whence.sdk.records import Display, SubjectKind

from .eligibility.words import OTHER_REASONS, PATTERNS, REASONS, RELATIONS, choice_labels
from .records import LeaveRequest
from .tables import LeaveRequestRow


def not_ready(request: LeaveRequest) -> str | None:
    """Why a request cannot be held against the rules, or None."""
    return None if request.reason else "it does not say what the leave is for"


REQUESTS = SubjectKind(
    kind="leave-requests",
    title="Leave request",
    record=LeaveRequest,
    row=LeaveRequestRow,
    search=("title", "external_id"),
    filters=("reason", "relation", "pattern", "certification"),
    display=Display(
        title="title",
        subtitle="reason",
        choices={
            "reason": choice_labels(REASONS),
            "other_reason": choice_labels(OTHER_REASONS),
            "relation": choice_labels(RELATIONS),
            "pattern": choice_labels(PATTERNS),
        },
    ),
    not_ready=not_ready,
)
