"""Asks a run's question in the terminal, and asks again if the answer is not valid."""

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
    """The research is waiting for an answer; run it again with --interactive in a terminal, or use
    `whence runs answer`.
    """


async def answer_if_asked(platform: Platform, run_id: UUID, console: Console) -> None:
    """Ask the person at this terminal the run's current question, if there is one.

    Raises Unanswered if nobody is at a terminal, or the input ends.
    """
    async with platform.unit(platform.owner) as session:
        run = await runs.get(session, run_id)
    if run.question is None:
        return  # the event is about an earlier question
    question = Question.model_validate(run.question)
    show_question(question, console)
    if not question.required:
        console.print("[dim]Press Enter if you do not know.[/dim]")
    if not (sys.stdin.isatty() and console.is_terminal):
        raise Unanswered
    while True:
        line = await read_line()
        if line is None:
            raise Unanswered
        try:
            async with platform.unit(platform.owner) as session:
                who, answer = platform.owner, parse_answer(question, line)
                await answers.answer(session, platform.queue, who, run_id, answer, question.key)
        except Invalid as error:
            console.print(f"[red]{escape(error.message)}[/red]")
        else:
            return


def parse_answer(question: Question, line: str) -> Answer:
    """The answer in a line: empty means "I don't know"; a choice may be given by its number."""
    words = line.strip()
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
    """Print a question, its reason and its choices."""
    console.print(f"\n[bold]{escape(question.text)}[/bold]")
    if question.why:
        console.print(f"[dim]{escape(question.why)}[/dim]")
    for number, choice in enumerate(question.choices, 1):
        console.print(f"  {number}  {escape(choice)}")


async def read_line() -> str | None:
    """One line from the terminal, None at its end; can be interrupted, because no thread waits."""
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
