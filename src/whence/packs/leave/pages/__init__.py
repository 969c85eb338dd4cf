"""The pages of leave that can be talked with."""

from __future__ import annotations

from .request import REQUEST_PAGE
from .requests import REQUESTS_PAGE

PAGES = (REQUESTS_PAGE, REQUEST_PAGE)
