"""Outside sources of a pack: listed and tested in the settings, their requests counted by day."""

from whence.tools.sources import (
    OutsideSource,
    SourceLimit,
    SourceRequest,
    Sources,
    SourceState,
    count_requests,
)

__all__ = [
    "OutsideSource",
    "SourceLimit",
    "SourceRequest",
    "SourceState",
    "Sources",
    "count_requests",
]
