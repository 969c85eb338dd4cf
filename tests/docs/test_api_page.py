"""The API page holds every route of the built program, every problem, and what a job answers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from whence.app.platform import Platform
from whence.kernel.text import camel
from whence.transports.edge.problems import TABLE
from whence.transports.routes.http.application import application
from whence.transports.routes.job_view import Job, Step
from whence.transports.routes.sse import agent, chat_events, work_events

PAGE = "docs/reference/api.md"
pytestmark = pytest.mark.anyio


async def test_every_route_is_documented_and_none_that_is_gone(
    platform: Platform, page: Callable[[str], Any]
) -> None:
    paths = application(
        platform, more=[work_events.router, chat_events.router, agent.router]
    ).openapi()["paths"]
    offered = {
        (method.upper(), _of_any_kind(path))
        for path, calls in paths.items()
        for method in calls
        if not path.startswith("/api/sample_pack/")  # a pack's own, which its author describes
    }
    reported = set(re.findall(r"^\| `([A-Z]+) (/[^`]*)`", page(PAGE).text, re.MULTILINE))

    assert reported == offered


async def test_every_problem_is_documented_with_its_status(
    page: Callable[[str], Any], table_rows: Callable[[str], Any]
) -> None:
    known = {f"/problems/{slug}": str(status) for status, slug, _ in TABLE.values()}
    known["/problems/unexpected"] = "500"

    assert {row[0].strip("`"): row[1] for row in table_rows(page(PAGE).section("Errors"))} == known


@pytest.mark.parametrize("model", [Job, Step])
async def test_every_field_of_a_job_is_documented(model: Any, page: Callable[[str], Any]) -> None:
    section = page(PAGE).section("Research")

    assert all(f"`{camel(name)}`" in section for name in model.model_fields)


def _of_any_kind(path: str) -> str:
    """The address for every kind, and for every list of records that refer to one."""
    path = re.sub(r"^/api/(items|leave-requests|notes|remarks)\b", "/api/{kind}", path)
    return re.sub(r"^(/api/{kind}/{id})/(quoting-)?remarks\b", r"\1/{list}", path)
