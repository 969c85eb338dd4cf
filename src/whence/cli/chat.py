"""`whence chat KIND/ID`: talk to a record in the terminal, with the same engine as everywhere."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import typer
from rich.console import Console
from rich.markup import escape
from sqlalchemy.ext.asyncio import AsyncSession

from whence.app.platform import Platform
from whence.chat.transcript import sessions
from whence.chat.transcript.tables import ChatSession
from whence.cli import session
from whence.cli.conversation import Conversation
from whence.cli.lines import Lines
from whence.cli.show import named
from whence.db.tables import SubjectRow
from whence.events import log
from whence.kernel.errors import Invalid, NotFound, WhenceError
from whence.records import store

MESSAGE_REFUSED = 2
"""Exit code when a piped message was refused, such as one that is too long."""
ANSWER_FAILED = 3
"""Exit code when an answer could not be given."""
MOST_ECHOED = 200
"""Characters of a piped message that are shown above its answer."""
QUIT = "/quit"
HINT = f"{QUIT} or Ctrl-D ends it, Ctrl-C stops an answer."


def chat(
    subject: Annotated[
        str, typer.Argument(help="KIND/ID, such as items/HP-001 (whence's id or the imported one)")
    ],
    question: Annotated[
        str | None, typer.Argument(help=f"One message; without it, talk until {QUIT}")
    ] = None,
    conversation: Annotated[
        UUID | None, typer.Option("--session", help="Continue this conversation of yours")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="The answer to the question as one line of JSON")
    ] = False,
) -> None:
    """Talk to a record: ask questions, approve changes, start research.

    Exit codes: 0 answered, 2 unknown record, wrong usage or a refused piped message, 3 no answer
    was possible.
    """
    kind_name, reference = named(subject)
    if as_json and question is None:
        raise Invalid("--json needs a question.")
    settings = session.settings()
    console = session.progress() if as_json else session.out()

    async def work() -> int:
        async with session.opened(settings, working=True) as platform:
            platform.turns.start()
            kind = platform.kind(kind_name)
            async with platform.unit(platform.owner) as unit:
                row = await store.resolve(unit, kind, reference)
                chat_session = await _conversation(platform, unit, row, kind.kind, conversation)
                after = await log.last_seq(unit, chat_session.id)
            lines = Lines()
            chat_view = Conversation(
                platform, chat_session.id, console, quiet=as_json, lines=lines, after=after
            )
            if question is not None:
                answer = await chat_view.send(question)
                if as_json:
                    print(session.as_line(answer))
                return 0 if answer["status"] == "complete" else ANSWER_FAILED
            console.print(f"[dim]About {escape(subject)}. {HINT}[/dim]")
            exit_code = await _converse(chat_view, lines, console)
            again = f"whence chat {escape(subject)} --session {chat_session.id}"
            console.print(f"[dim]Continue with: {again}[/dim]", soft_wrap=True)
            # Whoever sat at the terminal has seen what was refused, and what failed.
            return 0 if lines.is_terminal else exit_code

    if code := session.run(work):
        raise typer.Exit(code)


async def _conversation(
    platform: Platform, unit: AsyncSession, row: SubjectRow, kind: str, wanted: UUID | None
) -> ChatSession:
    """The requested conversation, or a new one.  Raises NotFound for another record's."""
    if wanted is None:
        return await sessions.open_session(unit, platform.owner, kind, row.id)
    conversation = await sessions.get(unit, platform.owner, wanted)
    if (conversation.kind, conversation.subject_id) != (kind, row.id):
        raise NotFound("This conversation is not about that record.")
    return conversation


async def _converse(chat_view: Conversation, lines: Lines, console: Console) -> int:
    """Send one message after the other until there are no more; the worst exit code."""
    worst = 0
    while True:
        if lines.is_terminal:
            console.print("[bold]>[/bold] ", end="")
        try:
            line = await lines.next()
            if line is None and lines.is_terminal:
                console.print()
            if line is None or line.strip() == QUIT:
                return worst
            if not line.strip():
                continue
            if not lines.is_terminal:
                console.print(f"[bold]>[/bold] {escape(_echo(line.strip()))}")
            answer = await chat_view.send(line.strip())
        except NotFound:
            raise
        except WhenceError as refusal:
            console.print(f"[red]{escape(refusal.message)}[/red]")
            worst = max(worst, MESSAGE_REFUSED if isinstance(refusal, Invalid) else ANSWER_FAILED)
        else:
            worst = max(worst, 0 if answer["status"] == "complete" else ANSWER_FAILED)


def _echo(line: str) -> str:
    if len(line) <= MOST_ECHOED:
        return line
    return f"{line[:MOST_ECHOED].rstrip()} … ({len(line):,} characters)"
