"""Three price bands with confidence and reasoning, or what is missing for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from whence.packs.resale.records import Condition, ListingStatus

from .assumptions import Assumptions
from .comps import Comp
from .estimate import Estimate, estimate_price
from .params import BandParams, band_params
from .reasoning import edge_words, shortage, target_words, trimmed_words
from .weighing import LeftOut, Weighed, weigh

LIMITED = (
    "That holds for the product it was taken for; which product it is has a confidence of "
    "{identity}, so the price is no surer than that."
)


@dataclass(frozen=True, slots=True)
class Band:
    """One figure: an amount in the currency of the bands, its confidence (0 to 1), and why."""

    amount: float
    confidence: float
    """Target: probability that a further sale is within a quarter of it.  Floor and ceiling: the
    same, reduced as a sample determines its edges less precisely.  None is surer than which product
    it is (`PriceBands.limited_by`)."""
    reasoning: str


@dataclass(frozen=True, slots=True)
class UsedComp:
    """A comp behind the bands: its price adjusted to the item's condition, and its weight."""

    evidence_id: UUID | str
    amount: float
    weight: float
    """1 is an exact match, sold today, in the item's condition."""
    share: float
    """Share of the weight of all prices, 0 to 1; 0 for a bound beside prices."""
    is_bound: bool
    """Whether it found no buyer, and so bounds the price from above."""
    status: ListingStatus
    age_days: float | None


@dataclass(frozen=True, slots=True)
class TrimmedComp:
    """A comp excluded as an outlier, and why."""

    evidence_id: UUID | str
    amount: float
    reason: str


@dataclass(frozen=True, slots=True)
class PriceBands:
    """Floor (a quick sale), target, ceiling (a sale that can wait), shipping included if known."""

    floor: Band
    target: Band
    ceiling: Band
    currency: str
    effective_size: float
    """Kish's effective number of comps."""
    width: float
    """(ceiling - floor) / target."""
    used: tuple[UsedComp, ...]
    trimmed: tuple[TrimmedComp, ...]
    left_out: tuple[LeftOut, ...]
    params: BandParams
    """With the used comps' evidence, the input of `recompute_band` for the same figures."""

    evidence_confidence: float
    """The confidence of the target if the product is the one that it was taken for."""

    @property
    def confidence(self) -> float:
        """The confidence of the target."""
        return self.target.confidence

    def limited_by(self, identity: float) -> PriceBands:
        """The same amounts, none surer than which product it is (0 to 1).

        A price is right for the item only if the product is right too, and two things are never
        both true more often than either: P(A and B) <= min(P(A), P(B)), the upper bound of Fréchet
        (1951), which assumes nothing of how the two depend on each other.
        """

        def limited(band: Band) -> Band:
            if band.confidence <= identity:
                return band
            words = LIMITED.format(identity=f"{identity:.0%}")
            return replace(band, confidence=identity, reasoning=f"{band.reasoning} {words}")

        return replace(
            self,
            floor=limited(self.floor),
            target=limited(self.target),
            ceiling=limited(self.ceiling),
        )


@dataclass(frozen=True, slots=True)
class NotEnough:
    """Why there is no price, and what would help."""

    reason: str
    would_settle: tuple[str, ...]
    left_out: Sequence[LeftOut] = ()


def price_bands(
    comps: Sequence[Comp],
    condition: Condition | None,
    now: datetime,
    *,
    currency: str = "USD",
    category: str | None = None,
    assumptions: Assumptions | None = None,
    params: BandParams | None = None,
) -> PriceBands | NotEnough:
    """Price bands for an item in `condition`, in `currency`, as of `now`; `category` in free words.

    Only comps with a relevance of at least `PRICED_RELEVANCE` count; comps in other currencies are
    left out.  `params` replaces all parameters derived from the other arguments.  Never raises for
    odd evidence.
    """
    if params is None:
        params = band_params(
            now, condition=condition, currency=currency, category=category, assumptions=assumptions
        )
    estimate = estimate_price(comps, params)
    if estimate is None:
        reason, would_settle = shortage(comps, params)
        return NotEnough(reason, would_settle, weigh(comps, params)[1])
    return _bands(estimate, params)


def _bands(estimate: Estimate, params: BandParams) -> PriceBands:
    return PriceBands(
        floor=Band(
            estimate.floor, estimate.tail_confidence, edge_words(estimate, params, floor=True)
        ),
        target=Band(estimate.target, estimate.confidence, target_words(estimate, params)),
        ceiling=Band(
            estimate.ceiling, estimate.tail_confidence, edge_words(estimate, params, floor=False)
        ),
        currency=params.currency,
        effective_size=estimate.effective_size,
        width=(estimate.ceiling - estimate.floor) / estimate.target,
        used=tuple(_used(each, estimate, params) for each in estimate.used),
        trimmed=tuple(
            TrimmedComp(trimmed.comp.evidence_id, trimmed.amount, trimmed_words(trimmed, estimate))
            for trimmed in estimate.trimmed
        ),
        left_out=estimate.left_out,
        params=params,
        evidence_confidence=estimate.confidence,
    )


def _used(comp: Weighed, estimate: Estimate, params: BandParams) -> UsedComp:
    is_bound = comp in estimate.bounds
    counts = not (is_bound and estimate.prices)
    return UsedComp(
        evidence_id=comp.comp.evidence_id,
        amount=comp.amount,
        weight=comp.weight,
        share=comp.weight / estimate.weight if counts else 0.0,
        is_bound=is_bound,
        status=comp.comp.status,
        age_days=comp.comp.age_days(params.now),
    )
