"""What a pack declares so that people can include and exclude the evidence of its dossiers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from whence.chat.record_view import RecordView


@dataclass(frozen=True)
class RecomputedFigure:
    """A figure of the dossier as it is, and as it would be with other evidence."""

    path: str
    """The path of its claim, such as `price.target.amount`."""
    label: str
    before: float | None
    after: float | None
    """None: it could not be concluded any more."""
    unit: str = ""
    """A currency's code or a word, such as `listings`."""
    confidence_before: float | None = None
    confidence_after: float | None = None


@dataclass(frozen=True)
class Recomputed:
    """What a dossier would conclude with other evidence."""

    summary: str
    """One or two sentences: what changes, or why there would be no conclusion any more."""
    figures: Sequence[RecomputedFigure] = field(default_factory=tuple)


@dataclass(frozen=True)
class EvidenceChoices:
    """Lets people include and exclude the evidence of a kind's `research` dossiers.

    The choices are a field of the record, changed by a proposal like any other, so that they are
    audited and can be undone; `SubjectKind.follow_ups` starts the run that concludes anew from
    them.  `choose(view, choices)` is the field's value with these choices added: `choices` says by
    evidence id whether it is to count.  `recompute(view, value)` is pure: what the dossier would
    conclude with that value; it runs in a thread.
    """

    kind: str
    field: str
    """The record's field that keeps the choices."""
    role: str
    """The role of the evidence that can be chosen, as its judgements name it."""
    choose: Callable[[RecordView, Mapping[UUID, bool]], Any]
    recompute: Callable[[RecordView, Any], Recomputed]
