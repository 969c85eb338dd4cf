"""A conversation in the terminal: events are shown as they arrive, changes wait for a `y`."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import aclosing, contextmanager, nullcontext
from typing import Any
from uuid import UUID

from rich.console import Console
from rich.markup import escape

from whence.app.platform import Platform
from whence.chat.proposals.applying import apply_action
from whence.cli.lines import Lines
from whence.events.log import Event
from whence.kernel.errors import WhenceError
from whence.kernel.ids import new_id


class Conversation:
    """Sends messages and shows the answers.

    `quiet` shows nothing, for output as JSON.  With the `lines` of a terminal, Ctrl-C stops an
    answer instead of the program, and changes can be applied.
    """

    def __init__(
        self,
        platform: Platform,
        session_id: UUID,
        console: Console,
        *,
        quiet: bool,
        lines: Lines | None = None,
        after: int = 0,
    ) -> None:
        self._platform = platform
        self._session_id = session_id
        self._console = console
        self._quiet = quiet
        self._lines = lines if lines and lines.is_terminal else None
        self._seq = after
        self._live = ""
        """The part of the answer that is already on the screen."""
        self._outcomes: set[str] = set()
        """Runs whose outcome was shown."""

    async def send(self, words: str) -> dict[str, Any]:
        """Send a message, show the answer, offer its changes; returns the answer as on the wire.

        If research was started, waits for its outcome and shows its progress.
        """
        who = self._platform.owner
        begun = await self._platform.turns.send(who, self._session_id, words, str(new_id()))
        with self._on_interrupt(self._stop_answer):
            answer = await self._until_whole(begun.answer.id)
        if self._quiet:
            return answer
        self._show(answer)
        for index, action in enumerate(answer["actions"]):
            await self._decide(begun.answer.id, index, action)
        if research := answer["meta"].get("research"):
            await self._follow(str(research["jobId"]))
        return answer

    async def _until_whole(self, answer_id: UUID) -> dict[str, Any]:
        whole: dict[str, Any] = {}
        self._live = ""
        async with aclosing(self._events()) as events:
            async for event in events:
                match event.type:
                    case "message" if event.payload["id"] == str(answer_id):
                        whole = event.payload
                    case "message" if event.payload["role"] == "notice":
                        self._show_notice(event.payload)
                    case "token" if event.payload["messageId"] == str(answer_id):
                        self._show_piece(event.payload["token"])
                    case "tool_call" if event.payload["status"] != "running" and not self._quiet:
                        call = f"{event.payload['name']}: {event.payload['summary'] or 'done'}"
                        self._break()
                        self._console.print(f"[dim]{escape(call)}[/dim]")
                    case "turn_ended" if event.payload["messageId"] == str(answer_id):
                        return whole
                    case _:
                        pass
        raise AssertionError("a turn ends with turn_ended")

    async def _follow(self, job_id: str) -> None:
        following = asyncio.ensure_future(self._until_outcome(job_id))
        detached = False

        def leave() -> None:
            nonlocal detached
            detached = True
            following.cancel()

        with self._on_interrupt(leave):
            try:
                await following
            except asyncio.CancelledError:
                if not detached:
                    following.cancel()
                    raise
                self._console.print(
                    "[dim]The research continues; its outcome will appear here.[/dim]"
                )

    async def _until_outcome(self, job_id: str) -> None:
        async with aclosing(self._events()) as events:
            while job_id not in self._outcomes:
                event = await anext(events)
                match event.type:
                    case "research_progress" if event.payload["status"] != "node_started":
                        self._console.print(f"    [dim]{escape(event.payload['message'])}[/dim]")
                    case "message" if event.payload["role"] == "notice":
                        self._show_notice(event.payload)
                    case _:
                        pass

    async def _events(self) -> AsyncGenerator[Event]:
        org_id = self._platform.owner.org_id
        async with aclosing(
            self._platform.bus.tail(org_id, self._session_id, self._seq)
        ) as batches:
            async for batch in batches:
                for event in batch:
                    self._seq = event.seq
                    yield event

    def _show_piece(self, piece: str) -> None:
        if self._console.is_terminal and not self._quiet:
            self._live += piece
            self._console.print(escape(piece), end="", soft_wrap=True, highlight=False)

    def _break(self) -> None:
        if self._live and not self._live.endswith("\n"):
            self._console.print()
            self._live += "\n"

    def _show_notice(self, notice: dict[str, Any]) -> None:
        if job_id := notice["meta"].get("research", {}).get("jobId"):
            self._outcomes.add(job_id)
        if not self._quiet:
            self._break()
            self._console.print(escape(notice["content"]))
            self._show_references(notice)

    def _show(self, answer: dict[str, Any]) -> None:
        self._break()
        if "".join(self._live.split()) != "".join(answer["content"].split()):
            self._console.print(escape(answer["content"]))
        if answer["status"] == "stopped":
            self._console.print("[dim]Stopped.[/dim]")
        self._show_references(answer)
        if notice := answer["meta"].get("notice"):
            self._console.print(f"[yellow]{escape(notice['text'])}[/yellow]")

    def _show_references(self, message: dict[str, Any]) -> None:
        for each in message["citations"]:
            where = f"  {each['url']}" if each["url"] else ""
            line = f"[{each['number']}] {each['title'].rstrip('.')}: {each['snippet']}{where}"
            self._console.print(f"[dim]{escape(line)}[/dim]", soft_wrap=True)

    async def _decide(self, message_id: UUID, index: int, action: dict[str, Any]) -> None:
        for change in action["changes"]:
            field = action.get("called", {}).get(change["field"], change["field"])
            words = action.get("inWords", {}).get(change["field"], change)
            line = f"{field}: {_shown(words['before'])} → {_shown(words['after'])}"
            self._console.print(f"  [bold]{escape(line)}[/bold]")
        if self._lines is None:
            self._console.print("[dim]Proposed, but not applied: this is not a terminal.[/dim]")
            return
        self._console.print("Apply it? y/n")
        reply = (await self._lines.next() or "").strip()
        if reply.lower() not in ("y", "yes"):
            unsent = (
                ""
                if reply.lower() in ("", "n", "no")
                else f" “{reply}” was not sent; enter it again."
            )
            self._console.print(f"[dim]Nothing was changed.{escape(unsent)}[/dim]")
            return
        platform = self._platform
        try:
            await apply_action(
                platform.db,
                platform.owner,
                platform.kinds,
                message_id,
                index,
                follow_up=platform.follow_ups,
            )
        except WhenceError as refusal:
            self._console.print(f"[red]{escape(refusal.message)}[/red]")
        else:
            self._console.print("[green]Applied.[/green]")

    @contextmanager
    def _on_interrupt(self, act: Callable[[], None]) -> Generator[None]:
        """The first Ctrl-C calls `act`; the second, or one elsewhere, ends the program."""
        with interrupting(act) if self._lines else nullcontext():
            yield

    def _stop_answer(self) -> None:
        stopping = self._platform.turns.stop(self._platform.owner, self._session_id)
        self._stopping = asyncio.ensure_future(stopping)  # asyncio keeps only a weak reference


def _shown(value: object) -> str:
    """A value for display: `140` for 140.0, `(empty)` for none."""
    if isinstance(value, float):
        return f"{value:.15g}"
    return "(empty)" if value in (None, "", [], {}) else str(value)


@contextmanager
def interrupting(act: Callable[[], None]) -> Generator[None]:
    """Call `act` on the first Ctrl-C, and cancel this task on the second."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    before = signal.getsignal(signal.SIGINT)
    pressed = False

    def interrupted() -> None:
        nonlocal pressed
        if pressed and task:
            task.cancel()
        elif not pressed:
            act()
        pressed = True

    loop.add_signal_handler(signal.SIGINT, interrupted)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        signal.signal(signal.SIGINT, before)
