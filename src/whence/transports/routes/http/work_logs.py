"""What a run or a job did, read back in pages: its events, its model calls and its tool calls."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from functools import partial
from typing import Annotated, Any, Literal, TypeVar
from uuid import UUID

from fastapi import APIRouter, Path, Query
from sqlalchemy.ext.asyncio import AsyncSession

from whence.app.platform import Platform
from whence.events import log
from whence.kernel.paging import page_of, read_cursor, write_cursor
from whence.kernel.wire import Wire
from whence.research import runs
from whence.tenancy.principal import Principal
from whence.tools import logged_calls
from whence.transports.edge.access import Reader
from whence.transports.edge.identity import CurrentPlatform
from whence.transports.edge.paging import (
    DEFAULT_LIMIT,
    BadCursor,
    Cursor,
    Limit,
    PageOf,
    RowCursor,
)
from whence.work import model_calls, status

router = APIRouter()
Row = TypeVar("Row")
Item = TypeVar("Item", bound=Wire)
OfNode = Annotated[
    str | None, Query(max_length=200, description="Only of this node; absent: of all")
]
OfTypes = Annotated[list[str], Query(alias="type", max_length=20)]
WorkId = Annotated[UUID, Path(alias="id")]


class LoggedEvent(Wire):
    """An event as it is kept."""

    seq: int
    type: str
    at: datetime
    payload: dict[str, Any]


class ModelCall(Wire):
    """One use of a model by a skill; it may cover several requests."""

    id: UUID
    node: str | None
    skill: str
    model: str | None
    prompt_version: str | None
    outcome: Literal["ok", "repaired", "fallback", "error"]
    """`repaired`: after a second try; `fallback`: the rules answered instead."""
    reason: str | None
    detail: str | None
    calls: int
    """Requests to the provider."""
    is_exact: bool
    """False if tokens were estimated."""
    tokens_in: int
    tokens_out: int
    usd: float | None
    """Null if the model's price is not known."""
    latency_ms: float
    at: datetime
    is_kept: bool
    """Whether what was sent and answered is still kept."""


class ModelMessage(Wire):
    """A message as it was sent; of images only their number."""

    role: str
    text: str
    images: int


class ModelExchange(Wire):
    """The last request of a model call, and its answer; null if none came."""

    messages: list[ModelMessage]
    answer: str | None
    is_shortened: bool
    """Whether the middle of a long text was left out."""


class ToolCall(Wire):
    """One call of a tool."""

    id: UUID
    tool: str
    caller: str
    """`flow:<node>` for a run."""
    scope: str
    arguments: dict[str, Any]
    outcome: Literal["ok", "refused", "error"]
    error: str | None
    latency_ms: float
    at: datetime
    result: dict[str, Any] | None
    """Kept only for calls that change something."""


def _offer(noun: str, require: Callable[[AsyncSession, UUID], Awaitable[object]]) -> None:
    """The routes for one type of work; `require` raises NotFound."""

    async def page(
        platform: Platform,
        who: Principal,
        work_id: UUID,
        model: type[Item],
        limit: int,
        read: Callable[[AsyncSession], Awaitable[Sequence[Row]]],
        place: Callable[[Row], str],
    ) -> PageOf[Item]:
        """What `read` finds in one log of this work; it reads one row more than `limit`."""
        async with platform.unit(who) as session:
            await require(session, work_id)
            rows = await read(session)
        return page_of(rows, limit, model.model_validate, place)

    @router.get(f"/api/{noun}s/{{id}}/log", tags=[f"{noun}s"], name=f"{noun}_log")
    async def events(
        platform: CurrentPlatform,
        who: Reader,
        work_id: WorkId,
        node: OfNode = None,
        type_: OfTypes = [],  # noqa: B006
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> PageOf[LoggedEvent]:
        """Its events as they are kept, the newest first."""
        read = partial(
            log.newest,
            stream_id=work_id,
            before=_seq(cursor),
            most=limit + 1,
            node=node,
            types=type_,
        )
        return await page(platform, who, work_id, LoggedEvent, limit, read, _seq_of)

    @router.get(f"/api/{noun}s/{{id}}/model-calls", tags=[f"{noun}s"], name=f"{noun}_model_calls")
    async def asked(
        platform: CurrentPlatform,
        who: Reader,
        work_id: WorkId,
        node: OfNode = None,
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> PageOf[ModelCall]:
        """Its model calls, the oldest first."""
        after = RowCursor.read(cursor)
        read = partial(model_calls.page, work_id=work_id, node=node, limit=limit + 1, after=after)
        return await page(platform, who, work_id, ModelCall, limit, read, _place)

    @router.get(
        f"/api/{noun}s/{{id}}/model-calls/{{callId}}",
        tags=[f"{noun}s"],
        name=f"{noun}_model_exchange",
    )
    async def exchanged(
        platform: CurrentPlatform,
        who: Reader,
        work_id: WorkId,
        call_id: Annotated[UUID, Path(alias="callId")],
    ) -> ModelExchange:
        """What was sent to the model in one call, and its answer; 404 once that is not kept."""
        async with platform.unit(who) as session:
            await require(session, work_id)
            kept = await model_calls.exchange(session, work_id, call_id)
        return ModelExchange.model_validate(kept)

    @router.get(f"/api/{noun}s/{{id}}/tool-calls", tags=[f"{noun}s"], name=f"{noun}_tool_calls")
    async def called(
        platform: CurrentPlatform,
        who: Reader,
        work_id: WorkId,
        node: OfNode = None,
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> PageOf[ToolCall]:
        """Its tool calls, the oldest first."""
        after = RowCursor.read(cursor)
        read = partial(logged_calls.page, work_id=work_id, node=node, limit=limit + 1, after=after)
        return await page(platform, who, work_id, ToolCall, limit, read, _place)

    del events, asked, exchanged, called


def _place(row: model_calls.LoggedModelCall | logged_calls.LoggedToolCall) -> str:
    return RowCursor(row.at, row.id).written()


def _seq_of(event: log.Event) -> str:
    return write_cursor(event.seq)


def _seq(cursor: str | None) -> int | None:
    if cursor is None:
        return None
    try:
        return int(read_cursor(cursor, 1)[0])
    except ValueError as error:
        raise BadCursor from error


_offer("run", runs.get)
_offer("job", status.get)
