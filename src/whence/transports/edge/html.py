"""The layout of the few pages that the server writes itself: no scripts, nothing from other
sites."""

from __future__ import annotations

import base64
import hashlib
import re
from html import escape

from fastapi.responses import HTMLResponse, Response

_STYLE = (
    ":root{color-scheme:light dark}"
    "body{font:1rem/1.5 system-ui,sans-serif;max-width:46rem;margin:0 auto;padding:2rem 1rem 4rem;"
    "overflow-wrap:break-word}"
    "h1{font-size:1.5rem;line-height:1.2}"
    "table{border-collapse:collapse;width:100%}"
    "td{vertical-align:top;padding:.3rem .8rem .3rem 0;border-top:1px solid color-mix(in srgb,"
    "currentcolor 20%,transparent)}"
    "@media(max-width:34rem){table,tbody,tr,td{display:block}}"
)
_DIGEST = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
PAGE_POLICY = (
    f"default-src 'none'; style-src 'sha256-{_DIGEST}'; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
"""This one style sheet, by its digest; no scripts, images, forms or other sites."""


def page(title: str, body: str, status: int = 200) -> Response:
    """A page around `body`, which is HTML; other sites do not learn that it was opened."""
    return HTMLResponse(
        "<!doctype html>\n"
        f"<html lang='en'><head><meta charset='utf-8'><title>{escape(title)}</title>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<style>{_STYLE}</style></head>"
        f"<body><main><h1>{escape(title)}</h1>{body}</main></body></html>",
        status_code=status,
        headers={"Content-Security-Policy": PAGE_POLICY, "Referrer-Policy": "same-origin"},
    )


def words(text: str) -> str:
    """Text as HTML; text between backticks, as in our docstrings, becomes code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))
