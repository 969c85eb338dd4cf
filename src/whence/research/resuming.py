"""Where an attempt starts: after the last finished node, or over again if that is impossible.

Another version of the flow may continue from a checkpoint that fits its structure.  Increase the
major version for a change that the structure does not show, such as a new meaning of a field or a
field that a later node needs and no earlier node wrote.
"""

from __future__ import annotations

import json
from typing import Any, get_type_hints

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import exists, select, text

from whence.events import log
from whence.events.types import JobNotice
from whence.research.attempt import Attempt
from whence.research.checkpoints import FencedSaver, Saved, UnreadableCheckpoint
from whence.research.flow import Flow
from whence.research.shape import joins_of
from whence.research.tables import Run, RunStep

NOT_KEPT = "its saved progress is no longer kept"
_EMPTY_BUNDLE = text("""
    DELETE FROM whence.bundle_items WHERE run_id = :run
    AND NOT EXISTS (SELECT FROM whence.dossiers WHERE run_id = :run)
    AND NOT EXISTS (SELECT FROM whence.sections WHERE run_id = :run)
""")
"""A version that starts over judges anew; evidence cited by an existing dossier stays."""


async def can_resume(attempt: Attempt, flow: Flow, saver: FencedSaver) -> bool:
    """Whether there is a checkpoint to continue from.  An unusable one is deleted, and the run
    reports why it starts over.  Raises StaleAttempt.
    """
    changed = flow.version != attempt.flow_version
    reason: str | None = None
    checkpoint = None
    try:
        checkpoint = await saver.saved()
    except UnreadableCheckpoint as error:
        reason = error.message
    if saver.is_lost:
        return False
    if not attempt.resumable:
        # The reason was reported when the checkpoints were lost or the candidate failed.
        await _start_over(attempt, flow, saver, None)
        return False
    if checkpoint and changed:
        reason = incompatibility(flow, attempt.flow_version, checkpoint)
    if checkpoint is None and reason is None and await _has_worked(attempt):
        reason = NOT_KEPT
    if reason is not None:
        await _start_over(attempt, flow, saver, reason)
        return False
    if changed:
        notice = f"The research flow is now version {flow.version}; this run continues with it."
        await _write(attempt, flow, notice if checkpoint else None)
    return checkpoint is not None


async def _start_over(attempt: Attempt, flow: Flow, saver: FencedSaver, reason: str | None) -> None:
    # Delete first: if the worker dies in between, its successor must not resume from it.
    await saver.forget()
    notice = f"This run starts over: {reason}."
    if flow.version != attempt.flow_version:
        notice = (
            f"The research flow is now version {flow.version}; "
            f"this run starts over with it: {reason}."
        )
    await _write(
        attempt, flow, notice if reason else None, from_start=True, resumable=not saver.is_lost
    )


async def _write(
    attempt: Attempt,
    flow: Flow,
    notice: str | None,
    *,
    from_start: bool = False,
    resumable: bool = True,
) -> None:
    async with attempt.fenced() as session:
        run = (await session.scalars(select(Run).where(Run.id == attempt.run_id))).one()
        run.flow_version, run.resumable = flow.version, resumable
        if from_start:
            # Places of another version do not measure the progress of this one.
            run.depth = run.depth if flow.version == attempt.flow_version else 0
            await session.execute(_EMPTY_BUNDLE, {"run": attempt.run_id})
        if notice:
            run.notice = notice
            await log.append(session, attempt.run_id, JobNotice(notice=notice))


async def _has_worked(attempt: Attempt) -> bool:
    if attempt.number == 1:
        return False
    async with attempt.unit() as session:
        begun = exists().where(RunStep.run_id == attempt.run_id)
        return bool(await session.scalar(select(begun)))


def incompatibility(flow: Flow, written_by: str, checkpoint: Saved) -> str | None:
    """Why `flow` cannot continue from a checkpoint of version `written_by`; None if it can."""
    if _major(flow.version) != _major(written_by):
        return f"version {flow.version} does not continue from version {written_by}"
    if missing := sorted(checkpoint.due - set(flow.names)):
        return f"it has no step {' and '.join(missing)}, which was due next"
    barriers = joins_of(flow.shape).barriers.items()
    offered = {f"{'+'.join(sources)}:{target}" for target, sources in barriers}
    if lost := sorted(checkpoint.joins - offered):
        sources, _, target = lost[0].partition(":")
        return f"it does not join {' and '.join(sources.split('+'))} before {target}"
    for key, hint in get_type_hints(flow.state).items():
        if key in checkpoint.values and (problem := _invalid(hint, checkpoint.values[key])):
            return f"the saved value of {key} does not fit ({problem})"
    return None


def _major(version: str) -> str:
    return version.partition(".")[0]


def _invalid(hint: Any, value: object) -> str | None:
    """Validates strictly as JSON: nodes rely on this type, and state consists of plain values."""
    try:
        TypeAdapter(hint).validate_json(json.dumps(value), strict=True)
    except ValidationError as error:
        return error.errors(include_url=False, include_input=False)[0]["msg"]
    except (TypeError, ValueError):
        return "it is not a plain value"
    return None
