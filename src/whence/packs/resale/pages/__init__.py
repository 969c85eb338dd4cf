"""The pages of resale that support chat."""

from __future__ import annotations

from .item import ITEM_PAGE
from .items import ITEMS_PAGE
from .market import MARKET_PAGE

PAGES = (ITEMS_PAGE, ITEM_PAGE, MARKET_PAGE)
