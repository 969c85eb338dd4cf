"""Flows: typed state, nodes, and what a node may do in its run."""

from whence.research.context import RunContext
from whence.research.earlier import EarlierRun, NothingToBuildOn
from whence.research.flow import Flow, FlowBudget, node
from whence.research.questions import Question
from whence.research.run_type import RunType
from whence.research.shape import Branch, Fork, Send

__all__ = [
    "Branch",
    "EarlierRun",
    "Flow",
    "FlowBudget",
    "Fork",
    "NothingToBuildOn",
    "Question",
    "RunContext",
    "RunType",
    "Send",
    "node",
]
