"""What every typed event of a stream shares."""

from __future__ import annotations

from typing import Any, ClassVar

from whence.db.statements import storable
from whence.kernel.wire import Wire


class StreamEvent(Wire):
    """An event with its type on the wire; runs and conversations each have a union of their own."""

    type: ClassVar[str]

    def payload(self) -> dict[str, Any]:
        """What it carries, as it is stored and sent."""
        return storable(self.model_dump(mode="json", by_alias=True))
