"""The page on talking with pages holds every event with its fields, and every page that ships."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from whence.app.platform import Platform
from whence.transports.routes.streams.agent_events import AGENT_EVENTS, AgentEvent, names

PAGE = "docs/reference/agent.md"
each = pytest.mark.parametrize("event", AGENT_EVENTS, ids=lambda event: event.type)


def test_every_type_has_a_section_and_none_that_is_gone(page: Callable[[str], Any]) -> None:
    named = [title.strip("`") for title in page(PAGE).headings if title.startswith("`")]

    assert named == [event.type for event in AGENT_EVENTS]


@each
def test_its_fields_are_documented_and_none_that_are_gone(
    event: type[AgentEvent], page: Callable[[str], Any], table_rows: Callable[[str], Any]
) -> None:
    rows = table_rows(page(PAGE).section(f"`{event.type}`"))

    assert [row[0].strip("`") for row in rows] == names(event)
    assert all(len(row) == 3 and row[1] and row[2].endswith(".") for row in rows)


@each
def test_its_example_is_such_an_event_as_it_goes_over_the_wire(
    event: type[AgentEvent],
    page: Callable[[str], Any],
    code_blocks: Callable[[str, str], list[str]],
) -> None:
    [example] = code_blocks(page(PAGE).section(f"`{event.type}`"), "json")
    payload = json.loads(example)

    assert payload.pop("type") == event.type
    assert event.model_validate(payload).shown() == {"type": event.type, **payload}


@pytest.mark.anyio
async def test_every_page_that_ships_is_listed_with_its_ids(
    platform: Platform, page: Callable[[str], Any], table_rows: Callable[[str], Any]
) -> None:
    rows = [row for row in table_rows(page(PAGE).section("Request")) if "." in row[0]]
    values = {row[0].strip("`"): row[1] for row in rows}
    offered = {
        item.name: ", ".join(f"`{info.alias}`" for info in item.ids.model_fields.values())
        for item in platform.pages.all_pages
        if not item.name.startswith("sample_pack.")
    }

    assert values == {name: ids or "none" for name, ids in offered.items()}
