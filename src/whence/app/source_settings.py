"""The outside sources of all packs as the settings show them, with a test request."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Literal

from whence.app.platform import Platform
from whence.kernel.clock import now
from whence.kernel.errors import NotFound, WhenceError
from whence.kernel.wire import Wire
from whence.tenancy.owner_acts import record_test
from whence.tenancy.principal import Principal, require_owner
from whence.tools.sources import (
    LastAnswer,
    OutsideSource,
    SourceDay,
    SourceRequest,
    count_requests,
    last_answers,
    source_days,
)

SourceStatus = Literal["ready", "not_configured", "away", "failing"]


class SourceView(Wire):
    """One outside source."""

    id: str
    title: str
    pack: str
    offers: str
    status: SourceStatus
    """`away`: it does not answer; `failing`: it answers with errors."""
    setting: str | None
    """The variable that would enable it."""
    note: str
    since: datetime | None
    """Since when it is away or fails."""
    answered_at: datetime | None
    error: str | None
    requests_today: int
    failures_today: int
    may_test: bool


class SourceLimitView(Wire):
    """How much may still be asked today (UTC)."""

    pack: str
    title: str
    used: int
    most: int
    setting: str


class SourceSettings(Wire):
    """All sources, and the limits on asking them."""

    sources: list[SourceView]
    limits: list[SourceLimitView]


class SourceTestView(Wire):
    """The result of a test request."""

    answered: bool
    message: str
    """What came back, or what went wrong and how to fix it."""
    seconds: float


async def source_settings(platform: Platform, who: Principal) -> SourceSettings:
    """The sources with what they answered last; raises Forbidden except for owners."""
    require_owner(who)
    today = now().astimezone(UTC).date()
    limits: list[SourceLimitView] = []
    async with platform.unit(who) as session:
        answers = await last_answers(session, who)
        counts = {each.source: each for each in await source_days(session, who, today)}
        for pack in platform.packs:
            if pack.sources and pack.sources.limits:
                of_pack = await pack.sources.limits(platform.services, session)
                limits += [
                    SourceLimitView.model_validate({"pack": pack.title} | vars(limit))
                    for limit in of_pack
                ]
    views = [
        _view(pack, source, answers.get(source.id), counts.get(source.id))
        for pack, source in _sources(platform)
    ]
    return SourceSettings(sources=views, limits=limits)


async def ask_source(platform: Platform, who: Principal, source_id: str) -> SourceTestView:
    """Make one small request, which counts as any other.

    Raises Forbidden except for owners, NotFound and TooManyTests.
    """
    require_owner(who)
    source = next((each for _, each in _sources(platform) if each.id == source_id), None)
    if source is None or source.test is None:
        raise NotFound("There is no such source that can be tested.")
    if not source.state.is_ready:
        return SourceTestView(answered=False, message=source.state.note, seconds=0)
    async with platform.unit(who) as session:
        await record_test(session, who, "source", {"source": source.id})
    began = time.perf_counter()
    try:
        message, request = await source.test(), SourceRequest(source.id)
    except WhenceError as error:
        message, request = error.message, SourceRequest.failed(source.id, error)
    seconds = time.perf_counter() - began
    async with platform.unit(who) as session:
        await count_requests(session, [request])
    return SourceTestView(answered=request.error is None, message=message, seconds=seconds)


def _sources(platform: Platform) -> list[tuple[str, OutsideSource]]:
    return [
        (pack.title, source)
        for pack in platform.packs
        if pack.sources
        for source in pack.sources.listed(platform.services)
    ]


def _view(
    pack: str, source: OutsideSource, last: LastAnswer | None, today: SourceDay | None
) -> SourceView:
    state = source.state
    failing = last is not None and last.failing_since is not None
    status: SourceStatus = "ready"
    if not state.is_ready:
        status = "not_configured"
    elif last and failing:
        status = "away" if last.is_away else "failing"
    return SourceView(
        id=source.id,
        title=source.title,
        pack=pack,
        offers=source.offers,
        status=status,
        setting=state.setting,
        note=state.note,
        since=last.failing_since if last and state.is_ready else None,
        answered_at=last.answered_at if last else None,
        error=last.error if last and state.is_ready else None,
        requests_today=today.requests if today else 0,
        failures_today=today.failures if today else 0,
        may_test=state.is_ready and source.test is not None,
    )


async def requests_by_day(platform: Platform, who: Principal, days: int) -> list[SourceDayView]:
    """Requests of the last days, by day and source; raises Forbidden except for owners."""
    since = now().astimezone(UTC).date() - timedelta(days=days - 1)
    titles = {source.id: source.title for _, source in _sources(platform)}
    async with platform.unit(who) as session:
        rows = await source_days(session, who, since)
    return [
        SourceDayView(
            day=row.day.isoformat(),
            source=titles.get(row.source, row.source),
            requests=row.requests,
            failures=row.failures,
        )
        for row in rows
    ]


class SourceDayView(Wire):
    """Requests to one source on one day (UTC)."""

    day: str
    source: str
    requests: int
    failures: int
