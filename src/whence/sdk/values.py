"""Small values every pack needs: typed models for the wire, ids, and the time."""

from whence.kernel.clock import now
from whence.kernel.ids import new_id
from whence.kernel.text import camel
from whence.kernel.wire import Wire

__all__ = [
    "Wire",
    "camel",
    "new_id",
    "now",
]
