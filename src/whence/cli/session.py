"""Shared by all commands: settings, the program, and the two consoles."""

from __future__ import annotations

import asyncio
import json
import math
import os
import signal
import sys
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar, cast
from uuid import UUID

from pydantic import ValidationError
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from whence.app import build
from whence.app.platform import Platform
from whence.kernel import log
from whence.kernel.errors import Invalid
from whence.kernel.masking import configured_secrets
from whence.kernel.settings import Settings
from whence.kernel.text import without_controls
from whence.kernel.unknown_settings import UnknownSetting, unknown_settings
from whence.sdk import Pack

T = TypeVar("T")
PLAIN_WIDTH = 140
"""Columns when the output is not a terminal (a pipe, a CI log)."""
SIGNALLED = 128
"""Added to the number of the signal that ended a command."""
_log = log.get("settings")


class SafeConsole(Console):
    """Removes control characters, so that no record, file or answer can control the terminal."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """As rich does, without control characters in the text."""
        for segment in super().render(renderable, options):
            yield (
                segment
                if segment.control
                else segment._replace(text=without_controls(segment.text))
            )


def out() -> Console:
    """Results: stdout."""
    console = SafeConsole()
    return console if console.is_terminal else SafeConsole(width=PLAIN_WIDTH)


def progress() -> Console:
    """Progress and remarks: stderr, so that stdout has only results."""
    console = SafeConsole(stderr=True)
    return console if console.is_terminal else SafeConsole(stderr=True, width=PLAIN_WIDTH)


def as_line(value: object) -> str:
    """One line of ASCII JSON that every parser accepts: NaN and infinities become null."""
    return json.dumps(_finite(value), allow_nan=False, default=str)


def _finite(value: object) -> object:
    if isinstance(value, Mapping):
        return {k: _finite(v) for k, v in cast("Mapping[str, object]", value).items()}
    if isinstance(value, list | tuple):
        return [_finite(v) for v in cast("Sequence[object]", value)]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def json_object(text: str, name: str) -> dict[str, Any]:
    """An option that is a JSON object; raises Invalid."""
    try:
        value = json.loads(text)
    except ValueError as error:
        raise Invalid(f"--{name} is not JSON: {error}. Write an object, such as '{{}}'.") from error
    if not isinstance(value, dict):
        raise Invalid(f"--{name} takes a JSON object, such as '{{}}'.")
    return cast("dict[str, Any]", value)


def id_parser(noun: str, command: str) -> Callable[[str], UUID]:
    """A typer parser for the id of such a thing; it raises Invalid naming the command that lists
    them."""

    def parse(value: str) -> UUID:
        try:
            return UUID(value)
        except ValueError as error:
            raise Invalid(f"'{value}' is no id of {noun}; `{command}` shows them.") from error

    return parse


def settings() -> Settings:
    """The environment's settings, with the log configured.  Raises Invalid naming the wrong one."""
    try:
        current = Settings()
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = "WHENCE_" + "_".join(str(part) for part in first["loc"]).upper()
        raise Invalid(f"The setting {name} is not valid: {first['msg']}.") from error
    log.configure(current.log_level, secrets=configured_secrets(os.environ))
    return current


def unknown(packs: Iterable[Pack]) -> Sequence[UnknownSetting]:
    """The environment's variables that neither whence nor one of the packs reads."""
    return unknown_settings(os.environ, {pack.id: pack.variables for pack in packs})


def warn_of_unknown(packs: Iterable[Pack]) -> None:
    """Log a warning for each unknown variable, without its value."""
    for one in unknown(packs):
        _log.warning("a variable sets nothing", variable=one.name, nearest=one.nearest)


@asynccontextmanager
async def opened(
    configured: Settings, *, working: bool = False, patient: bool = False
) -> AsyncGenerator[Platform]:
    """The program; if `working`, with a worker in this process.

    `patient`: wait for a database that is not available yet, as services do.
    """
    async with build.platform(configured, patient=patient) as platform:
        if not working:
            yield platform
            return
        async with build.worker(platform):
            yield platform


def _fast_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """libuv's event loop if available: an answer costs a tenth less processor time."""
    if sys.platform == "win32":
        return None
    import uvloop

    return uvloop.new_event_loop


def run(work: Callable[[], Coroutine[Any, Any, T]], *, service: bool = False) -> T:
    """Run a command's coroutine; SIGTERM ends it as Ctrl-C does, so that work is handed back.

    Exit code 130 after Ctrl-C, 143 after SIGTERM, as shells expect; 0 for a `service`, which
    usually ends that way.
    """

    ended_by = signal.SIGINT

    async def guarded() -> T:
        task = asyncio.ensure_future(work())

        def terminate() -> None:
            nonlocal ended_by
            ended_by = signal.SIGTERM
            if not task.cancelling():  # a second signal must not cut the handing back short
                task.cancel()

        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, terminate)
        return await task

    try:
        with asyncio.Runner(loop_factory=_fast_loop() if service else None) as runner:
            return runner.run(guarded())
    except (KeyboardInterrupt, asyncio.CancelledError):
        raise SystemExit(0 if service else SIGNALLED + ended_by) from None
