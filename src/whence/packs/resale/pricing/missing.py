"""Missing information and its effect, computed by pricing the item again as if it were known."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from whence.packs.resale.records import Condition, Item, ListingStatus

from .bands import NotEnough, PriceBands
from .comps import Comp
from .estimate import estimate_price
from .hints import Hint, Importance, by_effect, ranked
from .params import BandParams

PLAUSIBLE = (Condition.NEW, Condition.LIKE_NEW, Condition.GOOD, Condition.FAIR)
"""Plausible conditions if the owner states none; broken things are usually called broken."""

SURE_RELEVANCE = 0.9
"""Relevance of a comp if the item's barcode or exact model were known."""


LEAST_SHOWN = 0.005
"""Share of the price below which the text would say `0 %`."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A possible variant of the item: the deciding attribute, its value, and the comps for it."""

    attribute: str
    value: str
    comps: Sequence[Comp]


@dataclass(frozen=True, slots=True)
class _Case:
    item: Item
    comps: Sequence[Comp]
    params: BandParams
    target: float | None
    width: float
    """(ceiling - floor) / target now."""
    codes: Sequence[str]
    used: frozenset[UUID | str]
    """The comps behind the present price."""


def assess_missing(
    item: Item,
    comps: Sequence[Comp],
    bands: PriceBands | NotEnough,
    params: BandParams,
    variants: Sequence[Variant] = (),
    codes: Sequence[str] = (),
) -> list[Hint]:
    """Hints, ordered by how much they would move the band.

    `comps` and `params` are those behind `bands`; `variants` are the identification's undecided
    alternatives, and `codes` the barcodes of which nobody knows whether they are its own. Pure:
    every effect is the difference between two computed bands.
    """
    has_price = isinstance(bands, PriceBands)
    case = _Case(
        item=item,
        comps=comps,
        params=params,
        target=bands.target.amount if has_price else None,
        width=bands.width if has_price else math.inf,
        codes=codes,
        used=frozenset(comp.evidence_id for comp in bands.used) if has_price else frozenset(),
    )
    rules: tuple[Callable[[_Case], Hint | None], ...] = (
        _condition,
        _photographs,
        _identity,
        _sold_comps,
        _shipping,
    )
    hints = [hint for rule in rules if (hint := rule(case)) is not None]
    return ranked([*hints, *_variants(case, variants)])


def _condition(case: _Case) -> Hint | None:
    if case.item.condition is not None:
        return None
    effect = _range(_targets_by_condition(case, PLAUSIBLE), case.target)
    return _hint(
        case,
        field="condition",
        question="What condition is it in: new, like new, good, fair, or for parts only?",
        why="Prices of new and well-used items differ, and the condition is not stated",
        effect=effect,
    )


def _photographs(case: _Case) -> Hint | None:
    if case.item.media:
        return None
    stated = case.item.condition
    steps = list(Condition)
    effect = None
    if stated is not None:
        worse = steps[min(steps.index(stated) + 1, len(steps) - 1)]
        effect = _range(_targets_by_condition(case, (stated, worse)), case.target)
    elif case.target is not None:
        effect = _range(_targets_by_condition(case, (Condition.GOOD, Condition.FAIR)), case.target)
    return _hint(
        case,
        field="media",
        question="Can you add a photograph that shows its condition?",
        why="Nothing shows the condition, and one grade worse is worth less",
        effect=effect,
        at_most=Importance.RECOMMENDED,
    )


def _identity(case: _Case) -> Hint | None:
    item = case.item
    if item.gtin is not None:
        return None
    named = bool(item.brand and (item.model or item.mpn))
    sure = [
        replace(comp, relevance=max(comp.relevance, SURE_RELEVANCE))
        for comp in case.comps
        if comp.relevance >= case.params.least_relevance
    ]
    field, question = (
        ("gtin", "What is the number below its barcode?")
        if named
        else ("model", "What are its brand and exact model, and the number below its barcode?")
    )
    if case.codes:
        field = "gtin"
        listed = " or ".join(case.codes)
        question = (
            f"Is {listed}, read on a photograph, its own barcode?"
            if len(case.codes) == 1
            else f"Which barcode is its own: {listed}?"
        )
    return _hint(
        case,
        field=field,
        question=question,
        why="It excludes listings of other variants and gives the right ones full weight",
        effect=_narrowing(case, sure),
        at_most=Importance.REQUIRED if not named else Importance.RECOMMENDED,
    )


def _sold_comps(case: _Case) -> Hint | None:
    least = case.params.least_relevance
    if any(c.status is ListingStatus.SOLD and c.relevance >= least for c in case.comps):
        return None
    effect = None
    why = "No sale of exactly this item is known"
    if case.target is not None:
        why += "; a single recent sale narrows the range"
        sale = Comp(
            evidence_id="a sale at the target",
            price=case.target,
            shipping=0.0,
            currency=case.params.currency,
            condition=case.params.condition,
            status=ListingStatus.SOLD,
            closed_at=case.params.now,
        )
        effect = _narrowing(case, [*case.comps, sale])
    return _hint(
        case,
        field="comps",
        question="Do you know a recent sale price, or can you import sold listings?",
        why=why,
        effect=effect,
    )


def _shipping(case: _Case) -> Hint | None:
    unknown = [c for c in case.comps if c.shipping is None and c.evidence_id in case.used]
    if not unknown or case.target is None:
        return None
    with_shipping = [replace(c, shipping=0.0) if c.shipping is None else c for c in case.comps]
    return _hint(
        case,
        field="comps",
        question=None,
        why=f"{_of_the_price(len(unknown))} no shipping cost",
        effect=_narrowing(case, with_shipping),
    )


def _of_the_price(n: int) -> str:
    return (
        "1 of the listings behind the price states"
        if n == 1
        else (f"{n} of the listings behind the price state")
    )


def _variants(case: _Case, variants: Sequence[Variant]) -> list[Hint]:
    hints: list[Hint] = []
    for attribute in dict.fromkeys(variant.attribute for variant in variants):
        options = [variant for variant in variants if variant.attribute == attribute]
        if len(options) < 2:
            continue
        estimates = [estimate_price(option.comps, case.params) for option in options]
        targets = [estimate.target for estimate in estimates if estimate is not None]
        values = ", ".join(option.value for option in options)
        hint = _hint(
            case,
            field=f"attributes.{attribute}",
            question=f"Which {attribute} is it: {values}?",
            why=f"The evidence fits more than one {attribute}, and their prices differ",
            effect=_range(targets, case.target) if len(targets) > 1 else None,
        )
        hints.append(hint)
    return hints


def _targets_by_condition(case: _Case, conditions: Sequence[Condition]) -> list[float]:
    """Targets if the item were in each condition; by the factors alone if no comp states one."""
    if case.target is None:
        return []
    stated = any(comp.condition is not None for comp in case.comps)
    if not stated:
        base = case.params.condition or Condition.GOOD
        factors = case.params.condition_factors
        return [case.target * factors[c] / factors[base] for c in conditions]
    estimates = [
        estimate_price(case.comps, case.params.model_copy(update={"condition": condition}))
        for condition in conditions
    ]
    return [estimate.target for estimate in estimates if estimate is not None]


def _range(targets: Sequence[float], target: float | None) -> float | None:
    """The range of the targets, as a share of the present target."""
    if target is None or len(targets) < 2:
        return None
    return (max(targets) - min(targets)) / target


def _narrowing(case: _Case, comps: Sequence[Comp]) -> float | None:
    """How far each edge of the band would move in with these comps, as a share of the target."""
    if case.target is None:
        return None
    estimate = estimate_price(comps, case.params)
    if estimate is None:
        return None
    width = (estimate.ceiling - estimate.floor) / estimate.target
    return max(0.0, case.width - width) / 2


def _moves(effect: float) -> str:
    if effect < LEAST_SHOWN:
        return "the answer hardly moves the price"
    return f"the answer moves the price by about {effect:.0%}"


def _hint(
    case: _Case,
    *,
    field: str,
    question: str | None,
    why: str,
    effect: float | None,
    at_most: Importance = Importance.REQUIRED,
) -> Hint:
    order = list(Importance)
    importance = Importance.REQUIRED if effect is None else by_effect(effect)
    importance = order[max(order.index(importance), order.index(at_most))]
    moves = f"; {_moves(effect)}" if effect is not None and case.target is not None else ""
    return Hint(
        field=field,
        importance=importance,
        question=question,
        why=f"{why}{moves}.",
        effect=effect,
        amount=effect * case.target if effect is not None and case.target is not None else None,
        currency=case.params.currency,
    )
