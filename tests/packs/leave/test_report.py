"""An exported assessment keeps its marks and limits, whom to ask, and the letters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from uuid import uuid4

from whence.cli.dossier_report import markdown, report_of
from whence.packs.leave.eligibility.overview import overview
from whence.packs.leave.flows.claims import claims_of
from whence.packs.leave.flows.dossier import body_of
from whence.packs.leave.records import LeaveRequest
from whence.packs.leave.report import report

NewRequest = Callable[..., LeaveRequest]


def exported(request: LeaveRequest) -> str:
    assessment = overview(request)
    claims = claims_of(assessment, uuid4(), defaultdict(uuid4))
    dossier = {
        "createdAt": "now",
        "summary": assessment.headline,
        "notices": [],
        "notDone": [],
        "claims": [
            {
                "statement": one.statement,
                "confidence": one.confidence,
                "method": one.method,
                "verdict": "supported",
                "evidence": [],
            }
            for one in claims
        ],
        "body": body_of(assessment).model_dump(mode="json", by_alias=True),
    }
    record = {"id": "LR-001", "title": request.title}
    return markdown(report_of("Leave request", record, dossier, [], report(dossier, [], record)))


def test_a_conclusion_from_a_section_that_was_not_read_says_so_and_is_less_sure(
    a_request: NewRequest,
) -> None:
    lines = exported(a_request(reason="pregnancy_disability")).splitlines()
    [california] = [one for one in lines if "California pregnancy disability leave, work in" in one]
    assert "2 CCR 11008: checked only against reports by others" in california
    assert "| 0.60 |" in california
    [hours] = [one for one in lines if "FMLA, hours of service" in one]
    assert "| 1.00 |" in hours


def test_limits_and_whom_to_ask_are_exported(a_request: NewRequest) -> None:
    text = exported(a_request(reason="pregnancy_disability", weekly_hours=None))
    assert "## How sure" in text
    assert "Not checked: whether the employer is federal" in text
    assert "Sections whose own text was not read: " in text
    assert "Wage and Hour Division" in text


def test_the_letters_are_exported_as_plain_text(a_request: NewRequest) -> None:
    text = exported(a_request())
    for title in ("Notice of eligibility", "Notice of rights and responsibilities"):
        assert text.count(f"## Draft: {title}") == 1
    assert "FMLA: you are eligible, as far as" in text
    assert "**" not in text
