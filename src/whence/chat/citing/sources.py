"""What an answer may cite: everything that a turn was shown, each with its own marker.

A model (or a rule) writes `[source:evidence:3]`; the book knows what that is.  A marker that the
book did not give out points nowhere, whoever wrote it.
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
    """Something that carries a sentence."""

    kind: SourceKind
    title: str
    content: str
    """All of it, as the figures of a sentence are looked up in it; shown as a snippet."""
    id: UUID | None = None
    """Of the evidence or the run."""
    path: str | None = None
    """Of the claim in its dossier, the field of the record, or the entry of the page."""
    url: str | None = None
    value: str | None = None
    """What a claim or field states in one word or name; a sentence that has it states a fact."""

    @property
    def snippet(self) -> str:
        """Its beginning, for a reader who has the title: what only repeats that is left out."""
        words = " ".join(self._beside_title().split()) or " ".join(self.content.split())
        cut = words[:SNIPPET_CHARACTERS]
        return cut if cut == words else cut.rsplit(" ", 1)[0] + " …"

    def _beside_title(self) -> str:
        lines = [line.strip() for line in self.content.split("\n")]
        while lines and lines[0] == self.title.strip():
            del lines[0]
        for said in (self.title, self.title.rsplit(": ", 1)[-1]):
            lines[:1] = [line.removeprefix(f"{said}: ") for line in lines[:1]]
        return "\n".join(lines)


@dataclass(frozen=True)
class Mark:
    """A marker: a tool's name (or `dossier`, `evidence`, `record`) and a number from 0."""

    tool: str
    index: int

    def __str__(self) -> str:
        return f"[source:{self.tool}:{self.index}]"


class SourceBook:
    """The sources of one turn, in the order in which they were shown."""

    def __init__(self) -> None:
        self._sources: dict[Mark, Source] = {}
        self._count: dict[str, int] = {}

    def add(self, tool: str, source: Source) -> Mark:
        """Give a source its marker; indexes of a tool go on over the rounds of a turn."""
        mark = Mark(tool, self._count.get(tool, 0))
        self._count[tool] = mark.index + 1
        self._sources[mark] = source
        return mark

    def get(self, mark: Mark) -> Source | None:
        """What a marker points at, None where it points nowhere."""
        return self._sources.get(mark)

    def __iter__(self) -> Iterator[tuple[Mark, Source]]:
        return iter(self._sources.items())
