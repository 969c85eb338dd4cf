"""The outside sources as the settings list and test them, and how often they may be asked live."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from whence.sdk.sources import OutsideSource, SourceLimit, Sources, SourceState
from whence.sdk.tools import Services

from .flows.sources import OutsideSources
from .library.live_searches import used_today
from .settings import ResaleSettings, variable
from .sources.base import CompQuery, Offer, Source

_WORDS = "paperback"
"""What a test asks a marketplace for: every one has some."""
_GTIN = "00012345678905"
"""The example of the GS1 standard: a test is about whether a catalogue answers, not what."""
_OFFERS = {
    Offer.SOLD: "sold listings",
    Offer.ACTIVE: "active listings",
    Offer.LOOKUP: "products by barcode",
}


def _listed(services: Services) -> Sequence[OutsideSource]:
    return [_source(source) for source in services.get(OutsideSources).sources]


def _source(source: Source) -> OutsideSource:
    availability = source.availability()

    async def test() -> str:
        return await _test(source)

    return OutsideSource(
        id=source.id,
        title=source.title,
        offers=", ".join(words for offer, words in _OFFERS.items() if offer in source.offers),
        state=SourceState(availability.available, availability.setting, availability.note),
        test=test,
    )


async def _test(source: Source) -> str:
    """One small request, of the kind that a source allows most freely."""
    if Offer.LOOKUP in source.offers:
        entries = await source.lookup(_GTIN)
        return f"It answered: {len(entries)} products for the barcode of the test."
    result = await source.search(CompQuery(text=_WORDS), Offer.ACTIVE, 1)
    rows = len(result.listings) + len(result.refused)
    known = rows if result.total is None else result.total
    return f"It answered: {known:,} active listings for “{_WORDS}”."


async def _limits(services: Services, session: AsyncSession) -> Sequence[SourceLimit]:
    most = services.get(ResaleSettings).live_searches_per_day
    used = await used_today(session)
    setting = variable("live_searches_per_day")
    return [SourceLimit("Live searches of conversations and the API", used, most, setting)]


SOURCES = Sources(_listed, _limits)
