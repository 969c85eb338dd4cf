"""What is known of a step beside its times: why it ended so, its tries, what its node counted."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from whence.db.storable import storable
from whence.kernel.wire import Wire


class StepDetail(Wire):
    """More about one node's turn."""

    error: str | None = None
    """Why it did not succeed, in words."""
    attempts: int = 1
    """How often the node was tried in this turn."""
    counts: dict[str, int] = Field(default_factory=dict)
    """What the node counted, such as the documents that it read."""

    def stored(self) -> dict[str, Any]:
        """As it is kept with the step."""
        return storable(self.model_dump(mode="json", by_alias=True))
