"""API processes of a test's own, as an operator has several; they end with the test."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from whence.kernel.settings import Settings

SCRIPT = Path(__file__).with_name("api_process.py")


@dataclass(frozen=True)
class ApiProcess:
    """One that listens at `url`."""

    url: str
    process: subprocess.Popen[str]

    def kill(self) -> None:
        """As a power cut does."""
        self.process.kill()
        self.process.wait()


@dataclass
class ApiProcesses:
    """Starts processes over the database, the home and the packs of these settings."""

    settings: Settings
    started: list[subprocess.Popen[str]] = field(default_factory=list[subprocess.Popen[str]])

    async def __call__(self, port: int = 0, **more: str) -> ApiProcess:
        """A process once it listens; port 0 picks a free one, `more` are environment variables."""
        assert self.settings.database_url is not None
        env = os.environ | {
            "WHENCE_HOME": str(self.settings.home),
            "WHENCE_DATABASE_URL": self.settings.database_url.get_secret_value(),
            "WHENCE_PACK_DIRS": ":".join(map(str, self.settings.pack_dirs)),
        }
        command = [sys.executable, str(SCRIPT), str(port)]
        process = subprocess.Popen(command, env=env | more, stdout=subprocess.PIPE, text=True)
        self.started.append(process)
        assert process.stdout is not None
        url = await asyncio.to_thread(process.stdout.readline)
        assert url.startswith("http"), "the API process ended"
        return ApiProcess(url.strip(), process)


@contextmanager
def api_processes(settings: Settings) -> Generator[ApiProcesses]:
    """`await start()` while it is entered; at the end all that were started are killed."""
    start = ApiProcesses(settings)
    try:
        yield start
    finally:
        for process in start.started:
            process.kill()
            process.wait()
            if process.stdout:
                process.stdout.close()
