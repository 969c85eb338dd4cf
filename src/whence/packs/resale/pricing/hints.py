"""What is missing, how much it matters, and whether to search again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from whence.packs.resale.thresholds import CONFIDENT, MAX_ITERATIONS

REQUIRED_EFFECT = 0.25
"""Share of the target price from which a missing answer makes the price useless without it: the
distance that confidence counts as near."""

RECOMMENDED_EFFECT = 0.08
"""Share of the target price from which it is worth a question: about what a marketplace keeps."""


class Importance(StrEnum):
    REQUIRED = "required"
    RECOMMENDED = "recommended"
    OPTIONAL = "optional"


@dataclass(frozen=True, slots=True)
class Hint:
    """One missing thing, with how far knowing it would move the band."""

    field: str
    """The item's field to fill, or `comps` where evidence is missing."""
    importance: Importance
    question: str | None
    """What to ask the owner; None where only a source or a search can answer."""
    why: str
    effect: float | None
    """How far the answer may move a price, as a share of the target (0.2 is 20 per cent); None
    where there is no price yet to move."""
    amount: float | None
    """The same in `currency`."""
    currency: str


def by_effect(effect: float) -> Importance:
    """Importance of a question whose answer moves the price by this share."""
    if effect >= REQUIRED_EFFECT:
        return Importance.REQUIRED
    return Importance.RECOMMENDED if effect >= RECOMMENDED_EFFECT else Importance.OPTIONAL


def ranked(hints: Sequence[Hint]) -> list[Hint]:
    """What moves the price most comes first; what stands in the way of any price, before that."""
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

    False from `MAX_ITERATIONS` searches or `CONFIDENT` on; else True while some hint that is not
    optional has a question.
    """
    if iteration >= MAX_ITERATIONS or (confidence or 0.0) >= CONFIDENT:
        return False
    return any(hint.importance is not Importance.OPTIONAL and hint.question for hint in hints)
