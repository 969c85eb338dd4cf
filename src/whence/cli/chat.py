"""`whence chat KIND/ID`: talk to a record in the terminal, with the same engine as everywhere."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated, Any
from uuid import UUID

import typer
from rich.console import Console
from rich.markup import escape

from whence.chat import sessions
from whence.chat.applying import apply_action
from whence.cli import session
from whence.cli.asking import typed
from whence.events.log import Event
from whence.kernel.errors import Invalid, WhenceError
from whence.kernel.ids import new_id
from whence.sdk.platform import Platform
from whence.subjects import store

ANSWER_FAILED = 3
"""Exit code when the answer could not be given."""


def chat(
    subject: Annotated[
        str, typer.Argument(help="KIND/ID, as items/HP-001 (ours or the imported id)")
    ],
    question: Annotated[
        str | None, typer.Argument(help="One message; without it, talk until an empty line")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="The answer to the question as one line of JSON")
    ] = False,
) -> None:
    """Talk to a record: ask, change with your yes, start research.

    Exit code 0 answered, 2 unknown record or usage, 3 no answer could be given.
    """
    kind_name, separator, reference = subject.partition("/")
    if not separator or not reference:
        raise Invalid(f"Write KIND/ID, as items/HP-001, not '{subject}'.")
    if as_json and question is None:
        raise Invalid("--json needs a question.")
    found = session.settings()
    console = session.progress() if as_json else session.out()

    async def work() -> bool:
        async with session.opened(found, working=True) as built:
            built.turns.start()
            kind = built.kind(kind_name)
            async with built.unit(built.owner) as unit:
                row = await store.resolve(unit, kind, reference)
                kept = await sessions.open_session(unit, built.owner, kind.kind, row.id)
            talk = Talk(built, kept.id, console, quiet=as_json)
            if question is not None:
                answer = await talk.say(question)
                if as_json:
                    print(session.as_line(answer))
                return answer["status"] == "complete"
            console.print(f"[dim]About {escape(subject)}. An empty line ends it.[/dim]")
            while line := await _line(console):
                await talk.say(line)
            return True

    if not session.run(work):
        raise typer.Exit(ANSWER_FAILED)


class Talk:
    """One conversation at the terminal."""

    def __init__(self, built: Platform, session_id: UUID, console: Console, *, quiet: bool) -> None:
        self._built = built
        self._session_id = session_id
        self._console = console
        self._quiet = quiet
        self._seq = 0

    async def say(self, words: str) -> dict[str, Any]:
        """Send, show what comes, ask about changes; the answer as on the wire.

        Where research was started, its progress and its outcome are waited for.
        """
        begun = await self._built.turns.send(
            self._built.owner, self._session_id, words, str(new_id())
        )
        answer = await self._until_whole(begun.answer.id)
        if self._quiet:
            return answer
        self._show(answer)
        for index, action in enumerate(answer["actions"]):
            await self._decide(begun.answer.id, index, action)
        if "research" in answer["meta"]:
            await self._until_outcome()
        return answer

    async def _until_whole(self, answer_id: UUID) -> dict[str, Any]:
        whole: dict[str, Any] = {}
        async with aclosing(self._events()) as events:
            async for event in events:
                match event.type:
                    case "message" if event.payload["message"]["id"] == str(answer_id):
                        whole = event.payload["message"]
                    case "tool_call" if event.payload["status"] != "running" and not self._quiet:
                        said = f"{event.payload['name']}: {event.payload['summary'] or 'done'}"
                        self._console.print(f"[dim]{escape(said)}[/dim]")
                    case "turn_ended" if event.payload["messageId"] == str(answer_id):
                        return whole
                    case _:
                        pass
        raise AssertionError("a turn ends with turn_ended")

    async def _until_outcome(self) -> None:
        async with aclosing(self._events()) as events:
            async for event in events:
                match event.type:
                    case "research_progress" if event.payload["status"] != "node_started":
                        self._console.print(f"    [dim]{escape(event.payload['message'])}[/dim]")
                    case "message" if event.payload["message"]["role"] == "notice":
                        self._console.print(escape(event.payload["message"]["content"]))
                        return
                    case _:
                        pass

    async def _events(self) -> AsyncGenerator[Event]:
        org_id = self._built.owner.org_id
        async with aclosing(self._built.bus.tail(org_id, self._session_id, self._seq)) as batches:
            async for batch in batches:
                for event in batch:
                    self._seq = event.seq
                    yield event

    def _show(self, answer: dict[str, Any]) -> None:
        self._console.print(escape(answer["content"]))
        for each in answer["citations"]:
            where = f"  {each['url']}" if each["url"] else ""
            line = f"[{each['number']}] {each['title']}: {each['snippet']}{where}"
            self._console.print(f"[dim]{escape(line)}[/dim]", soft_wrap=True)
        if notice := answer["meta"].get("notice"):
            self._console.print(f"[yellow]{escape(notice['text'])}[/yellow]")

    async def _decide(self, message_id: UUID, index: int, action: dict[str, Any]) -> None:
        for change in action["changes"]:
            line = f"{change['field']}: {change['before']} → {change['after']}"
            self._console.print(f"  [bold]{escape(line)}[/bold]")
        if not sys.stdin.isatty():
            self._console.print("[dim]Proposed; nobody is here to apply it.[/dim]")
            return
        self._console.print("Apply it? y/n")
        if (await typed() or "").strip().lower() not in ("y", "yes"):
            self._console.print("[dim]Left as it was.[/dim]")
            return
        built = self._built
        try:
            await apply_action(built.db, built.owner, built.kinds, message_id, index)
        except WhenceError as refusal:
            self._console.print(f"[red]{escape(refusal.message)}[/red]")
        else:
            self._console.print("[green]Applied.[/green]")


async def _line(console: Console) -> str | None:
    console.print("[bold]>[/bold] ", end="")
    # What is read ahead of a pipe is not heard of again; a terminal gives one line at a time.
    line = await (typed() if sys.stdin.isatty() else asyncio.to_thread(sys.stdin.readline))
    return (line or "").strip() or None
