"""The base of every typed event."""

from __future__ import annotations

from typing import Any, ClassVar

from whence.db.statements import storable
from whence.kernel.wire import Wire


class StreamEvent(Wire):
    """An event with its type on the wire; runs and conversations each have their own union."""

    type: ClassVar[str]

    def payload(self) -> dict[str, Any]:
        """The payload as stored and sent."""
        return storable(self.model_dump(mode="json", by_alias=True))
