"""The organization's runs over REST, whatever kind of record they are about."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Path, Query

from whence.evidence.lanes import LaneName
from whence.kernel.paging import page_of
from whence.kernel.wire import Wire
from whence.research import run_pages, runs
from whence.research.run_pages import RunFilter
from whence.tenancy.names import names_of
from whence.transports.edge.access import Reader
from whence.transports.edge.identity import CurrentPlatform
from whence.transports.edge.paging import DEFAULT_LIMIT, Cursor, Limit, PageOf, RowCursor
from whence.transports.routes.run_view import (
    ListedRun,
    RunDetail,
    RunStatus,
    listed_runs,
    run_detail,
)

router = APIRouter(prefix="/api/runs", tags=["runs"])
RunId = Annotated[UUID, Path(alias="id")]
Names = Annotated[list[Annotated[str, Query(max_length=100)]], Query(max_length=20)]


def run_filter(
    status: Annotated[list[RunStatus], Query(max_length=6)] = [],  # noqa: B006
    kind: Names = [],  # noqa: B006
    flow: Annotated[
        list[str], Query(alias="type", max_length=20, description="The flow, such as `research`")
    ] = [],  # noqa: B006
    run_type: Annotated[list[str], Query(alias="runType", max_length=20)] = [],  # noqa: B006
    lane: Annotated[list[LaneName], Query(max_length=2)] = [],  # noqa: B006
    requested_by: Annotated[list[UUID], Query(alias="requestedBy", max_length=20)] = [],  # noqa: B006
    created_from: Annotated[datetime | None, Query(alias="from")] = None,
    created_before: Annotated[datetime | None, Query(alias="before")] = None,
) -> RunFilter:
    """Which runs; a repeated parameter means any of its values."""
    return RunFilter(status, kind, flow, run_type, lane, requested_by, created_from, created_before)


Wanted = Annotated[RunFilter, Depends(run_filter)]


class RunCount(Wire):
    """How many runs have a value; `name` is that of a person."""

    value: str
    name: str | None = None
    count: int


class RunCounts(Wire):
    """How many runs there are, and by the values of each filter, under the other filters."""

    total: int
    status: list[RunCount]
    kind: list[RunCount]
    type: list[RunCount]
    run_type: list[RunCount]
    lane: list[RunCount]
    requested_by: list[RunCount]


@router.get("")
async def list_runs(
    platform: CurrentPlatform,
    who: Reader,
    wanted: Wanted,
    cursor: Cursor = None,
    limit: Limit = DEFAULT_LIMIT,
) -> PageOf[ListedRun]:
    """The organization's runs, newest first."""
    after = RowCursor.read(cursor)
    async with platform.unit(who) as session:
        rows = await run_pages.page(session, wanted, limit=limit + 1, after=after)
        lines = await listed_runs(session, platform.kinds, rows)
    return page_of(
        lines, limit, lambda line: line, lambda line: RowCursor(line.created_at, line.id).written()
    )


@router.get("/counts")
async def count_runs(platform: CurrentPlatform, who: Reader, wanted: Wanted) -> RunCounts:
    """How many runs match, and how many there are of each value of a filter."""
    async with platform.unit(who) as session:
        counted = await run_pages.counts(session, wanted)
        names = await names_of(session, set(counted["requested_by"]))

    def values(name: str) -> list[RunCount]:
        return [
            RunCount(value=str(value), name=names.get(value), count=count)
            for value, count in counted[name].items()
        ]

    return RunCounts(
        total=counted["total"][None],
        status=values("status"),
        kind=values("kind"),
        type=values("flow"),
        run_type=values("run_type"),
        lane=values("lane"),
        requested_by=values("requested_by"),
    )


@router.get("/{id}")
async def read_run(platform: CurrentPlatform, who: Reader, run_id: RunId) -> RunDetail:
    """A run with its steps and its record."""
    async with platform.unit(who) as session:
        return await run_detail(session, platform.kinds, await runs.get(session, run_id))
