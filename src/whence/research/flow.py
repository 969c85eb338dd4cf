"""The declaration of a flow: typed state, nodes and their limits, a budget."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel

from whence.evidence.records import Recompute
from whence.kernel.errors import Invalid
from whence.kernel.settings import Settings
from whence.research.run_type import DEFAULT, DEFAULT_NAME, RunType, check_types
from whence.research.shape import Branch, Fork, Shape, check
from whence.work.budget import Budget

if TYPE_CHECKING:
    from whence.research.context import RunContext

_LIMITS = "__whence_node__"
_TITLE = "__whence_node_title__"
N = TypeVar("N", bound=Callable[..., Awaitable[Any]])


@dataclass(frozen=True)
class NodeLimits:
    """The limits of one turn of a node."""

    seconds: float = math.inf
    """Time limit of one try; the run's budget applies as well."""
    attempts: int = 1
    """Tries before the node's error ends the attempt at the run."""


def node(
    *, title: str | None = None, seconds: float = math.inf, attempts: int = 1
) -> Callable[[N], N]:
    """Declare a node's title and limits: `@node(title="Save the dossier", seconds=60, attempts=2)`.

    The title is what people see; without one, the name in words.
    A node is tried again after an unexpected error and after a try that takes longer than
    `seconds`. An outage, a question and a used-up budget end the attempt at once.
    """
    if not seconds > 0 or attempts < 1:
        raise ValueError("A node needs more than 0 seconds and at least one attempt.")

    def declare(function: N) -> N:
        setattr(function, _LIMITS, NodeLimits(seconds, attempts))
        setattr(function, _TITLE, title)
        return function

    return declare


def limits_of(function: object) -> NodeLimits:
    """The limits that a node declares, or the defaults."""
    limits = getattr(function, _LIMITS, None)
    return limits if isinstance(limits, NodeLimits) else NodeLimits()


def title_of(node: Node) -> str:
    """What people see for a node, such as `Save the dossier`."""
    title: str | None = getattr(node, _TITLE, None)
    return title or name_of(node).replace("_", " ").capitalize()


State = Mapping[str, Any]
Update = Mapping[str, Any]
Node = Callable[[Any, "RunContext"], Awaitable[Update]]
"""`async def node(state, run) -> update`; its name is the node's name on the wire."""
Bound = Callable[[Any], Awaitable[Update]]


@dataclass(frozen=True)
class FlowBudget:
    """The budget of a run of this flow; None means the installation's default.

    A limit set by the operator (`WHENCE_BUDGET_*`) caps it.
    """

    calls: int | None = None
    tokens: int | None = None
    usd: float | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Flow:
    """A research flow for one kind of subject.

    `state` is a TypedDict of plain values: ids and small facts; bulk belongs in tables.  A key that
    several branches write needs a reducer: `Annotated[list[str], operator.add]`.
    """

    id: str
    version: str
    kind: str
    state: type
    nodes: tuple[Node, ...]
    edges: tuple[tuple[str, str], ...]
    """Pairs of a node and its successor; a node with neither edge nor branch ends its path."""
    branches: tuple[Branch | Fork, ...] = ()
    recomputations: Mapping[str, Recompute] = field(default_factory=dict)
    partial: Node | None = None
    """The node that saves a partial dossier if the budget ends the run early."""
    starts: tuple[str, ...] = ()
    """The nodes that start the run, in parallel; if empty, the first of `nodes`."""
    joins: tuple[str, ...] = ()
    """Nodes that wait for all branches that lead to them, and then run once."""
    progress: Mapping[str, float] = field(default_factory=dict)
    """Each node's share of the work, in any unit; if given, the run shows its progress in per cent.
    """
    budget: FlowBudget = field(default_factory=FlowBudget)
    dossier: type[BaseModel] | None = None
    """The schema of its dossiers' body, for generic clients."""
    types: tuple[RunType, ...] = (DEFAULT,)
    """The types of run; the first is the default of a request."""

    def __post_init__(self) -> None:
        names = self.names
        repeated = sorted({name for name in names if names.count(name) > 1})
        if repeated:
            raise ValueError(
                f"Flow '{self.id}': several nodes are called {_quoted(repeated)}; a node's name "
                "is that of its function, and must be its own."
            )
        branching = {name for branch in self.branches for name in (branch.source, *branch.to)}
        for place, used in (
            ("edges", {name for edge in self.edges for name in edge}),
            ("branches", branching),
            ("starts", set(self.starts)),
            ("joins", set(self.joins)),
            ("progress", set(self.progress)),
        ):
            if unknown := sorted(used - set(names)):
                raise ValueError(
                    f"Flow '{self.id}': its {place} name {_quoted(unknown)}, which no node is "
                    f"called; the nodes are {_quoted(names)}."
                )
        check(self.id, self.shape)
        check_types(self.id, self.types, names)

    def run_type(self, name: str | None) -> RunType:
        """A run type by name, the first for None; raises Invalid, which lists the types."""
        run_type = self.known_type(name)
        if run_type is None:
            offered = ", ".join(each.name for each in self.types)
            raise Invalid(
                f"There is no type '{name}' of {self.kind}/{self.id}; the types are {offered}."
            )
        return run_type

    def known_type(self, name: str | None) -> RunType | None:
        """Like `run_type`, but None if the flow does not declare it."""
        if name in (None, DEFAULT_NAME):
            return next((each for each in self.types if each.name == name), self.types[0])
        return next((each for each in self.types if each.name == name), None)

    @property
    def names(self) -> list[str]:
        """The names of the nodes, in the order of their declaration."""
        return [name_of(node) for node in self.nodes]

    @property
    def first(self) -> tuple[str, ...]:
        """The nodes that start the run."""
        return self.starts or (name_of(self.nodes[0]),)

    @property
    def shape(self) -> Shape:
        """The nodes and their connections."""
        return Shape(tuple(self.names), self.first, self.edges, self.branches, self.joins)


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)


def name_of(node: Node) -> str:
    """A node's name on the wire: its function's name."""
    return getattr(node, "__name__", type(node).__name__)


def budget_of(settings: Settings, flow: Flow) -> Budget:
    """The flow's own limits, with defaults for those it does not set.

    A limit set by the operator caps the flow's.
    """
    own, most = flow.budget, Budget.of(settings)

    def limit(name: str, wanted: float | None, default: float) -> float:
        if wanted is None:
            return default
        is_set = f"budget_{name}" in settings.model_fields_set
        return min(wanted, default) if is_set else wanted

    return Budget(
        calls=int(limit("calls", own.calls, most.calls)),
        tokens=int(limit("tokens", own.tokens, most.tokens)),
        usd=Decimal(str(limit("usd", own.usd, float(most.usd)))),
        seconds=limit("seconds", own.seconds, most.seconds),
    )
