"""Whether a checkpoint that one version of a flow wrote can be gone on from by another one.

Only what the structure shows is judged.  A change that it cannot show (another meaning of a field,
a field that a later node needs and no earlier one wrote) is for the major part of the version.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_type_hints

from langgraph.checkpoint.base import CheckpointTuple
from pydantic import TypeAdapter, ValidationError

from whence.research.flow import Flow
from whence.research.shape import joins_of

_TRIGGER = "branch:to:"
"""How LangGraph names the channel by which a node is due."""
_START = "__start__"
"""The channel that holds the input, until it has become the state."""
_SENT = "__pregel_tasks"
"""The channel that holds the branches of a fork that are due, each with a state of its own."""
_JOIN = "join:"
"""How LangGraph names the channel in which a join counts what has arrived: `join:a+b:end`."""


@dataclass(frozen=True)
class Saved:
    """What a checkpoint holds: the state so far, and the nodes that it would run next."""

    values: Mapping[str, object]
    due: frozenset[str]
    """Also nodes that have ended beside one that has not: their results are known by their name."""
    joins: frozenset[str] = frozenset()
    """The joins at which something has arrived, in LangGraph's words: `a+b:end`."""


def saved(checkpoint: CheckpointTuple) -> Saved:
    """Read LangGraph's checkpoint; the latest value counts where a node beside has ended."""
    values: dict[str, object] = {}
    due: set[str] = set()
    joins: set[str] = set()
    document = checkpoint.checkpoint
    if document["channel_versions"].keys() < document["channel_values"].keys():
        raise ValueError("a value without its version")
    channels: Mapping[str, Any] = document["channel_values"]
    written = [(channel, value) for _, channel, value in checkpoint.pending_writes or []]
    for channel, value in [*channels.items(), *written]:
        if channel == _START:
            values |= value
        elif channel.startswith(_TRIGGER):
            due.add(channel.removeprefix(_TRIGGER))
        elif channel == _SENT:
            due |= {each.node for each in (value if isinstance(value, list) else [value])}
        elif channel.startswith(_JOIN):
            joins |= {channel.removeprefix(_JOIN)} if value else set()
        elif not channel.startswith("__"):
            values[channel] = value
    return Saved(values, frozenset(due), frozenset(joins))


def incompatibility(flow: Flow, written_by: str, checkpoint: Saved) -> str | None:
    """Why `flow` cannot go on from what its version `written_by` saved, in words; None: it can."""
    if _major(flow.version) != _major(written_by):
        return f"version {flow.version} does not go on from version {written_by}"
    if missing := sorted(checkpoint.due - set(flow.names)):
        return f"it has no step {' and '.join(missing)}, which was next"
    barriers = joins_of(flow.shape).barriers.items()
    offered = {f"{'+'.join(sources)}:{target}" for target, sources in barriers}
    if lost := sorted(checkpoint.joins - offered):
        sources, _, target = lost[0].partition(":")
        return f"it does not join {' and '.join(sources.split('+'))} before {target}"
    for key, hint in get_type_hints(flow.state).items():
        if key in checkpoint.values and (problem := _invalid(hint, checkpoint.values[key])):
            return f"what was saved as {key} does not fit ({problem})"
    return None


def _major(version: str) -> str:
    return version.partition(".")[0]


def _invalid(hint: Any, value: object) -> str | None:
    """Judged as JSON, strictly: a node was promised this type, and state is plain values."""
    try:
        TypeAdapter(hint).validate_json(json.dumps(value), strict=True)
    except ValidationError as error:
        return error.errors(include_url=False, include_input=False)[0]["msg"]
    except (TypeError, ValueError):
        return "it is no plain value"
    return None
