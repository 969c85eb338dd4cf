"""Missing information, its importance, and whether to search again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from whence.packs.resale.thresholds import CONFIDENT, MAX_ITERATIONS, RECOMMENDED_EFFECT

REQUIRED_EFFECT = 0.25
"""Effect, as a share of the target, from which the price is useless without the answer: the
distance that confidence counts as near."""


class Importance(StrEnum):
    REQUIRED = "required"
    RECOMMENDED = "recommended"
    OPTIONAL = "optional"


@dataclass(frozen=True, slots=True)
class Hint:
    """A missing piece of information, and how far knowing it would move the band."""

    field: str
    """The item's field to fill, or `comps` if evidence is missing."""
    importance: Importance
    question: str | None
    """The question to the owner; None if only a source or a search can answer."""
    why: str
    effect: float | None
    """How far the answer may move the price, as a share of the target (0.2 is 20 per cent); None if
    there is no price yet."""
    amount: float | None
    """The same in `currency`."""
    currency: str


def by_effect(effect: float) -> Importance:
    """Importance of a question whose answer moves the price by this share."""
    if effect >= REQUIRED_EFFECT:
        return Importance.REQUIRED
    return Importance.RECOMMENDED if effect >= RECOMMENDED_EFFECT else Importance.OPTIONAL


def ranked(hints: Sequence[Hint]) -> list[Hint]:
    """By effect on the price, largest first; hints that block any price come before all others."""
    order = list(Importance)
    return sorted(
        hints,
        key=lambda hint: (
            hint.effect is not None,
            -(hint.effect or 0.0),
            order.index(hint.importance),
            hint.field,
        ),
    )


@dataclass(frozen=True, slots=True)
class Refinement:
    """When a further search is worthwhile."""

    confidence: float = CONFIDENT
    """Confidence of the target from which no further search is made."""
    effect: float = RECOMMENDED_EFFECT
    """Least effect of a missing answer, as a share of the target."""
    searches: int = MAX_ITERATIONS
    """Most searches, the first one included."""


def should_refine(
    iteration: int,
    confidence: float | None,
    hints: Sequence[Hint],
    refinement: Refinement | None = None,
) -> bool:
    """Whether to search again: `iteration` counts searches done, `confidence` is the target's.

    False after the last search and from a sufficient confidence on; otherwise True if an answer is
    missing that moves the price far enough, or without which there is no price.
    """
    limits = refinement or Refinement()
    if iteration >= limits.searches or (confidence or 0.0) >= limits.confidence:
        return False
    return any(hint.question and _matters(hint, limits.effect) for hint in hints)


def _matters(hint: Hint, least: float) -> bool:
    if hint.effect is None:
        return hint.importance is not Importance.OPTIONAL
    return hint.effect >= least
