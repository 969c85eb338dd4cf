"""The packs' tools over HTTP, from the same registry that flows and the command line use."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body

from whence.kernel.wire import Wire
from whence.tenancy.principal import Scope
from whence.transports.edge.access import Reader
from whence.transports.edge.identity import CurrentPlatform

router = APIRouter(prefix="/api/tools", tags=["tools"])


class ToolAnswer(Wire):
    """A tool; `arguments` and `result` are JSON Schemas."""

    name: str
    description: str
    scope: Scope
    arguments: dict[str, Any]
    result: dict[str, Any]


@router.get("")
async def list_tools(platform: CurrentPlatform, who: Reader) -> list[ToolAnswer]:
    """The tools you may call."""
    return [
        ToolAnswer(
            name=item.name,
            description=item.description,
            scope=item.scope,
            arguments=item.arguments.model_json_schema(),
            result=item.result.model_json_schema(mode="serialization"),
        )
        for item in platform.tools.visible(who)
    ]


@router.post("/{name}")
async def call_tool(
    name: str, platform: CurrentPlatform, who: Reader, arguments: Annotated[dict[str, Any], Body()]
) -> dict[str, Any]:
    """Call a tool with its arguments as the body; `GET /api/tools` has their schemas."""
    result = await platform.tools.call(name, arguments, platform.tool_context(who, "api"))
    return result.model_dump(mode="json", by_alias=True)
