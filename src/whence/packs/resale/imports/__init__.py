"""Items and listings from files: `read_items`, `read_listings`."""

from .items import read_items
from .listings import read_listings
from .reading import Reading, Refused, Report, Row

__all__ = ["Reading", "Refused", "Report", "Row", "read_items", "read_listings"]
