"""A price refresh takes over the item's identification from the earlier research.

Its evidence (photographs, catalogues, the owner's answer) is added to the new run's bundle, so that
claims can cite it.
"""

from __future__ import annotations

from whence.packs.resale.identification.records import ProductIdentification
from whence.packs.resale.records import Item
from whence.sdk.errors import NotReady
from whence.sdk.evidence import BundledEvidence
from whence.sdk.research import EarlierRun, RunContext

from .dossier_schema import ItemDossier
from .state import AI_ANALYSIS, CATALOGUE, COMP, PHOTO, RECORD, SourceReport, Update

IDENTIFYING = (
    *("title", "description", "brand", "model", "mpn", "gtin"),
    *("category", "attributes", "media"),
)
"""The fields of an item on which its identification depends."""
_RECORD_SOURCE = "record"
SEARCH = "search_comps"
"""The node that a run skips to price the listings of the earlier research again."""


async def take_over(run: RunContext, item: Item) -> Update:
    """The state that the skipped nodes would produce; raises NothingToBuildOn and NotReady."""
    earlier = await run.earlier()
    body = ItemDossier.model_validate(earlier.body)
    if changed := _changed(item, body.identification, earlier):
        raise NotReady(
            f"The item's {' and '.join(changed)} changed since it was identified, so a refresh of "
            "its price could search for another product. Research it as `manual_request`."
        )
    await run.judge([each.judgement for each in earlier.bundle if _tells_what_it_is(each)])
    return {
        **(await _take_over_listings(run, earlier, body) if not searches(run) else {}),
        "photos": [photo.model_dump(mode="json") for photo in body.photos],
        "seen": body.seen.model_dump(mode="json") if body.seen else {},
        "identification": body.identification.model_dump(mode="json"),
        "identification_method": body.identification_method,
        "identified_at": body.identified_at or body.as_of,
        "fallbacks": body.fallbacks,
    }


def searches(run: RunContext) -> bool:
    """Whether the run asks sources at all."""
    return SEARCH not in run.run_type.skips


async def _take_over_listings(run: RunContext, earlier: EarlierRun, body: ItemDossier) -> Update:
    """The listings of the earlier research, as of its day: only what the owner chose differs."""
    comps = [each for each in earlier.bundle if each.judgement.role == COMP]
    await run.judge([each.judgement for each in comps])
    reports = [
        SourceReport(source=source.id, **search.model_dump())
        for source in body.sources
        for search in source.searches
    ]
    return {
        "sources": reports,
        "queries": body.queries,
        "iteration": body.iterations,
        "as_of": body.as_of,
    }


def _tells_what_it_is(item: BundledEvidence) -> bool:
    role, source = item.judgement.role, item.evidence.source
    return role in (PHOTO, CATALOGUE, AI_ANALYSIS) or (role == RECORD and source != _RECORD_SOURCE)


def _changed(item: Item, named: ProductIdentification, earlier: EarlierRun) -> list[str]:
    """Identifying fields that differ both from the earlier record and from its identification."""
    records = [each.evidence for each in earlier.bundle if each.evidence.source == _RECORD_SOURCE]
    if not records:
        return ["record"]
    before = Item.model_validate(records[0].data)
    return [
        name
        for name in IDENTIFYING
        if getattr(item, name) not in (getattr(before, name), getattr(named, name, None))
    ]
