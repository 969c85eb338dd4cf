"""Named points in the work on a run at which a process strikes itself with a signal, once.

The engine has no hooks for this: the process that is to die wraps the engine's own functions, in
itself only.  `after step price` is the moment between a node's end and its checkpoint.
"""

from __future__ import annotations

import inspect
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whence.chat.proposals import service as proposals
from whence.chat.transcript import messages
from whence.events import log
from whence.records import store as records
from whence.research import execution, runner, transitions
from whence.research.checkpoints import FencedSaver
from whence.research.context import RunContext
from whence.work import transitions as work_transitions
from whence.work.ledger import Ledger


@dataclass
class Strike:
    """The blow: a note that the point was reached, then the signal; only the first time."""

    number: int
    file: Path
    is_due: bool = True

    def __call__(self) -> None:
        if self.is_due:
            self.is_due = False
            self.file.touch()
            os.kill(os.getpid(), self.number)


class Engine:
    """Where a process stands in its work: the node under way, and the last one that ended."""

    node: str = ""
    ended: str = ""


PLACES: dict[str, tuple[Any, str]] = {
    "claim": (runner, "claim"),
    "step": (execution, "step"),
    "event": (log, "append"),
    "checkpoint": (FencedSaver, "aput"),
    "blobs": (FencedSaver, "_dump_blobs"),
    "keep": (RunContext, "keep"),
    "judge": (RunContext, "judge"),
    "report": (RunContext, "report"),
    "save": (RunContext, "save"),
    "call": (RunContext, "call"),
    "reserve": (Ledger, "reserve"),
    "record": (Ledger, "record"),
    "succeed": (transitions, "succeed"),
    "pause": (work_transitions, "pause"),
    "hand_back": (work_transitions, "hand_back"),
    "apply_proposal": (proposals, "apply"),
    "undo_proposal": (proposals, "undo"),
    "proposal_locked": (proposals, "_lock_proposal"),
    "proposal_written": (proposals, "_write"),
    "conversation_notified": (proposals, "notify_conversation"),
    "notice": (messages, "post_notice"),
    "answer_end": (messages, "end_turn"),
    "record_write": (records, "write"),
}
"""What can be struck before or after: the engine's functions, by a short name."""


def arm(point: str, number: int, file: Path) -> None:
    """Make this process strike itself at `point`: `before|after PLACE [NODE or EVENT]`.

    The node is the one under way; for a checkpoint, the one that it follows.
    """
    when, place, *which = point.split()
    strike, engine = Strike(number, file), Engine()
    _follow(engine)
    owner, name = PLACES[place]
    real: Callable[..., Any] = getattr(owner, name)

    async def struck(*args: Any, **kwargs: Any) -> Any:
        here = {"event": _type_of(args), "step": _second(args), "checkpoint": engine.ended}
        is_here = not which or which[0] == here.get(place, engine.node)
        if is_here and when == "before":
            strike()
        answer = await real(*args, **kwargs)
        if is_here and when == "after":
            strike()
        return answer

    def struck_in_thread(*args: Any, **kwargs: Any) -> Any:
        if not which or which[0] == engine.ended:
            strike()
        return real(*args, **kwargs)

    setattr(owner, name, struck if inspect.iscoroutinefunction(real) else struck_in_thread)


def _follow(engine: Engine) -> None:
    real = execution.step

    async def followed(attempt: Any, turn: Any, *rest: Any) -> Any:
        engine.node = turn.node
        update = await real(attempt, turn, *rest)
        engine.ended = turn.node
        return update

    execution.step = followed


def _type_of(args: tuple[Any, ...]) -> str:
    return getattr(args[2], "type", "") if len(args) > 2 else ""


def _second(args: tuple[Any, ...]) -> Any:
    return getattr(args[1], "node", args[1]) if len(args) > 1 else ""


def number_of(name: str) -> int:
    """`KILL`, `STOP`, `TERM` as a number."""
    return int(getattr(signal, f"SIG{name}"))
