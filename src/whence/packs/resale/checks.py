"""Resale's lines of `whence doctor`: which sources can be used, and whether OCR is available."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path

from whence.sdk import Check, Setup
from whence.sdk.errors import WhenceError

from .pricing.assumptions import read_assumptions
from .pricing.fee_table import read_fees
from .settings import read_settings, variable
from .sources.registry import sources


def checks(setup: Setup) -> Sequence[Check]:
    """One line for each outside source, the library, the operator's own tables, and perception."""
    settings = read_settings()
    lines = [
        Check(
            name=f"source {source.title}",
            works=availability.available,
            detail=availability.note or "can be asked",
            setting=availability.setting,
        )
        for source in sources(settings, setup.fetcher)
        for availability in (source.availability(),)
    ]
    library = Check(
        name="source Imported listings",
        works=True,
        detail="`whence import resale.listings FILE` fills it",
    )
    tables = [
        _table("fee table", "fee_table", settings.fee_table, read_fees),
        _table("price assumptions", "assumptions", settings.assumptions, read_assumptions),
    ]
    perception = [_perception("barcodes", "zxingcpp"), _perception("OCR", "rapidocr")]
    return [library, *lines, *tables, *perception]


def _table(name: str, field: str, path: Path | None, read: Callable[[Path], object]) -> Check:
    if path is None:
        return Check(name, works=True, detail="the shipped one")
    try:
        read(path)
    except WhenceError as error:
        return Check(name, works=False, detail=error.message, setting=variable(field))
    return Check(name, works=True, detail=str(path))


def _perception(name: str, module: str) -> Check:
    there = importlib.util.find_spec(module) is not None
    detail = "reads photographs on this machine" if there else f"the package {module} is missing"
    return Check(name, there, detail)
