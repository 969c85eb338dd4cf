"""The events page holds every type of event with its fields, and an example that is one."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from whence.chat.transcript.event_types import CHAT_EVENTS
from whence.events.base import StreamEvent
from whence.events.types import RUN_EVENTS
from whence.kernel.text import camel

PAGE = "docs/reference/events.md"
EVENTS: tuple[type[StreamEvent], ...] = (*RUN_EVENTS, *CHAT_EVENTS)
each = pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.type)


def test_every_type_has_a_section_and_none_that_is_gone(page: Callable[[str], Any]) -> None:
    named = [title.strip("`") for title in page(PAGE).headings if title.startswith("`")]

    assert named == [event.type for event in EVENTS]


@each
def test_its_fields_are_documented_and_none_that_are_gone(
    event: type[StreamEvent], page: Callable[[str], Any], table_rows: Callable[[str], Any]
) -> None:
    rows = table_rows(page(PAGE).section(f"`{event.type}`"))

    assert [row[0].strip("`") for row in rows] == [camel(name) for name in event.model_fields]
    assert all(len(row) == 3 and row[1] and row[2].endswith(".") for row in rows)


@each
def test_its_example_is_such_an_event_as_it_goes_over_the_wire(
    event: type[StreamEvent],
    page: Callable[[str], Any],
    code_blocks: Callable[[str, str], list[str]],
) -> None:
    [example] = code_blocks(page(PAGE).section(f"`{event.type}`"), "json")
    payload = json.loads(example)

    assert event.model_validate(payload).model_dump(mode="json", by_alias=True) == payload
