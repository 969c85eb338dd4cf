"""Writes `docs/reference/socket.d.ts`: the Socket.IO protocol as TypeScript types.

The types come from the models that the server itself validates and sends; a test compares the file
with them.

    python scripts/write_socket_types.py
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic.json_schema import JsonSchemaMode, models_json_schema

from whence.chat.proposals.views import Action
from whence.kernel.wire import Wire
from whence.transports.edge.problems import Problem
from whence.transports.routes.sockets.contract import CHAT, CLIENT_EVENTS, RESEARCH, ClientEvent
from whence.transports.routes.sockets.server_events import SERVER_EVENTS, ServerEvent
from whence.wizards.chatting import WizardInput
from whence.wizards.payload import StepPayload

PLACE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "socket.d.ts"
HEAD = """\
/**
 * The Socket.IO protocol of whence, for `socket.io-client`:
 *
 *     const chat: Socket<ChatServerEvents, ChatClientEvents> = io(`${url}/chat`, { auth });
 *
 * Written by scripts/write_socket_types.py from the server's own models; do not edit.
 */

/** What every event of a client is acknowledged with. */
export type Acknowledgement<T> = ({ ok: true } & T) | { ok: false; error: Problem };
"""
_PRIMITIVES = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean"}
_NAMES = {RESEARCH: "Research", CHAT: "Chat"}
SENT: JsonSchemaMode = "validation"
RECEIVED: JsonSchemaMode = "serialization"
Schema = Mapping[str, Any]


def written() -> str:
    """The whole file."""
    # A problem leaves out what it has no value for, as what a client sends may.
    sent = dict.fromkeys([*(event.payload for event in CLIENT_EVENTS), WizardInput, Problem])
    received = dict.fromkeys([*_received(), Action, StepPayload])
    definitions: dict[str, Schema] = {}
    for models, mode in ((received, RECEIVED), (sent, SENT)):
        _, schema = models_json_schema([(each, mode) for each in models], ref_template="{model}")
        definitions |= schema["$defs"]
    types = [_declared(name, definitions[name]) for name in sorted(definitions)]
    namespaces = [
        part
        for namespace, name in _NAMES.items()
        for part in (_server_events(namespace, name), _client_events(namespace, name))
    ]
    return "\n".join([HEAD, *types, *namespaces])


def _received() -> Iterable[type[Wire]]:
    for event in SERVER_EVENTS:
        yield event.payload
    for event in CLIENT_EVENTS:
        if event.answer is not None:
            yield event.answer


def _declared(name: str, schema: Schema) -> str:
    comment = _comment(schema.get("description"))
    if "properties" not in schema and schema.get("type") != "object":
        return f"{comment}export type {name} = {_type(schema)};\n"
    lines = [f"  {field}" for field in _fields(schema)]
    return "\n".join([f"{comment}export interface {name} {{", *lines, "}\n"])


def _fields(schema: Schema) -> list[str]:
    required = set(schema.get("required", ()))
    return [
        f"{key}{'' if key in required else '?'}: {_type(value)};"
        for key, value in schema.get("properties", {}).items()
    ]


def _type(schema: Schema) -> str:
    match schema:
        case {"$ref": str(name)}:
            return name
        case {"const": value}:
            return json.dumps(value)
        case {"enum": list(values)}:
            return " | ".join(json.dumps(value) for value in values)
        case {"anyOf": list(arms)} | {"oneOf": list(arms)}:
            return " | ".join(dict.fromkeys(_type(arm) for arm in arms))
        case {"type": "null"}:
            return "null"
        case {"type": "array"}:
            return f"Array<{_type(schema.get('items', {}))}>"
        case {"type": "object", "properties": dict()}:
            return f"{{ {' '.join(_fields(schema))} }}"
        case {"type": "object"}:
            inner = schema.get("additionalProperties")
            return f"Record<string, {_type(inner) if isinstance(inner, dict) else 'unknown'}>"
        case {"type": str(name)}:
            return _PRIMITIVES[name]
        case _:
            return "unknown"


def _server_events(namespace: str, name: str) -> str:
    lines = [
        f"  {event.name}: (data: {_data(event)}) => void;"
        for event in SERVER_EVENTS
        if event.namespace == namespace
    ]
    title = f"/** What the server sends in the namespace `{namespace}`. */"
    return "\n".join([title, f"export interface {name}ServerEvents {{", *lines, "}\n"])


def _data(event: ServerEvent) -> str:
    more = [f"{name}: {_PRIMITIVES[kind]}" for name, kind in event.more.items()]
    name = event.payload.__name__
    return f"{name} & {{ {'; '.join(more)} }}" if more else name


def _client_events(namespace: str, name: str) -> str:
    lines = [_sending(event) for event in CLIENT_EVENTS if event.namespace == namespace]
    title = f"/** What a client sends in the namespace `{namespace}`. */"
    return "\n".join([title, f"export interface {name}ClientEvents {{", *lines, "}\n"])


def _sending(event: ClientEvent) -> str:
    answer = event.answer.__name__ if event.answer else "object"
    return (
        f"  {event.name}: (payload: {event.payload.__name__}, "
        f"acknowledge: (answer: Acknowledgement<{answer}>) => void) => void;"
    )


def _comment(text: str | None) -> str:
    if not text:
        return ""
    lines = textwrap.wrap(" ".join(text.split()), 94)
    if len(lines) == 1:
        return f"/** {lines[0]} */\n"
    return "\n".join(["/**", *(f" * {line}" for line in lines), " */\n"])


if __name__ == "__main__":
    PLACE.write_text(written(), encoding="utf-8")
