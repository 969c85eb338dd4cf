"""A flow, as a pack declares it: typed state, nodes and their limits, a budget."""

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

_ATTRIBUTE = "__whence_node__"
N = TypeVar("N", bound=Callable[..., Awaitable[Any]])


@dataclass(frozen=True)
class NodeLimits:
    """The limits of one turn of a node."""

    seconds: float = math.inf
    """What one try may take, beside the budget of the run."""
    attempts: int = 1
    """Tries before the attempt at the run ends with the node's error."""


def node(*, seconds: float = math.inf, attempts: int = 1) -> Callable[[N], N]:
    """Declare a node's limits: `@node(seconds=60, attempts=2)`.

    A node is tried again after an unexpected error and after `seconds`.  An outside system that is
    away, a question and a used-up budget end the attempt at once, as without it.
    """
    if not seconds > 0 or attempts < 1:
        raise ValueError("A node needs some time and at least one attempt.")

    def declare(function: N) -> N:
        setattr(function, _ATTRIBUTE, NodeLimits(seconds, attempts))
        return function

    return declare


def limits_of(function: object) -> NodeLimits:
    """What a node declares; no limits of its own otherwise."""
    limits = getattr(function, _ATTRIBUTE, None)
    return limits if isinstance(limits, NodeLimits) else NodeLimits()


State = Mapping[str, Any]
Update = Mapping[str, Any]
Node = Callable[[Any, "RunContext"], Awaitable[Update]]
"""`async def node(state, run) -> update`; its name is the node's name on the wire."""
Bound = Callable[[Any], Awaitable[Update]]


@dataclass(frozen=True)
class FlowBudget:
    """What one run of a flow may use, where that differs from the installation's defaults.

    A limit that the operator sets (`WHENCE_BUDGET_*`) caps it.
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
    """What follows what; a node with neither edge nor branch ends its path."""
    branches: tuple[Branch | Fork, ...] = ()
    recomputations: Mapping[str, Recompute] = field(default_factory=dict)
    partial: Node | None = None
    """Builds what can be saved when a budget ends the run early; it runs as a node of its own."""
    starts: tuple[str, ...] = ()
    """The nodes that begin the run, side by side; the first of `nodes` when empty."""
    joins: tuple[str, ...] = ()
    """Nodes that wait for every branch on its way to them, and then run once."""
    progress: Mapping[str, float] = field(default_factory=dict)
    """The share of the work that each node does, in any unit; the run then shows per cent."""
    budget: FlowBudget = field(default_factory=FlowBudget)
    dossier: type[BaseModel] | None = None
    """What the body of its dossiers looks like, for clients that draw any of them."""
    types: tuple[RunType, ...] = (DEFAULT,)
    """The types of run there are; the first is that of a request which names none."""

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
        """A type of run, the first where None is named; raises Invalid naming those there are."""
        run_type = self.known_type(name)
        if run_type is None:
            offered = ", ".join(each.name for each in self.types)
            raise Invalid(
                f"There is no type '{name}' of {self.kind}/{self.id}; there are {offered}."
            )
        return run_type

    def known_type(self, name: str | None) -> RunType | None:
        """As `run_type`, None where the flow does not offer it."""
        if name in (None, DEFAULT_NAME):
            return next((each for each in self.types if each.name == name), self.types[0])
        return next((each for each in self.types if each.name == name), None)

    @property
    def names(self) -> list[str]:
        """The names of the nodes, in the order they were declared."""
        return [name_of(node) for node in self.nodes]

    @property
    def first(self) -> tuple[str, ...]:
        """The nodes that begin the run."""
        return self.starts or (name_of(self.nodes[0]),)

    @property
    def shape(self) -> Shape:
        """How the nodes follow each other."""
        return Shape(tuple(self.names), self.first, self.edges, self.branches, self.joins)


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)


def name_of(node: Node) -> str:
    """A node's name on the wire: its function's name."""
    return getattr(node, "__name__", type(node).__name__)


def budget_of(settings: Settings, flow: Flow) -> Budget:
    """The flow's own limits, and the defaults where it has none.

    A limit that the operator has set caps the flow's.
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
