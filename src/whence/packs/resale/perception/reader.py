"""Reads photographs in a process of their own, which ends when it has nothing to do.

Decoding and OCR take hundreds of megabytes, and allocators keep what they once had. In a process of
its own, a photograph can take no more than the limit, and its memory is free again soon.
"""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from whence.sdk.errors import WhenceError

from .images import MAX_BYTES, UnreadableImage, is_large, media_type
from .reading_process import HEADER, MEDIA_TYPE, NO_MEMORY, PREVIEW, READ

READER_VERSION = "2"
"""Raise it when photographs are read differently: each is then read again."""
MEMORY_MB = 1_500
"""Most memory of the process: its models take about 500 MB, a large photograph as much again."""
IDLE_SECONDS = 10.0
"""How long the process waits for another photograph: loading its models takes some seconds."""
READ_SECONDS = 120.0
"""Most time for one photograph."""
TOO_LONG = "It took too long to read this photograph; shrink it."
PASSED_ON = ("PATH", "PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH", "HOME", "TMPDIR", "LANG")
"""Environment variables that the process gets."""
_MODULE = "whence.packs.resale.perception.reading_process"
_log = logging.getLogger(__name__)
_LINE_BYTES = 32 * 1024 * 1024
"""Longest response."""


class ReaderEnded(WhenceError):
    """The process that reads photographs ended; it is started again for the next one."""


@dataclass(frozen=True)
class PhotographText:
    """What was read on a photograph: GTINs, lines of text (the most certain first), a problem."""

    barcodes: list[str]
    text: list[str]
    problem: str | None = None
    is_final: bool = True
    """False if reading it again may give another result."""


class PhotographReader:
    """The reading process of this program; one photograph at a time, which limits memory."""

    def __init__(self, memory_mb: int = MEMORY_MB, idle_seconds: float = IDLE_SECONDS) -> None:
        self._command = [sys.executable, "-m", _MODULE, str(memory_mb)]
        self._idle_seconds = idle_seconds
        self._lock = asyncio.Lock()
        self._process: asyncio.subprocess.Process | None = None
        self._idle: asyncio.TimerHandle | None = None

    async def read(self, content: bytes) -> PhotographText:
        """What a photograph shows; a failure is a `problem`, never raised."""
        try:
            response = await self._ask(READ, content)
        except TimeoutError:
            return PhotographText([], [], TOO_LONG)
        except ReaderEnded:
            return PhotographText([], [], NO_MEMORY, is_final=False)
        if error := response.get("error"):
            _log.warning("a photograph was not read: %s", error)
        return PhotographText(
            response.get("barcodes", []),
            response.get("text", []),
            response.get("problem"),
            is_final="error" not in response,
        )

    async def preview(self, content: bytes) -> bytes | None:
        """A small JPEG of a photograph, None if it cannot be opened."""
        try:
            response = await self._ask(PREVIEW, content)
        except (TimeoutError, ReaderEnded):
            return None
        return base64.b64decode(response["jpeg"]) if "jpeg" in response else None

    @property
    def pid(self) -> int | None:
        """The id of the process, None while there is none."""
        return self._process.pid if self._process else None

    async def close(self) -> None:
        """End the process."""
        async with self._lock:
            await self._end()

    async def _ask(self, task: bytes, content: bytes) -> dict[str, Any]:
        async with self._lock:
            if self._idle:
                self._idle.cancel()
            try:
                async with asyncio.timeout(READ_SECONDS):
                    return await self._exchange(task, content)
            except BaseException:  # also a cancellation
                await asyncio.shield(self._end())  # what it still sends would answer another one
                raise
            finally:
                if self._process:
                    loop = asyncio.get_running_loop()
                    self._idle = loop.call_later(self._idle_seconds, self._end_if_idle)

    async def _exchange(self, task: bytes, content: bytes) -> dict[str, Any]:
        process = await self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(HEADER.pack(task, len(content)) + content)
            await process.stdin.drain()
            line = await process.stdout.readline()
        except OSError as error:
            raise ReaderEnded from error
        if not line:
            raise ReaderEnded
        return json.loads(line)

    async def _started(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                env=_environment(),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=_LINE_BYTES,
            )
        return self._process

    def _end_if_idle(self) -> None:
        """It ends by itself once its input is closed."""
        if self._process and self._process.stdin and not self._lock.locked():
            self._process.stdin.close()
            self._process = None

    async def _end(self) -> None:
        process, self._process = self._process, None
        if self._idle:
            self._idle.cancel()
        if process:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def _environment() -> dict[str, str]:
    """The environment of the process: it reads what strangers send, so it holds no secrets."""
    return {name: os.environ[name] for name in PASSED_ON if name in os.environ}


def checked_media_type(content: bytes) -> str:
    """The media type of a photograph; a large one is decoded in a process of its own.

    Raises UnreadableImage.
    """
    if len(content) > MAX_BYTES or not is_large(content):
        return media_type(content)
    request = HEADER.pack(MEDIA_TYPE, len(content)) + content
    command = [sys.executable, "-m", _MODULE, str(MEMORY_MB)]
    try:
        process = subprocess.run(
            command,
            env=_environment(),
            input=request,
            capture_output=True,
            check=True,
            timeout=READ_SECONDS,
        )
        response: dict[str, str] = json.loads(process.stdout)
    except (subprocess.SubprocessError, ValueError) as error:
        raise UnreadableImage(NO_MEMORY) from error
    if "mediaType" not in response:
        raise UnreadableImage(response["problem"])
    return response["mediaType"]
