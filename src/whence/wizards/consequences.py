"""What a changed answer would do to the others, told before it is given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.kernel.wire import Wire
from whence.tenancy.principal import Principal
from whence.wizards.catalog import Wizards
from whence.wizards.definition import StepKind
from whence.wizards.drawing import summary_of
from whence.wizards.path import Entry, Place, Start, replay
from whence.wizards.payload import SummaryLine
from whence.wizards.reading import check_size, read, stored_form
from whence.wizards.runs import load


class Consequences(Wire):
    """Answers that would no longer apply, and earlier ones that would apply again.

    Those that do not apply are set aside, not lost: `restored` after the next change.
    """

    set_aside: list[SummaryLine]
    restored: list[SummaryLine]


async def consequences(
    session: AsyncSession,
    who: Principal,
    wizards: Wizards,
    run_id: UUID,
    step_id: str,
    responses: Mapping[str, Any],
    *,
    definition: str | None = None,
) -> Consequences:
    """What this answer would set aside and bring back.  Changes nothing.

    An answer that is not valid has none.  Raises NoSuchRun, NotOnPath, RunEnded and TooLong.
    """
    check_size(responses)
    loaded = await load(session, who, wizards, run_id, definition=definition)
    start, place = loaded.require_open(), loaded.place
    step = loaded.step(step_id)
    answer = read(step, start.with_prefilled(step, place.stored, responses))
    if isinstance(answer, list):
        return Consequences(set_aside=[], restored=[])
    after = replay(start, [*loaded.entries, Entry(step_id, stored_form(answer))])
    return Consequences(
        set_aside=_lines(start, place, place.stored.keys() & after.set_aside.keys()),
        restored=_lines(start, after, place.set_aside.keys() & after.stored.keys()),
    )


def _lines(start: Start, place: Place, ids: set[str]) -> list[SummaryLine]:
    """The answers that were given to these steps of the path, in words."""
    steps = [
        step
        for step in place.path
        if step.kind is StepKind.QUESTION and step.id in ids and step.id in place.answers.by_step
    ]
    return [line for line in summary_of(start, place, steps, is_open=False) if _is_given(line)]


def _is_given(line: SummaryLine) -> bool:
    return line.value not in (None, "", [])
