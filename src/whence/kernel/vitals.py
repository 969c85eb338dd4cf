"""What has to be alive in this process for it to do its work, as its parts say themselves."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager

Ask = Callable[[], str | None]
"""None while the part works; else what is wrong, in words for an operator, without secrets."""


class Vitals:
    """The long-lived parts of one process; `app.build` lists them, `/readyz` asks them."""

    def __init__(self) -> None:
        self._parts: dict[str, Ask] = {}

    @contextmanager
    def part(self, name: str, ask: Ask) -> Generator[None]:
        """`name` is a part of this process for as long as the block lasts."""
        self._parts[name] = ask
        try:
            yield
        finally:
            self._parts.pop(name, None)

    def ailing(self) -> dict[str, str]:
        """What is wrong, by part; empty when every part works."""
        asked = {name: ask() for name, ask in self._parts.items()}
        return {name: words for name, words in asked.items() if words}
