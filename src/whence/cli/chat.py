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
from whence.cli.lines import Lines
from whence.cli.talk import Talk
from whence.db.tables import SubjectRow
from whence.events import log
from whence.kernel.errors import Invalid, NotFound, WhenceError
from whence.records import store

MESSAGE_REFUSED = 2
"""Exit code when a message of a pipe could not be taken, such as one that is too long."""
ANSWER_FAILED = 3
"""Exit code when an answer could not be given."""
MOST_ECHOED = 200
"""Characters of a piped message that are shown above its answer."""
QUIT = "/quit"
HINT = f"{QUIT} or Ctrl-D ends it, Ctrl-C stops an answer."


def chat(
    subject: Annotated[
        str, typer.Argument(help="KIND/ID, as items/HP-001 (ours or the imported id)")
    ],
    question: Annotated[
        str | None, typer.Argument(help=f"One message; without it, talk until {QUIT}")
    ] = None,
    conversation: Annotated[
        UUID | None, typer.Option("--session", help="Go on with this conversation of yours")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="The answer to the question as one line of JSON")
    ] = False,
) -> None:
    """Talk to a record: ask, change with your yes, start research.

    Exit code 0 answered, 2 unknown record or usage or a piped message that was refused, 3 no answer
    could be given.
    """
    kind_name, separator, reference = subject.partition("/")
    if not separator or not reference:
        raise Invalid(f"Write KIND/ID, as items/HP-001, not '{subject}'.")
    if as_json and question is None:
        raise Invalid("--json needs a question.")
    found = session.settings()
    console = session.progress() if as_json else session.out()

    async def work() -> int:
        async with session.opened(found, working=True) as built:
            built.turns.start()
            kind = built.kind(kind_name)
            async with built.unit(built.owner) as unit:
                row = await store.resolve(unit, kind, reference)
                kept = await _conversation(built, unit, row, kind.kind, conversation)
                after = await log.last_seq(unit, kept.id)
            lines = Lines()
            talk = Talk(built, kept.id, console, quiet=as_json, lines=lines, after=after)
            if question is not None:
                answer = await talk.say(question)
                if as_json:
                    print(session.as_line(answer))
                return 0 if answer["status"] == "complete" else ANSWER_FAILED
            console.print(f"[dim]About {escape(subject)}. {HINT}[/dim]")
            ended = await _talk(talk, lines, console)
            again = f"whence chat {escape(subject)} --session {kept.id}"
            console.print(f"[dim]Go on with it: {again}[/dim]", soft_wrap=True)
            # Whoever sat at the terminal has seen what was refused, and what failed.
            return 0 if lines.is_terminal else ended

    if code := session.run(work):
        raise typer.Exit(code)


async def _conversation(
    built: Platform, unit: AsyncSession, row: SubjectRow, kind: str, wanted: UUID | None
) -> ChatSession:
    """The conversation that is wanted, or a new one.  Raises NotFound for another record's."""
    if wanted is None:
        return await sessions.open_session(unit, built.owner, kind, row.id)
    kept = await sessions.get(unit, built.owner, wanted)
    if (kept.kind, kept.subject_id) != (kind, row.id):
        raise NotFound("This conversation is not about that record.")
    return kept


async def _talk(talk: Talk, lines: Lines, console: Console) -> int:
    """One message after the other, until there is none; the worst exit code of them."""
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
            answer = await talk.say(line.strip())
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
