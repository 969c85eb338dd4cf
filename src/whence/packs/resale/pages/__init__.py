"""The pages of resale that can be talked with."""

from __future__ import annotations

from .items import ITEMS_PAGE

PAGES = (ITEMS_PAGE,)
