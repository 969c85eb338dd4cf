"""Steps of which a part is known: only the rest is asked, and nothing that is known is lost."""

from __future__ import annotations

from typing import Any

import pytest

from whence.app.platform import Platform
from whence.records import store as records

pytestmark = pytest.mark.anyio
LEAVE = "leave.request"
STATED: dict[str, Any] = {
    "title": "For an operation",
    "reason": "own_health",
    "medical_need": True,
    "starts_on": "2026-03-02",
    "pattern": "continuous",
    "works_in_california": True,
    "employees": 120,
    "employees_within_75_miles": 80,
    "hired_on": "2024-01-15",
    "hours_last_12_months": 1800,
}
"""All but the last day and the normal week, of what leave.request asks first."""

CLOSED = ["closedFrom", "closedUntil"]
"""Asked with the dates of every leave, and left out where the business stays open."""


async def begun(desk: Any, platform: Platform, **stated: Any) -> Any:
    kind = platform.kind("leave-requests")
    async with platform.unit(platform.owner) as session:
        record = kind.record.model_validate({**STATED, **stated})
        row = await records.create(session, platform.owner, kind, record)
    return await desk.start(LEAVE, subject_id=row.id)


async def test_the_last_day_is_asked_where_only_the_first_is_known(
    desk: Any, platform: Platform
) -> None:
    shown = await begun(desk, platform)

    assert shown.step.id == "dates"
    assert [field.name for field in shown.ui.fields] == ["endsOn", *CLOSED]
    assert [(one.label, one.shown, one.source) for one in shown.ui.known] == [
        ("First day", "2026-03-02", "the request")
    ]
    assert "Known already: First day: 2026-03-02 (the request)" in shown.text_fallback
    assert "\nFirst day (" not in shown.text_fallback


async def test_an_answer_keeps_what_was_known_and_says_where_it_is_from(
    desk: Any, platform: Platform
) -> None:
    run = (await begun(desk, platform)).wizard_run_id

    after = await desk.respond(run, "dates", 0, endsOn="2026-04-10")
    again = await desk.respond(run, "dates", 0, endsOn="2026-04-10")

    assert (after.errors, after.step.id) == ([], "hours")
    assert again == after  # the same submit twice is once
    lines = {line.field: (line.shown, line.source) for line in after.summary}
    assert lines["startsOn"] == ("2026-03-02", "the request")
    assert lines["endsOn"] == ("2026-04-10", "you")
    assert [field.name for field in after.ui.fields] == ["weeklyHours", "workdays"]


async def test_what_was_asked_and_left_out_is_not_asked_again(
    desk: Any, platform: Platform
) -> None:
    run = (await begun(desk, platform)).wizard_run_id
    after = await desk.respond(run, "dates", 0)

    assert (after.errors, after.step.id) == ([], "hours")
    changing = await desk.look(run, "dates")
    assert [field.name for field in changing.ui.fields] == ["startsOn", "endsOn", *CLOSED]


async def test_a_known_value_can_be_sent_and_is_shown_where_it_is_refused(
    desk: Any, platform: Platform
) -> None:
    run = (await begun(desk, platform)).wizard_run_id

    refused = await desk.respond(run, "dates", 0, startsOn="2026-02-30", endsOn="2026-04-10")
    assert [error.field for error in refused.errors] == ["startsOn"]
    assert [field.name for field in refused.ui.fields] == ["startsOn", "endsOn", *CLOSED]
    after = await desk.respond(run, "dates", 0, startsOn="2026-03-09", endsOn="2026-04-10")

    assert {line.field: line.shown for line in after.summary}["startsOn"] == "2026-03-09"


async def test_a_step_of_which_all_that_is_wanted_is_known_is_not_asked(
    desk: Any, platform: Platform
) -> None:
    shown = await begun(desk, platform, ends_on="2026-04-10", weekly_hours=40)

    assert shown.step.id == "year"
    assert (shown.progress.step, shown.progress.may_change) == (1, True)


async def test_a_certification_that_was_not_given_yet_is_not_asked_for_its_day(
    desk: Any, platform: Platform
) -> None:
    stated = {"ends_on": "2026-04-10", "weekly_hours": 40, "year_method": "rolling"}
    notice = {"foreseeable": True, "need_known_on": "2026-01-05", "notice_given_on": "2026-01-05"}
    request = {"certification": "asked", "certification_asked_on": "2026-01-07"}
    run = (await begun(desk, platform, **stated, **notice, **request)).wizard_run_id

    assert (await desk.respond(run, "before", wasTaken=False)).step.kind == "review"


async def test_a_refused_value_is_not_told_as_what_stands_there(desk: Any) -> None:
    run = (await desk.start(LEAVE)).wizard_run_id
    await desk.respond(run, "reason", reason="own_health")
    await desk.respond(run, "need", medicalNeed="yes")

    refused = await desk.respond(run, "dates", startsOn="2026-03-02", endsOn="2026-02-30")

    [last] = [line for line in refused.text_fallback.splitlines() if line.startswith("Last day")]
    assert "so far" not in last
    assert "so far: 2026-03-02" in refused.text_fallback
    assert refused.values["endsOn"] == "2026-02-30"  # for a client that draws it again


async def test_progress_counts_what_is_asked_and_says_while_that_may_change(desk: Any) -> None:
    first = await desk.start(LEAVE)
    run = first.wizard_run_id
    answers: dict[str, dict[str, Any]] = {
        "reason": {"reason": "own_health"},
        "need": {"medicalNeed": "yes"},
        "dates": {"startsOn": "2026-03-02"},
        "pattern": {"pattern": "continuous"},
        "place": {"worksInCalifornia": "yes"},
        "employer": {"publicEmployer": False, "employees": 4},
    }
    assert first.progress.of < 15
    assert "(1 of about " in first.text_fallback
    for at, (step, answer) in enumerate(answers.items(), start=1):
        shown = await desk.look(run)
        assert (shown.step.id, shown.progress.step) == (step, at)
        assert shown.progress.of >= at
        await desk.respond(run, step, **answer)

    review = await desk.look(run)
    progress = review.progress
    assert (review.step.kind, progress.step, progress.of) == ("review", 7, 7)
    assert not progress.may_change
