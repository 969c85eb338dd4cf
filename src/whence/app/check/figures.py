"""Checks that every figure a pack's code makes can be recomputed by the flow that saves it."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from whence.research.flow import Flow, name_of
from whence.sdk.evidence import Figure
from whence.sdk.pack import Pack


@dataclass(frozen=True)
class _Use:
    """A place in the code that makes a figure."""

    place: str
    """File and line."""
    module: str
    function: str
    """The function of the module that it is in; empty outside of one."""
    figure: str


def figure_faults(pack: Pack) -> Iterator[str]:
    """Figures without a recomputation: their claims would all be saved as `unsupported`.

    A figure that a node makes itself belongs to the flows of that node; any other must be known to
    at least one flow of the pack.  Names that only exist at run time are not checked.
    """
    flows = (*pack.flows, *pack.candidates)
    for use in _figures(pack.folder):
        own = [flow for flow in flows if _has_node(flow, use)]
        if own:
            lacking = [flow for flow in own if use.figure not in flow.recomputations]
        elif any(use.figure in flow.recomputations for flow in flows):
            continue
        else:
            lacking = flows
        names = ", ".join(dict.fromkeys(f"'{flow.id}' ({flow.version})" for flow in lacking))
        if names:
            yield (
                f"{use.place} makes the figure '{use.figure}', which cannot be recomputed; add it"
                f" to `recomputations` of the flow {names}, or its claims are saved as unsupported"
            )


def _has_node(flow: Flow, use: _Use) -> bool:
    return any(
        (node.__module__, name_of(node)) == (use.module, use.function)
        for node in (*flow.nodes, flow.partial)
        if node is not None
    )


def _figures(folder: Path) -> Iterator[_Use]:
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder).with_suffix("").parts
        name = ".".join(["whence.packs", folder.name, *parts]).removesuffix(".__init__")
        module = sys.modules.get(name)
        if module is None:
            continue  # nothing that the manifest declares imports it
        for top in ast.parse(path.read_text(encoding="utf-8")).body:
            is_function = isinstance(top, ast.FunctionDef | ast.AsyncFunctionDef)
            for call in ast.walk(top):
                if isinstance(call, ast.Call) and _value(module, call.func) is Figure:
                    figure = _value(module, _name_argument(call))
                    if isinstance(figure, str):
                        place = f"{path.relative_to(folder)}:{call.lineno}"
                        function = top.name if is_function else ""
                        yield _Use(place, name, function, figure)


def _name_argument(call: ast.Call) -> ast.expr | None:
    if call.args:
        return call.args[0]
    return next((each.value for each in call.keywords if each.arg == "name"), None)


def _value(module: ModuleType, expression: ast.expr | None) -> Any:
    """What a literal, a name of the module, or an attribute of one stands for; else None."""
    match expression:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            return getattr(module, name, None)
        case ast.Attribute(value=inner, attr=name):
            return getattr(_value(module, inner), name, None)
        case _:
            return None
