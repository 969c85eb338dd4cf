"""Pages of a client that can be talked with: lists of records, overviews, and others."""

from whence.chat.pages.overview import Overview, overview, plainly
from whence.chat.pages.overview_page import overview_entries, overview_topics
from whence.chat.pages.page import (
    Page,
    PageEntry,
    PageIds,
    PageTopic,
    PageValues,
    PageView,
    reads_out,
)

__all__ = [
    "Overview",
    "Page",
    "PageEntry",
    "PageIds",
    "PageTopic",
    "PageValues",
    "PageView",
    "overview",
    "overview_entries",
    "overview_topics",
    "plainly",
    "reads_out",
]
