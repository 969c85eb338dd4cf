"""The pages of a pack's own, in its folder `ui/`, for the web application to build in.

ui/index.tsx            what the pack adds to or replaces of the generic pages (docs/web.md)
ui/<any>.tsx, .ts       parts of that, also in folders
ui/pages/<name>.tsx     one page, a React module; `<name>` is its word in the address
ui/labels/<lang>.json   words by key, both strings, for a language such as `en` or `pt-BR`
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from whence.kernel.errors import Misconfigured

_PAGE = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_FOLDERS = ("pages", "labels")
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Z]{2})?")


class BadUi(Misconfigured):
    """A pack's `ui/` may contain only React modules and `labels/<language>.json`."""


@dataclass(frozen=True)
class Ui:
    """The contents of a pack's `ui/`: the names of its pages, and its labels by language."""

    pages: tuple[str, ...] = ()
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])


def read_ui(folder: Path) -> Ui:
    """The contents of a pack's `ui/`; empty if there is none.  Raises BadUi naming the file."""
    if not folder.is_dir():
        return Ui()
    pages: list[str] = []
    labels: dict[str, Mapping[str, str]] = {}
    for path in sorted(item for item in folder.rglob("*") if item.is_file()):
        match path.relative_to(folder).parts, path.suffix:
            case ("pages", _), ".tsx" if _PAGE.fullmatch(path.stem):
                pages.append(path.stem)
            case ("pages", _), ".tsx":
                raise BadUi(f"{path}: name it in lower case, words joined by '-'.")
            case ("labels", _), ".json" if _LANGUAGE.fullmatch(path.stem):
                labels[path.stem] = _labels(path)
            case ("labels", _), ".json":
                raise BadUi(f"{path}: name it after its language, such as en.json.")
            case (first, *_), ".ts" | ".tsx" if first not in _FOLDERS:
                pass
            case _:
                raise BadUi(f"{path} is neither a React module nor labels/<language>.json.")
    return Ui(tuple(pages), labels)


def _labels(path: Path) -> Mapping[str, str]:
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BadUi(f"{path} is not JSON: {error}.") from error
    if not isinstance(values, dict) or not all(isinstance(v, str) for v in values.values()):  # pyright: ignore[reportUnknownVariableType]
        raise BadUi(f'{path} must be one flat object of strings: {{"key": "words"}}.')
    return cast("Mapping[str, str]", values)
