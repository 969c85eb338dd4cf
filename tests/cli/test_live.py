"""A run's events as a person at a terminal reads them."""

from __future__ import annotations

import io

import pytest

from whence.cli import live
from whence.cli.session import SafeConsole
from whence.events.log import Event
from whence.kernel.clock import now

STARTED = {"step": 1, "node": "load_context"}
COMPLETE = {**STARTED, "status": "success", "durationMs": 20.0, "error": None}
XTERM, DUMB, NO_TERMINAL = {"TERM": "xterm"}, {"TERM": "dumb"}, None


def written(terminal: dict[str, str] | None, *events: tuple[str, dict[str, object]]) -> str:
    text = io.StringIO()
    is_terminal = terminal is not None
    console = SafeConsole(
        file=text, force_terminal=is_terminal, color_system=None, width=80, _environ=terminal
    )
    for seq, (name, payload) in enumerate(events, start=1):
        live.print_event(Event(seq, name, payload, now()), console)
    return text.getvalue()


@pytest.mark.parametrize("terminal", [XTERM, DUMB, NO_TERMINAL])
def test_a_node_has_one_line_once_it_is_through(terminal: dict[str, str] | None) -> None:
    text = written(terminal, ("node_started", STARTED), ("node_complete", COMPLETE))
    # What a carriage return goes back to is written over.
    [line] = [line.rpartition("\r")[2] for line in text.removesuffix("\n").split("\n")]
    assert line.split() == ["1", "load_context", "0.02", "s", "done"]


def test_a_node_that_runs_is_named_meanwhile_at_a_terminal() -> None:
    assert written(XTERM, ("node_started", STARTED)) == "  1 load_context ...\r"
    assert written(NO_TERMINAL, ("node_started", STARTED)) == ""
