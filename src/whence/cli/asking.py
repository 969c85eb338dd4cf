"""A run's question on the terminal: shown, answered in a line, and asked again where it must be."""

from __future__ import annotations

import asyncio
import sys
from uuid import UUID

from rich.console import Console
from rich.markup import escape

from whence.app.platform import Platform
from whence.kernel.errors import Invalid, WhenceError
from whence.research import answers, runs
from whence.research.questions import Answer, Question


class Unanswered(WhenceError):
    """The research waits for an answer; ask for it again with --interactive in a terminal, or use
    `whence runs answer`.
    """


async def answer_if_asked(built: Platform, run_id: UUID, console: Console) -> None:
    """Ask the person at this terminal what the run asks now, if it asks anything.

    Raises Unanswered where nobody sits at a terminal, or where the input ends.
    """
    async with built.unit(built.owner) as session:
        run = await runs.get(session, run_id)
    if run.question is None:
        return  # an earlier question, of which the log still tells
    question = Question.model_validate(run.question)
    show_question(question, console)
    if not question.required:
        console.print("[dim]Press Enter alone if you do not know.[/dim]")
    if not (sys.stdin.isatty() and console.is_terminal):
        raise Unanswered
    while True:
        given = await typed()
        if given is None:
            raise Unanswered
        try:
            async with built.unit(built.owner) as session:
                who, said = built.owner, meant(question, given)
                await answers.answer(session, built.queue, who, run_id, said, question.key)
        except Invalid as error:
            console.print(f"[red]{escape(error.message)}[/red]")
        else:
            return


def meant(question: Question, typed: str) -> Answer:
    """What a line says: nothing is "I don't know", a choice may be given by its number."""
    words = typed.strip()
    if not words:
        return None
    if question.kind == "choice" and words.isdigit() and 1 <= int(words) <= len(question.choices):
        return question.choices[int(words) - 1]
    if question.kind == "number":
        try:
            return float(words)
        except ValueError:
            return words
    return words


def show_question(question: Question, console: Console) -> None:
    """What a run asks, why, and what can be chosen."""
    console.print(f"\n[bold]{escape(question.text)}[/bold]")
    if question.why:
        console.print(f"[dim]{escape(question.why)}[/dim]")
    for number, choice in enumerate(question.choices, 1):
        console.print(f"  {number}  {escape(choice)}")


async def typed() -> str | None:
    """One line of the terminal, None at its end; it can be interrupted, as no thread waits."""
    loop = asyncio.get_running_loop()
    line: asyncio.Future[str] = loop.create_future()

    def ready() -> None:
        loop.remove_reader(sys.stdin)
        line.set_result(sys.stdin.readline())

    loop.add_reader(sys.stdin, ready)
    try:
        return await line or None
    finally:
        loop.remove_reader(sys.stdin)
