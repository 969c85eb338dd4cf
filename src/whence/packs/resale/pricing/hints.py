"""Missing information, its importance, and whether to search again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from whence.packs.resale.thresholds import CONFIDENT, MAX_ITERATIONS

REQUIRED_EFFECT = 0.25
"""Effect, as a share of the target, from which the price is useless without the answer: the
distance that confidence counts as near."""

RECOMMENDED_EFFECT = 0.08
"""Effect, as a share of the target, from which a question is worthwhile: about a marketplace's fee.
"""


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


def should_refine(iteration: int, confidence: float | None, hints: Sequence[Hint]) -> bool:
    """Whether to search again: `iteration` counts searches done, `confidence` is the target's.

    False after `MAX_ITERATIONS` searches or from confidence `CONFIDENT` on; otherwise True if a
    hint that is not optional has a question.
    """
    if iteration >= MAX_ITERATIONS or (confidence or 0.0) >= CONFIDENT:
        return False
    return any(hint.importance is not Importance.OPTIONAL and hint.question for hint in hints)
