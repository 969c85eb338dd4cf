"""Reading the documentation: its pages, their sections, tables and code blocks."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]


@dataclass(frozen=True)
class Page:
    """One Markdown file."""

    path: Path
    text: str

    @property
    def prose(self) -> str:
        """The text without its code blocks."""
        return re.sub(r"^```.*?^```", "", self.text, flags=re.DOTALL | re.MULTILINE)

    @property
    def headings(self) -> list[str]:
        return re.findall(r"^#+ (.+)$", self.prose, re.MULTILINE)

    def section(self, heading: str) -> str:
        """The text under a `## ` heading, up to the next one."""
        _, result, rest = self.text.partition(f"\n## {heading}\n")
        assert result, f"{self.path.name} has no section '{heading}'"
        return re.split(r"^## ", rest, maxsplit=1, flags=re.MULTILINE)[0]

    def code(self, language: str) -> list[str]:
        """The code blocks of a language, in order."""
        return blocks(self.text, language)


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def rows(text: str) -> list[list[str]]:
    """The rows of the tables in `text`, without headings, each a list of its cells."""
    lines = [line.strip() for line in text.splitlines() if line.startswith("|")]
    below: list[list[str]] = []
    for number, line in enumerate(lines):
        rules = lines[number + 1 : number + 2]
        if set(line) <= set("|-: ") or (rules and set(rules[0]) <= set("|-: ")):
            continue
        below.append([cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("|"))])
    return below


@pytest.fixture(scope="session")
def repository() -> Path:
    return REPOSITORY


@pytest.fixture(scope="session")
def page() -> Callable[[str], Page]:
    """`page("docs/glossary.md")`."""
    return lambda path: Page(REPOSITORY / path, (REPOSITORY / path).read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def table_rows() -> Callable[[str], list[list[str]]]:
    """`table_rows(text)`: the rows of its tables."""
    return rows


@pytest.fixture(scope="session")
def code_blocks() -> Callable[[str, str], list[str]]:
    """`code_blocks(text, "json")`."""
    return blocks
