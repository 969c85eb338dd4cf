"""Exports a conversation as a file: JSON as on the wire, or Markdown to read.

Messages are data.  In Markdown they are block quotes with images, HTML and links made inert, so
that no message can pose as another and opening the file loads nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, AsyncIterable, Sequence
from datetime import datetime
from enum import StrEnum

from whence.chat.citing.safe_markup import without_control_characters
from whence.chat.transcript.views import Cited, MessageAnswer, SessionAnswer

BATCH = 100
"""Messages to read and write at a time: a conversation is never completely in memory, and other
requests run in between."""
_SPEAKER = {"user": "You", "assistant": "Answer", "notice": "Notice"}
_STATE = {
    "streaming": "still being written",
    "stopped": "stopped",
    "interrupted": "interrupted",
    "failed": "failed",
}
_ACTIVE = re.compile(r"[<>\[\]!`\\]")
"""Characters that begin HTML, an image, a link or code in Markdown; and the backslash, which would
cancel the escape of the next character."""
_ADDRESS = re.compile(r"(?:(?:https?|ftp)://|www\.)[^\s`]+|(?<![\w.+-])[\w.+-]+@[\w.+@-]+", re.I)
"""What many Markdown readers turn into links by themselves (GitHub's autolinks)."""


class Format(StrEnum):
    JSON = "json"
    MARKDOWN = "md"


MEDIA_TYPES = {Format.JSON: "application/json", Format.MARKDOWN: "text/markdown; charset=utf-8"}


async def export_pieces(
    conversation: SessionAnswer,
    batches: AsyncIterable[Sequence[MessageAnswer]],
    file_format: Format,
    at: datetime,
) -> AsyncGenerator[str]:
    """The file piece by piece; `at` is the time of the export."""
    match file_format:
        case Format.JSON:
            head = conversation.model_dump_json(by_alias=True)
            yield f'{{"exportedAt": {json.dumps(at.isoformat())}, "session": {head}, "messages": ['
            separator = "\n"
            async for batch in batches:
                for message in batch:
                    yield separator + message.model_dump_json(by_alias=True)
                    separator = ",\n"
            yield "\n]}\n"
        case Format.MARKDOWN:
            yield _heading(conversation, at)
            async for batch in batches:
                for message in batch:
                    yield markdown(message)


def markdown(message: MessageAnswer) -> str:
    """One message with its references."""
    notes = [_STATE[message.status]] if message.status in _STATE else []
    if message.superseded_by:
        notes.append("superseded by a later answer")
    state = f" ({', '.join(notes)})" if notes else ""
    moment = f"{message.created_at:%Y-%m-%d %H:%M} UTC"
    lines = [f"## {message.ordinal}. {_SPEAKER[message.role]}, {moment}{state}", ""]
    lines += [f"> {inert(line)}".rstrip() for line in message.content.splitlines()]
    if message.tool_calls:
        calls = ", ".join(
            f"{inert(call.name)} ({inert(call.status)})" for call in message.tool_calls
        )
        lines += ["", f"Looked up: {calls}"]
    if message.citations:
        lines += ["", *(_reference(item) for item in message.citations)]
    return "\n".join([*lines, "", ""])


def inert(text: str) -> str:
    """Text that Markdown shows as written; addresses become code, which is never a link."""
    text, out, at = without_control_characters(text), list[str](), 0
    for address in _ADDRESS.finditer(text):
        out += [_escaped(text[at : address.start()]), f"`{address[0]}`"]
        at = address.end()
    return "".join([*out, _escaped(text[at:])])


def _escaped(text: str) -> str:
    return _ACTIVE.sub(lambda match: "\\" + match[0], text)


def _reference(item: Cited) -> str:
    where = item.path or (str(item.id) if item.id else "")
    parts = [f"**{inert(' '.join(item.title.split()))}**", inert(item.snippet)]
    if item.url:
        parts.append(inert(item.url))
    if where:
        parts.append(inert(f"{item.kind} {where}"))
    return f"- \\[{item.number}\\] " + ": ".join(parts[:2]) + "".join(f" · {p}" for p in parts[2:])


def _heading(conversation: SessionAnswer, at: datetime) -> str:
    title = inert(" ".join(conversation.title.split())) or "Conversation"
    about = f"{conversation.kind}/{conversation.subject_id}" if conversation.kind else "a page"
    return (
        f"# {title}\n\nAbout {about}. {conversation.message_count} messages. "
        f"Exported {at:%Y-%m-%d %H:%M} UTC.\n\n"
    )
