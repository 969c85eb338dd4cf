"""The sources of a run: the organization's own library first, then the outside ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from whence.packs.resale.library.source import Library
from whence.packs.resale.sources.base import Source
from whence.sdk.research import RunContext


@dataclass(frozen=True)
class OutsideSources:
    """The adapters of this process, available or not."""

    sources: tuple[Source, ...]


@dataclass(frozen=True)
class Libraries:
    """How a run reaches its organization's imported listings."""

    library_of: Callable[[RunContext], Library] = lambda run: Library(run.unit)


def library_of(run: RunContext) -> Library:
    """The imported listings of the run's organization."""
    return run.service(Libraries).library_of(run)


def sources_for(run: RunContext) -> list[Source]:
    """Every source, in listing order."""
    return [library_of(run), *run.service(OutsideSources).sources]


def available(sources: Sequence[Source]) -> list[Source]:
    """Those that can be asked now."""
    return [source for source in sources if source.availability().available]
