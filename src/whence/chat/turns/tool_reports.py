"""Reports the tool calls of an answer to its writer, with how long each took."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from whence.chat.model.kept_results import kept
from whence.chat.model.tool_loop import ToolCall
from whence.chat.transcript.views import CalledTool
from whence.chat.turns.turn import AnswerWriter


@dataclass
class ToolReports:
    """Passes each call on when it starts and when it ends."""

    writer: AnswerWriter
    clock: Callable[[], float] = time.perf_counter
    _started: dict[str, float] = field(default_factory=dict[str, float])

    async def __call__(self, call: ToolCall) -> None:
        """Report the call as it is now."""
        now = self.clock()
        began = self._started.setdefault(call.id, now)
        result, is_cut = kept(call.result) if call.result else (None, False)
        called = CalledTool(
            name=call.name,
            arguments=dict(call.arguments),
            status=call.status,
            summary=call.summary,
            duration_ms=None if call.status == "running" else round((now - began) * 1000),
            result=result,
            result_cut=is_cut,
        )
        await self.writer.call(call.id, called)
