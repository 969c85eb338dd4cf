"""Items and listings from files: `read_items`, `read_listings`."""

from whence.sdk.tabular import Reading, Refused, Report, Row

from .items import read_items
from .listings import read_listings

__all__ = ["Reading", "Refused", "Report", "Row", "read_items", "read_listings"]
