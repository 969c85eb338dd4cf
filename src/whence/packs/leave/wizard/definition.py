"""The wizard `leave.request`: its steps in order, and what it writes and says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from whence.sdk.wizards import Background, KnownValue, Step, StepKind, Wizard

from . import paths
from .outcome import outcome, rows
from .request import known_of, request_of
from .steps_count import COUNT_STEPS
from .steps_leave import LEAVE_STEPS
from .steps_work import WORK_STEPS

STEPS = (
    *(replace(step, section="The leave") for step in LEAVE_STEPS),
    *(replace(step, section="The employer and the work") for step in WORK_STEPS),
    *(replace(step, section="Earlier leave and notice") for step in COUNT_STEPS),
    Step(
        id="review",
        section="Check and save",
        title="Is this right?",
        kind=StepKind.REVIEW,
        why="Nothing is saved until you confirm; you can still change each answer.",
        warn=lambda answers: [*paths.odd_dates(answers), *paths.long_leave(answers)],
        derived=rows,
        submit_label="Save the request",
    ),
    Step(id="outcome", title="What the rules say", kind=StepKind.OUTCOME, derived=rows),
)


def _known_values(background: Background) -> Sequence[KnownValue]:
    return known_of(background, STEPS)


REQUEST = Wizard(
    id="leave.request",
    version="3",
    title="Request leave",
    description="Which laws give the leave, how much of it, and what follows when.",
    kind="leave-requests",
    steps=STEPS,
    outcome=outcome,
    fill=request_of,
    known=_known_values,
)
