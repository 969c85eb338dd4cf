"""Pages of a client that support chat: lists of records, overviews, and others."""

from whence.chat.pages.current_figures import CurrentFigure, current_figures
from whence.chat.pages.overview import Overview, name_in_sentence, overview
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
    "CurrentFigure",
    "Overview",
    "Page",
    "PageEntry",
    "PageIds",
    "PageTopic",
    "PageValues",
    "PageView",
    "current_figures",
    "name_in_sentence",
    "overview",
    "overview_entries",
    "overview_topics",
    "reads_out",
]
