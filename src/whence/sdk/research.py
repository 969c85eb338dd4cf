"""Flows: typed state, nodes, and what a node may do in its run."""

from whence.research.context import RunContext
from whence.research.flow import Branch, Flow
from whence.research.questions import Question

__all__ = [
    "Branch",
    "Flow",
    "Question",
    "RunContext",
]
