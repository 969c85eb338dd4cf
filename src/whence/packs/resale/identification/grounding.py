"""Keeps only those parts of a model's naming that occur in its input: nothing is invented."""

from __future__ import annotations

from .records import ProductIdentification, ProductLook
from .rules import identify
from .spelling import compact

UNGROUNDED = 0.5
"""Maximum confidence of a naming with a part that is not in the evidence."""


def ground(named: ProductIdentification, look: ProductLook) -> ProductIdentification:
    """The naming without values that are not in the input; the reason lists what was left out.

    If a catalogue names the item's own GTIN, the rules' answer is used: it is a fact.
    """
    ruled = identify(look)
    shown = compact(
        " ".join(
            [
                look.title,
                look.description,
                *(value for value in (look.brand, look.model, look.mpn) if value),
                *look.attributes.values(),
                *look.printed,
                *(f"{e.title} {e.brand} {e.model} {e.mpn}" for e in look.catalogue),
            ]
        )
    )
    dropped = [
        name
        for name in ("brand", "model", "mpn")
        if (value := getattr(named, name)) and compact(value) not in shown
    ]
    changes: dict[str, object] = {name: None for name in dropped}  # noqa: C420 (typed values)
    if named.gtin and named.gtin not in look.gtins:
        dropped.append("gtin")
        changes["gtin"] = ruled.gtin
    if dropped:
        changes["confidence"] = min(named.confidence, UNGROUNDED)
        words = ", ".join(dropped)
        changes["reason"] = f"{named.reason} (left out, as it stands in no evidence: {words})"
    if ruled.gtin and any(entry.gtin == ruled.gtin for entry in look.catalogue):
        return ruled
    return named.model_copy(update=changes)
