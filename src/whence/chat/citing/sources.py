"""What an answer may cite: everything shown to the turn, each source with its own marker.

A model (or a rule) writes `[source:evidence:3]`, and the book resolves it.  A marker that the book
did not issue points nowhere, whoever wrote it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

SourceKind = Literal["claim", "evidence", "record", "tool", "rule", "run", "page", "organization"]
SNIPPET_CHARACTERS = 240


@dataclass(frozen=True)
class Source:
    """Something that a sentence can cite."""

    kind: SourceKind
    title: str
    content: str
    """The full text: figures of a sentence are looked up in it.  Shown as a snippet."""
    id: UUID | None = None
    """The id of the evidence or the run."""
    path: str | None = None
    """The path of the claim in its dossier, the field of the record, or the entry of the page."""
    url: str | None = None
    summary: str = ""
    """What is shown of it instead of the beginning of its content."""
    value: str | None = None
    """The value of a claim or field, if it is one word or name; a sentence with it is factual."""

    @property
    def snippet(self) -> str:
        """Its summary, or the beginning of the content without what only repeats the title."""
        words = self.summary or self._beside_title() or self.content
        words = " ".join(words.split())
        cut = words[:SNIPPET_CHARACTERS]
        return cut if cut == words else cut.rsplit(" ", 1)[0] + " …"

    def _beside_title(self) -> str:
        lines = [line.strip() for line in self.content.split("\n")]
        while lines and lines[0] == self.title.strip():
            del lines[0]
        for prefix in (self.title, self.title.rsplit(": ", 1)[-1]):
            lines[:1] = [line.removeprefix(f"{prefix}: ") for line in lines[:1]]
        return "\n".join(lines)


@dataclass(frozen=True)
class Mark:
    """A marker: a tool's name (or `dossier`, `evidence`, `record`) and a number from 0."""

    tool: str
    index: int

    def __str__(self) -> str:
        return f"[source:{self.tool}:{self.index}]"


class SourceBook:
    """The sources of one turn, in the order they were shown."""

    def __init__(self) -> None:
        self._sources: dict[Mark, Source] = {}
        self._count: dict[str, int] = {}

    def add(self, tool: str, source: Source) -> Mark:
        """Issue a marker for a source; a tool's indexes continue over all rounds of the turn."""
        mark = Mark(tool, self._count.get(tool, 0))
        self._count[tool] = mark.index + 1
        self._sources[mark] = source
        return mark

    def get(self, mark: Mark) -> Source | None:
        """The source a marker points to; None if it points nowhere."""
        return self._sources.get(mark)

    def __iter__(self) -> Iterator[tuple[Mark, Source]]:
        return iter(self._sources.items())
