"""Layers, files and figures that the pages name are those of the code."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from whence.packs.resale.perception.photographs import MAX_IMAGES
from whence.packs.resale.thresholds import KEPT_RELEVANCE, MAX_ITERATIONS, PRICED_RELEVANCE
from whence.work.transitions import (
    FIRST_PAUSE_SECONDS,
    LONGEST_PAUSE_SECONDS,
    MAX_CRASHES,
    MAX_OUTAGES,
)
from whence.work.worker import GRACE_SECONDS

REPOSITORY = Path(__file__).parents[2]
RESALE = Path("src", "whence", "packs", "resale")
ROOTS = (Path(), Path("src", "whence"), RESALE, RESALE / "pricing")
NAMED = re.compile(r"`((?:[\w.-]+/)+(?:[\w.-]+)?|[\w-]+\.(?:py|toml|md|json))`")
PAGES = [
    "docs/architecture.md",
    *(f"docs/adr/{p.name}" for p in (REPOSITORY / "docs/adr").iterdir()),
]


def test_the_layers_are_those_that_are_checked(page: Callable[[str], Any]) -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    [layers] = [
        contract["layers"]
        for contract in project["tool"]["importlinter"]["contracts"]
        if contract["type"] == "layers"
    ]
    drawn = page("docs/architecture.md").code("text")[0]

    assert [line.split()[0] for line in drawn.splitlines()] == layers


@pytest.mark.parametrize("path", PAGES)
def test_every_file_that_a_page_names_exists(path: str, page: Callable[[str], Any]) -> None:
    for name in NAMED.findall(page(path).prose):
        if not name.startswith("HOME/"):
            assert any((REPOSITORY / root / name).exists() for root in ROOTS), name


def test_the_nodes_are_walked_in_the_order_of_the_flow(page: Callable[[str], Any]) -> None:
    from whence.packs.resale.flows.research import RESEARCH

    walked = re.findall(r"^\| `(\w+)` \|", page("docs/architecture.md").text, re.MULTILINE)
    walked = [name for name in walked if "_" in name]

    assert walked == [node.__name__ for node in RESEARCH.nodes]


def test_figures_in_the_prose_are_those_of_the_code(page: Callable[[str], Any]) -> None:
    architecture = page("docs/architecture.md").text
    glossary = page("docs/glossary.md").text

    assert (MAX_IMAGES, MAX_ITERATIONS, MAX_CRASHES, MAX_OUTAGES) == (4, 3, 3, 8)
    assert "up to four photographs" in architecture
    assert "at most three searches" in architecture
    assert "in the same way, three times at one place" in architecture
    assert "eight times at one place" in architecture
    assert (
        f"after {FIRST_PAUSE_SECONDS:.0f} seconds, doubling to {LONGEST_PAUSE_SECONDS / 60:.0f}"
        in (architecture)
    )
    assert f"it gets {GRACE_SECONDS:.0f} seconds" in architecture
    assert (
        f"From {KEPT_RELEVANCE} it is kept, from {PRICED_RELEVANCE} it may move a price" in glossary
    )
