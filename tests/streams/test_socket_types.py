"""The published types are those of the models, and what the server sends is of these models."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from whence.transports.routes.sockets.server_events import SERVER_EVENTS

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def writer() -> ModuleType:
    place = REPOSITORY / "scripts" / "write_socket_types.py"
    spec = importlib.util.spec_from_file_location("write_socket_types", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_published_types_are_those_of_the_models(writer: ModuleType) -> None:
    published = writer.PLACE.read_text(encoding="utf-8")

    assert published == writer.written(), "run scripts/write_socket_types.py"


def test_every_event_is_published(writer: ModuleType) -> None:
    text = writer.written()

    for event in SERVER_EVENTS:
        assert f"  {event.name}: (data: {event.payload.__name__}" in text
    assert "send_message: (payload: Send, acknowledge: (answer: Acknowledgement<TurnBegun>)" in text
    assert "wizardInput?: Record<string, unknown> | null" in text
    assert "clientMessageId?: string | null" in text
