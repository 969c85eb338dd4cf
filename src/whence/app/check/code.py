"""Checks a pack's imports and prompts, without running its code."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import whence.sdk
from whence.kernel.errors import Misconfigured
from whence.llm.prompts import read_prompt
from whence.sdk.pack import Pack

CLOSED = {
    "fastapi": "declare a route of whence.sdk.routes",
    "starlette": "declare a route of whence.sdk.routes",
    "socketio": "report progress by `run.report`",
    "uvicorn": "`whence serve` serves the pack",
    "psycopg": "use the session of `run.fenced()` or `context.unit()`",
    "psycopg_pool": "use the session of `run.fenced()` or `context.unit()`",
    "httpx": "ask outside systems through whence.sdk.http",
    "aiohttp": "ask outside systems through whence.sdk.http",
    "requests": "ask outside systems through whence.sdk.http",
    "urllib3": "ask outside systems through whence.sdk.http",
}
"""Libraries that a pack must not import, and what to use instead."""


def import_faults(folder: Path) -> Iterator[str]:
    """Imports of whence modules outside the SDK, and of libraries that the engine wraps."""
    own = f"whence.packs.{folder.name}"
    for path in sorted(folder.rglob("*.py")):
        if "tests" in path.relative_to(folder).parts:
            continue
        place = path.relative_to(folder)
        try:
            tree = ast.parse(path.read_text(encoding="utf-8"))
        except (SyntaxError, UnicodeDecodeError) as error:
            yield f"{place} is not valid Python: {error}"
            continue
        for line, module, names in _imports(tree):
            root = module.partition(".")[0]
            if root in CLOSED:
                yield f"{place}:{line} imports {module}; {CLOSED[root]} instead"
            elif root == "whence" and not _is_open(module, own):
                yield f"{place}:{line} imports {module}; {_instead(names)}"


def _imports(tree: ast.Module) -> Iterator[tuple[int, str, list[str]]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for each in node.names:
                yield node.lineno, each.name, []
        elif isinstance(node, ast.ImportFrom) and not node.level:
            module, names = node.module or "", [each.name for each in node.names]
            if module in ("whence", "whence.packs"):
                yield from ((node.lineno, f"{module}.{name}", []) for name in names)
            else:
                yield node.lineno, module, names


def _is_open(module: str, own: str) -> bool:
    return any(module == each or module.startswith(f"{each}.") for each in ("whence.sdk", own))


def _instead(names: list[str]) -> str:
    for topic in pkgutil.iter_modules(whence.sdk.__path__):
        module = importlib.import_module(f"whence.sdk.{topic.name}")
        if names and set(names) <= set(getattr(module, "__all__", ())):
            return f"import {', '.join(names)} from {module.__name__}"
    return "import from whence.sdk, or relatively from the pack's own folder"


def prompt_faults(pack: Pack) -> Iterator[str]:
    """Prompt files that cannot be read, and prompt inputs that their skill or page lacks."""
    declared = [chat.prompt for chat in pack.chats] + [page.prompt for page in pack.pages]
    for path in sorted({*declared, *pack.folder.rglob("prompts/*.md")}):
        try:
            read_prompt(path)
        except (Misconfigured, OSError, UnicodeDecodeError) as error:
            yield f"{error}; correct the file or the manifest"
    for page in pack.pages:
        try:
            inputs = read_prompt(page.prompt).inputs
        except (Misconfigured, OSError, UnicodeDecodeError):
            continue
        for name in sorted(set(inputs) - set(page.values.model_fields)):
            yield (
                f"{page.prompt.name} takes '{name}', which {page.values.__name__} of the page "
                f"'{page.name}' does not have; add the field or leave it out of `inputs`"
            )
