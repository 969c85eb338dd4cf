"""`whence wizard leave.request`: a guided form in the terminal, or answered from a file."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import typer
from rich.markup import escape

from whence.app.platform import Platform
from whence.cli import session
from whence.cli.wizard_form import Form, LeftForLater
from whence.kernel.errors import Invalid, WhenceError
from whence.records import store as records
from whence.wizards import service, store
from whence.wizards.payload import StepPayload
from whence.wizards.status import Origin, RunStatus
from whence.wizards.tables import WizardRun

STANDARD_INPUT = "-"
Answers = dict[str, dict[str, Any]]


class NobodyAnswers(WhenceError):
    """A wizard needs answers and this is not a terminal; pass them with --answers FILE."""


def wizard(
    name: Annotated[
        str | None,
        typer.Argument(help="The wizard, such as leave.request; without it, all are listed"),
    ] = None,
    about: Annotated[
        str | None, typer.Option(help="The record it is about: whence's id or the imported one")
    ] = None,
    answers: Annotated[
        str | None,
        typer.Option(help="A JSON file of answers by step, or - for stdin; asks no questions"),
    ] = None,
    new: Annotated[
        bool, typer.Option("--new", help="Start over, even if one is partly filled in")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The last step as one line")] = False,
) -> None:
    """Fill in a guided form; continues one that was started earlier."""
    settings = session.settings()
    prepared = _read(answers) if answers is not None else None
    console = session.progress()

    async def work() -> StepPayload | None:
        async with session.opened(settings) as platform:
            if name is None:
                for one in platform.wizards.all_wizards:
                    session.out().print(f"{escape(one.id)}  {escape(one.title)}")
                return None
            if prepared is None and not (sys.stdin.isatty() and console.is_terminal):
                platform.wizards.newest(name)
                raise NobodyAnswers
            payload = await begin_run(platform, name, about, new=new or prepared is not None)
            form = Form(platform, console)
            if prepared is not None:
                return await form.answer_from(payload, prepared)
            return await form.ask(payload)

    try:
        outcome = session.run(work)
    except LeftForLater as left:
        console.print(escape(left.message))
        return
    if outcome is None:
        return
    if as_json:
        print(session.as_line(outcome.as_json()))
    else:
        session.out().print(escape(outcome.text_fallback), highlight=False)
        if outcome.progress.status is RunStatus.COMPLETED and outcome.ui.record is not None:
            written = f"{outcome.ui.record.kind}/{outcome.ui.record.id}"
            console.print(f"Written: {written}\nNext: whence research {written}", highlight=False)
    if outcome.progress.status is not RunStatus.COMPLETED:
        raise typer.Exit(1)


async def begin_run(platform: Platform, name: str, about: str | None, *, new: bool) -> StepPayload:
    """The run to continue with: the newest open one that was started in a terminal about the same
    record, else a new one."""
    who, wizard = platform.owner, platform.wizards.newest(name)
    async with platform.unit(who) as unit:
        subject: UUID | None = None
        if about is not None:
            if wizard.kind is None:
                raise Invalid(f"'{name}' is about no record; leave out --about.")
            subject = (await records.resolve(unit, platform.kind(wizard.kind), about)).id
        for run in [] if new else await store.open_runs(unit, who, definition=name):
            if run.subject_id == subject and _is_of_a_terminal(run):
                return await service.show(unit, who, platform.wizards, run.id)
        return await service.start(
            unit, who, platform.wizards, name, subject_id=subject, origin=Origin.TERMINAL
        )


def _is_of_a_terminal(run: WizardRun) -> bool:
    """Also of runs older than the column, unless a conversation has them."""
    is_unknown = run.origin is None and run.chat_session_id is None
    return is_unknown or run.origin == Origin.TERMINAL


def _read(path: str) -> Answers:
    """The answers of a file: `{step: {field: value}}`.  Raises Invalid."""
    try:
        text = sys.stdin.read() if path == STANDARD_INPUT else Path(path).read_text("utf-8")
        parsed: Any = json.loads(text)
    except (OSError, ValueError) as error:
        raise Invalid(f"The answers in '{path}' cannot be read: {error}.") from error
    if not isinstance(parsed, dict) or not all(isinstance(v, dict) for v in parsed.values()):
        raise Invalid('Answers are one JSON object: {"step": {"field": value}}.')
    return parsed
