"""Listings that the owner includes or excludes on the item's page, and the price they would give.

The same choices as in a conversation (`listing_choices.py`), named by the evidence itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from whence.packs.resale.flows.state import COMP
from whence.packs.resale.records import ListingChoice, listing_key
from whence.sdk.chat import EvidenceChoices, RecordView

from .basis import item_of
from .listing_choices import comps_in
from .price_preview import recompute


def choose(view: RecordView, wanted: Mapping[UUID, bool]) -> dict[str, str]:
    """The item's choices with these added; one that takes back an earlier one removes it."""
    choices = {key: choice.value for key, choice in item_of(view).listing_choices.items()}
    for comp in comps_in(view):
        included = wanted.get(comp.evidence.id)
        if included is None:
            continue
        key = listing_key(comp.evidence.source, comp.evidence.source_id)
        choice = ListingChoice.INCLUDE if included else ListingChoice.EXCLUDE
        opposite = ListingChoice.EXCLUDE if included else ListingChoice.INCLUDE
        if choices.get(key) == opposite:
            del choices[key]
        else:
            choices[key] = choice.value
    return choices


LISTING_CHOICES = EvidenceChoices(
    kind="items", field="listing_choices", role=COMP, choose=choose, recompute=recompute
)
