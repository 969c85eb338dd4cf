"""Leave: which of three laws gives time off, how much, and what follows when."""

from __future__ import annotations

from pathlib import Path

from whence.sdk import Importer, Pack, SubjectKind

from .chat.offer import CHAT
from .evals import EVALUATIONS
from .flows.research import RESEARCH
from .imports import import_requests
from .records import LeaveRequest
from .tables import LeaveRequestRow
from .wizard.definition import REQUEST

FOLDER = Path(__file__).parent


def not_ready(request: LeaveRequest) -> str | None:
    """Why a request cannot be held against the rules, or None."""
    return None if request.reason else "it does not say what the leave is for"


PACK = Pack(
    id="leave",
    title="Leave",
    folder=FOLDER,
    subjects=[
        SubjectKind(
            kind="leave-requests",
            title="Leave request",
            record=LeaveRequest,
            row=LeaveRequestRow,
            search=("title", "external_id"),
            filters=("reason", "relation", "pattern", "certification"),
            not_ready=not_ready,
        )
    ],
    flows=[RESEARCH],
    importers=[Importer("requests", "Leave requests, one JSON object a line", import_requests)],
    chats=[CHAT],
    wizards=[REQUEST],
    evals=EVALUATIONS,
)
