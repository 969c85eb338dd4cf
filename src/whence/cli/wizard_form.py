"""A wizard in the terminal: each step is shown as text and answered one line per field."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.markup import escape

from whence.app.platform import Platform
from whence.cli.questions import read_line
from whence.kernel.errors import Invalid, WhenceError
from whence.wizards import service
from whence.wizards.definition import StepKind
from whence.wizards.payload import FieldShown, StepPayload
from whence.wizards.status import RunStatus

BACK, LEAVE, CANCEL, NONE = "<", "q", "x", "-"
HELP = (
    f"Enter keeps the current value, {BACK} goes back, {NONE} clears the field, {LEAVE} saves the"
    f" form for later, {CANCEL} cancels it."
)


class LeftForLater(WhenceError):
    """Saved for later; run the same command to continue."""


class _Back(Exception):
    """The person wants to see the previous step."""


class _Cancelled(Exception):
    """The person cancelled the wizard."""


class Form:
    """Fills in one run for the person at this terminal."""

    def __init__(self, platform: Platform, console: Console) -> None:
        self._platform = platform
        self._console = console

    async def answer_from(
        self, payload: StepPayload, answers: Mapping[str, Mapping[str, Any]]
    ) -> StepPayload:
        """Answer every step on the path from `answers`; reviews are confirmed.

        Raises Invalid naming the step for one that is missing, not valid, or never asked.
        """
        while payload.progress.status is RunStatus.OPEN:
            step = payload.step.id
            if step not in answers and payload.step.kind is StepKind.QUESTION:
                names = ", ".join(field.name for field in payload.ui.fields)
                raise Invalid(f"There is no answer for the step '{step}' ({names}).")
            payload = await self._respond(payload, answers.get(step, {}))
            if payload.errors:
                wrong = "; ".join(f"{e.field or 'all'}: {e.message}" for e in payload.errors)
                raise Invalid(f"The answer to '{step}' is not valid: {wrong}")
        return payload

    async def ask(self, payload: StepPayload) -> StepPayload:
        """Ask until the wizard has ended.  Raises LeftForLater when the person leaves."""
        self._console.print(f"[dim]{escape(HELP)}[/dim]", highlight=False)
        if payload.revision:
            self._console.print(
                "[dim]Continuing the form you started; use --new to start over.[/dim]"
            )
        while payload.progress.status is RunStatus.OPEN:
            self._console.print(f"\n{escape(payload.text_fallback)}", highlight=False)
            try:
                if payload.step.kind is StepKind.REVIEW:
                    payload = await self._reviewed(payload)
                else:
                    payload = await self._respond(payload, await self._filled(payload))
            except asyncio.CancelledError:
                self._console.print(f"\n{escape(LeftForLater().message)}", highlight=False)
                raise
            except _Back:
                payload = await self._show(payload, payload.nav.back or payload.step.id)
            except _Cancelled:
                async with self._platform.unit(self._platform.owner) as unit:
                    return await service.cancel(
                        unit, self._platform.owner, self._platform.wizards, payload.wizard_run_id
                    )
        return payload

    async def _filled(self, payload: StepPayload) -> dict[str, Any]:
        responses: dict[str, Any] = {}
        refused = {error.field for error in payload.errors}
        for field in payload.ui.fields:
            words = await self._line(f"{field.label}: ")
            if not words and field.name not in refused:
                responses[field.name] = payload.values.get(field.name)
            elif words:
                is_several = is_list(payload, field)
                responses[field.name] = (
                    None if words == NONE else parse_value(field, words, is_list=is_several)
                )
        return responses

    async def _reviewed(self, payload: StepPayload) -> StepPayload:
        numbered = dict(enumerate(payload.nav.change, 1))
        for number, step in numbered.items():
            labels = [line.label for line in payload.summary if line.step_id == step]
            self._console.print(f"  {number}  {escape(', '.join(labels))}", highlight=False)
        words = await self._line(f"Enter for '{payload.submit_label}', a number to change: ")
        if not words:
            return await self._respond(payload, {})
        step = numbered.get(int(words)) if words.isdecimal() else None
        return await self._show(payload, step) if step else payload

    async def _line(self, prompt: str) -> str:
        self._console.print(escape(prompt), end="", highlight=False)
        line = await read_line()
        if line is None or line.strip() == LEAVE:
            raise LeftForLater
        match line.strip():
            case "<":
                raise _Back
            case "x":
                raise _Cancelled
            case words:
                return words

    async def _respond(self, payload: StepPayload, responses: Mapping[str, Any]) -> StepPayload:
        who, wizards = self._platform.owner, self._platform.wizards
        run, step = payload.wizard_run_id, payload.step.id
        async with self._platform.unit(who) as unit:
            return await service.respond(unit, who, wizards, run, step, responses, payload.revision)

    async def _show(self, payload: StepPayload, step: str) -> StepPayload:
        who, wizards = self._platform.owner, self._platform.wizards
        async with self._platform.unit(who) as unit:
            return await service.show(unit, who, wizards, payload.wizard_run_id, step)


def parse_value(field: FieldShown, words: str, *, is_list: bool) -> Any:
    """The value in a line: a choice by its number, label or value; a list separated by commas."""
    if is_list:
        parts = [part.strip() for part in words.split(",")]
        return [parse_value(field, part, is_list=False) for part in parts if part]
    by_number = int(words) if words.isdecimal() else 0
    for number, choice in enumerate(field.choices, 1):
        names = (choice.label.casefold(), str(choice.value).casefold())
        if number == by_number or words.casefold() in names:
            return choice.value
    return words


def is_list(payload: StepPayload, field: FieldShown) -> bool:
    """Whether the field takes several values."""
    schema = payload.schema_["properties"][field.name]
    return "array" in {schema.get("type"), *(one.get("type") for one in schema.get("anyOf", ()))}
