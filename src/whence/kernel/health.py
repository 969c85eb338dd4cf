"""Health of the long-lived parts of this process; each part reports its own."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager

Check = Callable[[], str | None]
"""None while the part works; else what is wrong, for an operator to read, without secrets."""


class Health:
    """The checks of one process; `app.build` adds them, `/readyz` runs them."""

    def __init__(self) -> None:
        self._checks: dict[str, Check] = {}

    @contextmanager
    def part(self, name: str, check: Check) -> Generator[None]:
        """Check the part `name` for as long as the block lasts."""
        self._checks[name] = check
        try:
            yield
        finally:
            self._checks.pop(name, None)

    def failing(self) -> dict[str, str]:
        """What is wrong, by part; empty when every part works."""
        reports = {name: check() for name, check in self._checks.items()}
        return {name: report for name, report in reports.items() if report}
