"""The run types that a flow declares: the nodes that each skips, and its typed parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from whence.kernel.errors import Conflict, Invalid
from whence.kernel.field_errors import faults_of, sentence
from whence.kernel.text import digest
from whence.kernel.wire import Wire

DEFAULT_NAME = "default"
"""The type of runs if the flow declares none, and of runs older than run types."""


class OtherResearchUnderWay(Conflict):
    """Research of this record is active with another type or other parameters; wait until it ends,
    or cancel it.
    """


class NoParameters(Wire):
    """The model of a run type without parameters."""


@dataclass(frozen=True)
class RunType:
    """A reason to research a record, such as `initial_intake` or `pricing_refresh`."""

    name: str
    title: str
    skips: tuple[str, ...] = ()
    """Nodes that its runs skip: the state stays unchanged and the step shows as `skipped`."""
    parameters: type[BaseModel] = NoParameters
    """The model of its runs' parameters; every field needs a default."""
    is_whole: bool = True
    """False if its dossier covers only a part and must not replace a whole one."""
    builds_on_earlier: bool = False
    """Whether its runs take the results of the skipped nodes from `run.earlier()`: a request is
    refused until the record has research that covers all of it."""
    side_by_side: bool = False
    """Whether several runs of a record may be active at once if their parameters differ."""

    def parse(self, values: Mapping[str, Any] | None) -> BaseModel:
        """The parsed parameters; raises Invalid, which lists each faulty one."""
        try:
            return self.parameters.model_validate(dict(values or {}))
        except ValidationError as error:
            faults = faults_of(error, self.parameters, "parameters")
            raise Invalid(
                f"A run of the type '{self.name}' takes other parameters: {sentence(faults)}.",
                errors=[each.as_json() for each in faults],
            ) from error

    def key(self, parameters: Mapping[str, Any]) -> str:
        """Part of the key of active runs, so that runs may be parallel; empty for one at a time."""
        return f"/{self.name}/{digest(parameters)[:16]}" if self.side_by_side else ""


DEFAULT = RunType(DEFAULT_NAME, "Research")


def check_types(flow: str, types: Sequence[RunType], nodes: Sequence[str]) -> None:
    """Raise ValueError for a flow with faulty run types."""
    names = [each.name for each in types]
    if not types or len(set(names)) != len(names):
        raise ValueError(f"Flow '{flow}': its types of run need different names: {names}.")
    for each in types:
        if unknown := set(each.skips) - set(nodes):
            raise ValueError(
                f"Flow '{flow}': '{each.name}' skips {sorted(unknown)}; these are not its nodes."
            )
        try:
            each.parameters()
        except ValidationError as error:
            raise ValueError(
                f"Flow '{flow}': every parameter of '{each.name}' needs a default."
            ) from error
