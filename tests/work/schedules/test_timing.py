"""When a schedule is due: by the clocks of a time zone, or by elapsed time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whence.work.schedules.timing import BadTiming, Timing, cron, every

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


def ticks(timing: Timing, after: datetime, number: int) -> list[str]:
    faults: list[str] = []
    for _ in range(number):
        after = timing.next_after(after, BEGIN)
        faults.append(after.strftime("%m-%d %H:%M"))
    return faults


def test_a_cron_expression_follows_the_clocks_of_its_time_zone() -> None:
    at_six = cron("0 6 * * mon", "Europe/Berlin")
    winter, summer = datetime(2026, 1, 6, tzinfo=UTC), datetime(2026, 7, 7, tzinfo=UTC)
    assert ticks(at_six, winter, 2) == ["01-12 05:00", "01-19 05:00"]
    assert ticks(at_six, summer, 2) == ["07-13 04:00", "07-20 04:00"]


def test_a_time_that_the_clocks_skip_comes_once_when_they_have_changed() -> None:
    nightly = cron("30 2 * * *", "Europe/Berlin")
    before = datetime(2026, 3, 28, 12, tzinfo=UTC)
    assert ticks(nightly, before, 2) == ["03-29 01:00", "03-30 00:30"]


def test_a_time_that_the_clocks_repeat_comes_once() -> None:
    nightly = cron("30 2 * * *", "Europe/Berlin")
    before = datetime(2026, 10, 24, 12, tzinfo=UTC)
    assert ticks(nightly, before, 2) == ["10-25 00:30", "10-26 01:30"]


def test_what_comes_every_hour_comes_every_hour_while_the_clocks_change() -> None:
    hourly = cron("0 * * * *", "Europe/Berlin")
    before = datetime(2026, 10, 24, 23, 30, tzinfo=UTC)
    assert ticks(hourly, before, 3) == ["10-25 00:00", "10-25 01:00", "10-25 02:00"]
    assert ticks(every(hours=1), before, 2) == ["10-25 00:00", "10-25 01:00"]


@given(
    st.integers(min_value=1, max_value=10**6),
    st.datetimes(datetime(2026, 1, 1), datetime(2030, 1, 1)),  # noqa: DTZ001 (made aware below)
)
def test_an_interval_keeps_its_phase(seconds: int, moment: datetime) -> None:
    after = moment.replace(tzinfo=UTC)
    tick = every(seconds=seconds).next_after(after, BEGIN)
    assert after < tick <= after + timedelta(seconds=seconds)
    assert (tick - BEGIN) % timedelta(seconds=seconds) == timedelta(0)


@pytest.mark.parametrize(
    ("timing", "words"),
    [
        ({"cron": "61 * * * *"}, "'61 .* is not a cron expression: bad minute.*such as '0 6"),
        ({"cron": "* * * * * *"}, "wrong number of fields"),
        ({"cron": "@daily"}, "wrong number of fields"),
        ({"cron": ""}, "is not a cron expression"),
        ({"cron": "0 0 30 2 *"}, "is not a cron expression"),
        ({"cron": "0 6 * * *", "time_zone": "Mars/Base"}, "no time zone 'Mars/Base'.*Europe"),
        ({"cron": "0 6 * * *", "time_zone": "../../etc/passwd"}, "no time zone"),
        ({"every_seconds": 0}, "at least 1"),
        ({"every_seconds": 10**9}, "at most a year"),
        ({}, "either"),
        ({"cron": "0 6 * * *", "every_seconds": 5}, "either"),
    ],
)
def test_what_is_wrong_with_a_timing_is_told(timing: dict[str, str], words: str) -> None:
    with pytest.raises(BadTiming, match=words):
        Timing(**timing)  # pyright: ignore[reportArgumentType]


def test_the_shortest_gap_between_two_ticks() -> None:
    assert cron("*/5 9 * * *").shortest_seconds == 300
    assert cron("0,1 6 * * *").shortest_seconds == 60
    assert every(minutes=2).shortest_seconds == 120


def test_times_in_words() -> None:
    assert cron("0 6 * * mon", "Europe/Berlin").description == "At 06:00 on Monday (Europe/Berlin)"
    assert every(hours=6).description == "Every 6 hours"
    assert every(days=1).description == "Every day"
    assert every(seconds=90).description == "Every 90 seconds"
