"""The outside sources, in the order they are listed."""

from __future__ import annotations

from whence.packs.resale.settings import ResaleSettings
from whence.sdk.http import Fetcher

from .amazon import Amazon
from .base import Source
from .ebay import Ebay
from .openfacts import OpenFacts
from .upcitemdb import UpcItemDb


def sources(settings: ResaleSettings, fetcher: Fetcher) -> list[Source]:
    """Every outside source, available or not (`Source.availability` says which, and why)."""
    return [
        Ebay(settings, fetcher),
        Amazon(settings, fetcher),
        UpcItemDb(settings, fetcher),
        OpenFacts(settings, fetcher),
    ]
