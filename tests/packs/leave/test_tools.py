"""The pack's tools, as chat, pages and the API call them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import uuid4

import pytest

from whence.app.platform import Platform
from whence.kernel.errors import Invalid, NotFound
from whence.packs.leave.pack import FOLDER
from whence.packs.leave.tables import LeaveRequestRow
from whence.records import store as records
from whence.sdk.imports import ImportContext
from whence.tenancy.principal import Scope

pytestmark = pytest.mark.anyio
Call = Callable[..., Awaitable[Any]]


@pytest.fixture
async def call(platform: Platform) -> Call:
    """`await call("assess_leave", facts={...})` for the local owner, who has the sample."""
    context = ImportContext(platform.owner, platform.db, platform.settings)
    sample = FOLDER / "sample" / "requests.jsonl"
    await platform.importer("leave.requests").run(context, sample)

    async def make(name: str, **arguments: Any) -> Any:
        called = platform.tool_context(platform.owner, "test")
        return await platform.tools.call(name, arguments, called)

    return make


@pytest.fixture
async def third(platform: Platform, call: Call) -> Any:
    """The sample request of exactly 12 months of service, and facts that are missing."""
    async with platform.unit(platform.owner) as session:
        return await records.resolve(session, platform.kind("leave-requests"), "LR-003")


async def test_rules_are_found_by_words_with_section_and_need(call: Call) -> None:
    result = await call("search_leave_rules", words="designated person")
    best = result.rules[0]
    assert best.id == "cfra.family"
    assert best.section == "Gov. Code 12945.2(b)"
    assert "designated person" in best.needed
    assert best.checked == "checked against the text"


async def test_rules_are_those_of_the_day_on_which_the_leave_starts(call: Call) -> None:
    for day, has in (("2022-12-31", False), ("2023-01-01", True)):
        result = await call("search_leave_rules", words="sibling", laws=["cfra"], startsOn=day)
        [family] = [one for one in result.rules if one.id == "cfra.family"]
        assert ("designated person" in family.needed) is has


async def test_words_that_no_rule_has_find_nothing(call: Call) -> None:
    assert (await call("search_leave_rules", words="zeppelin")).rules == []


async def test_other_facts_are_held_against_the_rules_of_a_request(call: Call, third: Any) -> None:
    result = await call(
        "assess_leave",
        requestId=str(third.id),
        facts={"employeesWithin75Miles": 55, "medicalNeed": True, "endsOn": "2026-04-01"},
    )
    then = {law.title: (law.now, law.then) for law in result.laws}
    assert then["FMLA"] == ("cannot_be_told", "appears_eligible")
    assert then["CFRA"][1] == "does_not_appear_eligible"
    [worksite] = [
        rule for rule in result.rules if rule.title == "FMLA: Employees near the worksite"
    ]
    assert worksite.then == "55 employees: met"
    assert worksite.section.startswith("29 CFR 825.110")


async def test_nothing_is_written(call: Call, third: Any, platform: Platform) -> None:
    facts = {"employees": 4, "hoursLast12Months": 10}
    result = await call("assess_leave", requestId=str(third.id), facts=facts)
    assert result.written is False
    async with platform.unit(platform.owner) as session:
        kind = platform.kind("leave-requests")
        again = await records.resolve(session, kind, "LR-003")
    assert isinstance(again, LeaveRequestRow)
    assert (again.version, again.employees, again.hours_last_12_months) == (1, 60, 1250)


async def test_facts_alone_can_be_assessed(call: Call) -> None:
    facts = {"reason": "pregnancy_disability", "employees": 5, "worksInCalifornia": True}
    result = await call("assess_leave", facts=facts | {"medicalNeed": True})
    then = {law.title: law.then for law in result.laws}
    assert then["California pregnancy disability leave"] == "appears_eligible"


@pytest.mark.parametrize(
    ("facts", "error"),
    [
        ({"startsOn": "2026-05-01", "endsOn": "2026-04-01"}, Invalid),
        ({"employees": -1}, Invalid),
        ({"diagnosis": "anything"}, Invalid),
    ],
)
async def test_facts_without_sense_are_refused(
    call: Call, facts: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        await call("assess_leave", facts=facts)


async def test_a_request_that_is_not_there_is_not_found(call: Call) -> None:
    with pytest.raises(NotFound):
        await call("assess_leave", requestId=str(uuid4()), facts={})


async def test_the_tools_only_read_and_are_offered_in_chat(platform: Platform) -> None:
    [pack] = [one for one in platform.packs if one.id == "leave"]
    assert {tool.scope for tool in pack.tools} == {Scope.READ}
    assert set(pack.chats[0].tools) == {tool.name for tool in pack.tools}


async def test_another_organization_has_no_such_request(
    call: Call, third: Any, platform: Platform, new_principal: Any
) -> None:
    stranger = new_principal()
    context = platform.tool_context(stranger, "test")
    with pytest.raises(NotFound):
        await platform.tools.call(
            "assess_leave", {"requestId": str(third.id), "facts": {}}, context
        )
