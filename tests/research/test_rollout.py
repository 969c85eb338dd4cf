"""`WHENCE_ROLLOUT` says which version of a flow does new work."""

from __future__ import annotations

from typing import Any, TypedDict
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whence.evidence.lanes import LaneName
from whence.kernel.errors import Invalid, Misconfigured
from whence.kernel.ids import new_id
from whence.research.flow import Flow
from whence.research.versions import Flows, Mode, Route, Work, parse, route


class State(TypedDict, total=False):
    subject_id: str


async def work(state: Any, run: Any) -> dict[str, Any]:
    return {}


def version(number: str) -> Flow:
    return Flow("research", number, "items", State, (work,), ())


FIRST, SECOND, THIRD = version("1"), version("2"), version("3")
FLOWS = Flows([FIRST], [SECOND, THIRD])
KEY = ("items", "research")


def test_flows_are_found_by_their_version_and_the_primary_one_without() -> None:
    assert FLOWS[KEY] is FIRST
    assert FLOWS.version(*KEY, "2") is SECOND
    assert FLOWS.version(*KEY, "9") is None
    assert FLOWS.candidates(*KEY) == [SECOND, THIRD]
    assert list(FLOWS) == [KEY]


@pytest.mark.parametrize(
    ("primaries", "candidates", "complaint"),
    [
        ([FIRST, SECOND], [], "two primary versions"),
        ([FIRST], [version("1")], "declared twice"),
        ([], [SECOND], "no primary version"),
    ],
)
def test_versions_that_do_not_go_together_are_refused(
    primaries: list[Flow], candidates: list[Flow], complaint: str
) -> None:
    with pytest.raises(Misconfigured, match=complaint):
        Flows(primaries, candidates)


def test_without_a_setting_the_primary_version_does_the_work() -> None:
    for setting in (None, "", " , ", "items/research=primary"):
        assert parse(setting, FLOWS) == {}
    assert route(FLOWS, {}, FIRST, new_id()) == Work(FIRST)


def test_each_mode_is_read() -> None:
    assert parse("items/research=shadow:2", FLOWS) == {KEY: Route(Mode.SHADOW, "2")}
    assert parse(" items/research=candidate:3@12.5% ,", FLOWS) == {
        KEY: Route(Mode.CANDIDATE, "3", 12.5)
    }


@pytest.mark.parametrize(
    ("setting", "complaint"),
    [
        ("items/research", "write KIND/FLOW=MODE:VERSION"),
        ("items/research=shadow:2@ten%", "write KIND/FLOW=MODE:VERSION"),
        ("items/reserch=shadow:2", "the flows are items/research"),
        ("buyers/research=shadow:2", "the flows are items/research"),
        ("items/research=mirror:2", "primary, shadow, candidate"),
        ("items/research=shadow", "the candidates are 2, 3"),
        ("items/research=shadow:1", "the candidates are 2, 3"),
        ("items/research=candidate:9", "the candidates are 2, 3"),
        ("items/research=primary:1", "write no version"),
        ("items/research=candidate:2@0%", "above 0%"),
        ("items/research=candidate:2@101%", "at most 100%"),
        ("items/research=shadow:2,items/research=shadow:3", "this flow has two entries"),
    ],
)
def test_a_wrong_value_is_refused_with_the_fix(setting: str, complaint: str) -> None:
    with pytest.raises(Misconfigured) as refused:
        parse(setting, FLOWS)
    assert "WHENCE_ROLLOUT" in refused.value.message
    assert complaint in refused.value.message


def test_in_shadow_the_candidate_runs_beside_the_primary() -> None:
    rollout = parse("items/research=shadow:2", FLOWS)
    assert route(FLOWS, rollout, FIRST, new_id()) == Work(FIRST, beside=SECOND)


def test_as_candidate_it_does_the_work() -> None:
    rollout = parse("items/research=candidate:2", FLOWS)
    assert route(FLOWS, rollout, FIRST, new_id()) == Work(SECOND)


def test_what_was_asked_for_goes_before_the_setting() -> None:
    rollout, record = parse("items/research=candidate:2", FLOWS), new_id()
    assert route(FLOWS, rollout, FIRST, record, version="1") == Work(FIRST)
    shadow = route(FLOWS, rollout, FIRST, record, version="3", lane=LaneName.SHADOW)
    assert shadow == Work(THIRD, LaneName.SHADOW)
    assert route(FLOWS, rollout, FIRST, record, lane=LaneName.PRIMARY) == Work(FIRST)


def test_the_shadow_needs_no_version_where_there_is_one_candidate() -> None:
    one = Flows([FIRST], [SECOND])
    work = route(one, {}, FIRST, new_id(), lane=LaneName.SHADOW)
    assert work == Work(SECOND, LaneName.SHADOW)
    with pytest.raises(Invalid, match="there are 2, 3"):
        route(FLOWS, {}, FIRST, new_id(), lane=LaneName.SHADOW)
    with pytest.raises(Invalid, match="the versions are 1, 2, 3"):
        route(FLOWS, {}, FIRST, new_id(), version="4")


@given(st.uuids(), st.floats(0.01, 100), st.floats(0.01, 100))
def test_a_higher_share_takes_every_record_of_a_lower_one(
    record: UUID, one: float, two: float
) -> None:
    low, high = sorted((one, two))
    taken = Route(Mode.CANDIDATE, "2", low).takes(record)
    assert taken == Route(Mode.CANDIDATE, "2", low).takes(record)
    assert not taken or Route(Mode.CANDIDATE, "2", high).takes(record)
    assert Route(Mode.CANDIDATE, "2").takes(record)


def test_a_share_of_a_tenth_takes_about_a_tenth() -> None:
    records = [UUID(int=number) for number in range(2000)]
    taken = sum(Route(Mode.CANDIDATE, "2", 10).takes(record) for record in records)
    assert 150 <= taken <= 250
