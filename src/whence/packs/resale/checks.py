"""What `whence doctor` says about resale: which sources can be asked, and whether OCR is there."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence

from whence.sdk import Check, Setup

from .settings import read_settings
from .sources.registry import sources


def checks(setup: Setup) -> Sequence[Check]:
    """One line for each outside source, the library, and local perception."""
    lines = [
        Check(
            name=f"source {source.title}",
            works=availability.available,
            detail=availability.note or "can be asked",
            setting=availability.setting,
        )
        for source in sources(read_settings(), setup.fetcher)
        for availability in (source.availability(),)
    ]
    library = Check(
        name="source Imported listings",
        works=True,
        detail="`whence import resale.listings FILE` fills it",
    )
    return [library, *lines, _perception("barcodes", "zxingcpp"), _perception("OCR", "rapidocr")]


def _perception(name: str, module: str) -> Check:
    there = importlib.util.find_spec(module) is not None
    detail = "reads photographs on this machine" if there else f"the package {module} is missing"
    return Check(name, there, detail)
