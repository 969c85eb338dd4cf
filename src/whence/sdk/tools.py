"""Tools: typed functions that flows, conversations and the API share."""

from whence.kernel.services import Services
from whence.tools.tool import Tool, ToolContext, tool

__all__ = [
    "Services",
    "Tool",
    "ToolContext",
    "tool",
]
