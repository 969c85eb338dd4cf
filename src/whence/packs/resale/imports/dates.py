"""Dates of listings: none before there were online marketplaces, none in the future."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from whence.sdk import tabular
from whence.sdk.tabular import BadValue

EARLIEST = datetime(1995, 1, 1, tzinfo=UTC)
"""Before the first online marketplaces (eBay and Amazon opened in 1995) nothing was listed."""

LATEST_AHEAD = timedelta(days=2)
"""Slack for clocks and time zones before a date counts as lying in the future."""


def moment(value: object, at: datetime, *, day_first: bool = False) -> datetime:
    """The moment in a cell; `at` is the current time.

    Raises `BadValue` when it is no date, lies before 1995 or more than two days ahead.
    """
    when = tabular.moment(value, day_first=day_first)
    if when < EARLIEST:
        raise BadValue("Before 1995 there were no online marketplaces.")
    if when > at + LATEST_AHEAD:
        raise BadValue("The date lies in the future.")
    return when
