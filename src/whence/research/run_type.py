"""The types of run that a flow declares: what each leaves out, and its typed parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from whence.kernel.errors import Conflict, Invalid
from whence.kernel.text import digest
from whence.kernel.wire import Wire

DEFAULT_NAME = "default"
"""The type of runs of a flow that declares none, and of runs from before there were types."""


class OtherResearchUnderWay(Conflict):
    """Research of this record is under way with another type or other parameters; wait for its end
    or cancel it.
    """


class NoParameters(Wire):
    """A type of run that takes no parameters."""


@dataclass(frozen=True)
class RunType:
    """A reason to research a record, such as `initial_intake` or `pricing_refresh`."""

    name: str
    title: str
    skips: tuple[str, ...] = ()
    """Nodes that its runs leave out: they change nothing in the state and show as `skipped`."""
    parameters: type[BaseModel] = NoParameters
    """What its runs are asked for with; every field has a default."""
    is_whole: bool = True
    """False: its dossier tells a part, and does not take the place of a whole one."""
    builds_on_earlier: bool = False
    """Its runs take over what the skipped nodes found from `run.earlier()`: a request is refused
    while the record has no research that covers all of it."""
    side_by_side: bool = False
    """Whether its runs continue beside others of the record, where their parameters differ."""

    def parse(self, given: Mapping[str, Any] | None) -> BaseModel:
        """The parameters; raises Invalid naming each that is wrong."""
        try:
            return self.parameters.model_validate(dict(given or {}))
        except ValidationError as error:
            wrong = [
                {"field": ".".join(("parameters", *map(str, item["loc"]))), "message": item["msg"]}
                for item in error.errors(
                    include_url=False, include_context=False, include_input=False
                )
            ]
            words = "; ".join(f"{item['field']}: {item['message']}" for item in wrong)
            raise Invalid(
                f"A run of the type '{self.name}' takes other parameters: {words}.", errors=wrong
            ) from error

    def key(self, parameters: Mapping[str, Any]) -> str:
        """What tells its runs apart that may continue side by side; empty for one at a time."""
        return f"/{self.name}/{digest(parameters)[:16]}" if self.side_by_side else ""


DEFAULT = RunType(DEFAULT_NAME, "Research")


def check_types(flow: str, types: Sequence[RunType], nodes: Sequence[str]) -> None:
    """Raises ValueError for a flow whose types cannot be."""
    names = [each.name for each in types]
    if not types or len(set(names)) != len(names):
        raise ValueError(f"Flow '{flow}': its types of run need different names: {names}.")
    for each in types:
        if unknown := set(each.skips) - set(nodes):
            raise ValueError(
                f"Flow '{flow}': '{each.name}' skips {sorted(unknown)}, which are no nodes of it."
            )
        try:
            each.parameters()
        except ValidationError as error:
            raise ValueError(
                f"Flow '{flow}': every parameter of '{each.name}' needs a default."
            ) from error
