"""Research of items in memory: the flow's own decisions over listings of a file, no database.

What nodes decide is called as they call it; only the library's search is another: the nearest
listings by text, as its index finds them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import cast
from urllib.parse import unquote, urlsplit
from uuid import NAMESPACE_URL, UUID, uuid5

from sqlalchemy.ext.asyncio import AsyncSession

from whence.packs.resale.flows.dossier import Basis, draft
from whence.packs.resale.flows.nodes.analyze_comps import judged, product_of
from whence.packs.resale.flows.nodes.analyze_media import (
    photo_finding,
    photo_judgement,
    report_of,
)
from whence.packs.resale.flows.nodes.assess_missing import next_step
from whence.packs.resale.flows.nodes.identify_product import entry_finding, entry_judgement
from whence.packs.resale.flows.nodes.load_context import record_finding
from whence.packs.resale.flows.nodes.persist_results import fee_finding, fee_judgement
from whence.packs.resale.flows.priced import comp_of, comps_of, params_for
from whence.packs.resale.flows.searching import LIMITS, NOT_SCORED, listing_finding
from whence.packs.resale.flows.state import (
    COMP,
    RECORD,
    HintState,
    PhotoReport,
    ResearchState,
    SourceReport,
)
from whence.packs.resale.identification.queries import FIRST_QUERIES, MORE_QUERIES, new_queries
from whence.packs.resale.identification.records import ProductIdentification, ProductLook
from whence.packs.resale.identification.rules import identify
from whence.packs.resale.identification.variants import undecided
from whence.packs.resale.imports import Row, read_items, read_listings
from whence.packs.resale.library import background
from whence.packs.resale.library.search import LEAST_LIKENESS
from whence.packs.resale.library.source import STATUSES, Library, entry_of
from whence.packs.resale.matching.catalogue import Catalogue
from whence.packs.resale.matching.retrieval import Candidates
from whence.packs.resale.matching.scorer import score_all, text_of
from whence.packs.resale.matching.tokens import terms
from whence.packs.resale.perception.photographs import read_photographs
from whence.packs.resale.pricing.assumptions import shipped_assumptions
from whence.packs.resale.pricing.bands import PriceBands, price_bands
from whence.packs.resale.pricing.fee_table import read_fees
from whence.packs.resale.pricing.missing import assess_missing
from whence.packs.resale.records import Item, Listing
from whence.sdk.errors import Unavailable
from whence.sdk.evidence import BundledEvidence, DossierDraft, EvidenceRecord, Finding, Judgement

METHOD = "rules:identify_product@1"
NEAREST = 60
"""Listings that a query finds before they are narrowed by status."""


@dataclass(frozen=True)
class Shop:
    """Listings of a file as one organization's library."""

    listings: Sequence[Listing]

    @classmethod
    def read(cls, path: Path, at: datetime) -> Shop:
        return cls([row.record for row in read_listings(path, at=at) if isinstance(row, Row)])

    def catalogue(self) -> Catalogue:
        counts = Counter(term for each in self.listings for term in set(terms(text_of(each))))
        return background.catalogue(len(self.listings), counts, list(counts))

    def search(self, words: str) -> Iterator[Listing]:
        """The nearest sold and active listings, as many of each as a source is asked for."""
        index = Candidates([text_of(each) for each in self.listings], self.catalogue())
        near = [self.listings[at] for at in index.nearest(words, NEAREST, LEAST_LIKENESS)]
        yield from _limited(near)

    def of_gtin(self, gtin: str) -> list[Listing]:
        """The listings that carry a code."""
        return [each for each in self.listings if each.gtin == gtin]


@dataclass
class Bundle:
    """The evidence of one research, each finding once."""

    at: datetime
    found: dict[UUID, BundledEvidence] = field(default_factory=dict[UUID, BundledEvidence])

    def keep(self, finding: Finding) -> UUID:
        """Its id; the same finding has the same one."""
        key = uuid5(NAMESPACE_URL, f"{finding.source}/{finding.source_id}/{finding.content_hash}")
        kept = EvidenceRecord(
            id=key,
            source=finding.source,
            source_id=finding.source_id,
            url=finding.url,
            title=finding.title,
            content=finding.content,
            data=dict(finding.data),
            observed_at=finding.observed_at,
            fetched_at=self.at,
        )
        first = Judgement(key, COMP, included=False, reason=NOT_SCORED)
        self.found.setdefault(key, BundledEvidence(kept, first))
        return key

    def judge(self, judgement: Judgement) -> None:
        kept = self.found[judgement.evidence_id]
        self.found[judgement.evidence_id] = BundledEvidence(kept.evidence, judgement)

    def of(self, role: str) -> list[BundledEvidence]:
        return [each for each in self.all() if each.judgement.role == role]

    def all(self) -> list[BundledEvidence]:
        """Included first, then by relevance."""
        return sorted(
            self.found.values(),
            key=lambda e: (not e.judgement.included, -(e.judgement.relevance or 0.0)),
        )


def read_sample_items(path: Path, at: datetime) -> dict[str, Item]:
    """Items of a file by their id there."""
    rows = (row for row in read_items(path, at=at) if isinstance(row, Row))
    return {row.external_id: row.record for row in rows}


def research(ident: str, item: Item, shop: Shop, at: datetime) -> tuple[DossierDraft, Bundle]:
    """What the flow `research` concludes of an item at a moment, by its rules alone."""
    bundle = Bundle(at)
    key = bundle.keep(record_finding(item, ident))
    bundle.judge(Judgement(key, RECORD, included=True, reason="the owner's record"))
    photos = _photographs(item, bundle)
    named = _identified(item, photos, shop, bundle)
    state: ResearchState = {
        "subject_id": ident,
        "subject_version": 1,
        "as_of": at.isoformat(),
        "photos": photos,
        "seen": {},
        "identification": named.model_dump(mode="json"),
        "identification_method": METHOD,
        "iteration": 0,
        "queries": [],
        "sources": [],
        "confidence": 0.0,
        "hints": [],
        "fallbacks": [],
    }
    basis = _searched(state, named, item, shop, bundle)
    while next_step(state) == "refine_search":
        basis = _searched(state, named, item, shop, bundle)
    return draft(state, [Library(_no_database)], basis), bundle


def _photographs(item: Item, bundle: Bundle) -> list[PhotoReport]:
    paths = [Path(unquote(urlsplit(media.url).path)) for media in item.media]
    seen = read_photographs(paths).images if paths else ()
    reports = [report_of(path.name, image) for path, image in zip(paths, seen, strict=True)]
    for report in reports:
        key = bundle.keep(photo_finding(report["name"], report))
        bundle.judge(photo_judgement(key, report))
    return reports


def _identified(
    item: Item, photos: Sequence[PhotoReport], shop: Shop, bundle: Bundle
) -> ProductIdentification:
    codes = [item.gtin] if item.gtin else []
    gtins = list(dict.fromkeys([*codes, *(code for photo in photos for code in photo["barcodes"])]))
    entries = [entry_of(listing) for gtin in gtins for listing in shop.of_gtin(gtin)]
    for entry in entries:
        bundle.judge(entry_judgement(bundle.keep(entry_finding(entry)), entry))
    return identify(
        ProductLook(
            title=item.title,
            description=item.description,
            brand=item.brand,
            model=item.model,
            mpn=item.mpn,
            category=item.category,
            attributes=item.attributes,
            gtins=gtins,
            printed=[line for photo in photos for line in photo["text"]],
            catalogue=entries,
        )
    )


def _searched(
    state: ResearchState, named: ProductIdentification, item: Item, shop: Shop, bundle: Bundle
) -> Basis:
    """One search and all that follows from what is found; changes the state as the nodes do."""
    first = state["iteration"] == 0
    count = FIRST_QUERIES if first else MORE_QUERIES
    queries = new_queries(named, item, state["queries"], count)
    coded = _limited(shop.of_gtin(named.gtin)) if first and named.gtin else ()
    for listing in [*coded, *(each for words in queries for each in shop.search(words))]:
        bundle.keep(listing_finding(listing))
    state["queries"] = [*state["queries"], *queries]
    state["sources"] = [*state["sources"], *(_report(words, bundle) for words in queries)]
    state["iteration"] += 1
    comps = bundle.of(COMP)
    listings = [Listing.model_validate(each.evidence.data) for each in comps]
    for each, relevance in zip(
        comps, score_all(product_of(item, named), listings, shop.catalogue()), strict=True
    ):
        bundle.judge(judged(each, relevance))
    return _priced(state, named, item, bundle)


def _priced(
    state: ResearchState, named: ProductIdentification, item: Item, bundle: Bundle
) -> Basis:
    params = params_for(state, item, shipped_assumptions())
    comps = bundle.of(COMP)
    bands = price_bands(comps_of(comps), item.condition, params.now, params=params)
    state["confidence"] = bands.confidence if isinstance(bands, PriceBands) else 0.0
    kept = [each for each in comps if each.judgement.included]
    variants = undecided(named, [(each.evidence.title, comp_of(each)) for each in kept])
    names = ("gtin", "brand", "model")
    known = item.model_copy(
        update={name: getattr(item, name) or getattr(named, name) for name in names}
    )
    hints = assess_missing(known, comps_of(comps), bands, params, variants)
    state["hints"] = [cast("HintState", asdict(hint)) for hint in hints]
    fees = {key: f for key, f in read_fees(None).items() if f.currency == item.currency}
    evidence = {key: bundle.keep(fee_finding(key, place)) for key, place in fees.items()}
    for fee in evidence.values():
        bundle.judge(fee_judgement(fee))
    return Basis(item, bands, params, bundle.all(), fees, evidence)


def _no_database() -> AbstractAsyncContextManager[AsyncSession]:
    raise Unavailable("Listings are read from a file here; there is no database to search.")


def _limited(near: Sequence[Listing]) -> Iterator[Listing]:
    for offer, statuses in STATUSES.items():
        yield from [each for each in near if each.status in statuses][: LIMITS[offer]]


def _report(words: str, bundle: Bundle) -> SourceReport:
    found = len(bundle.of(COMP))
    return SourceReport(
        source="library", offer="active", query=words, found=found, refused=[], error=None
    )
