"""The sample, researched in memory once, and looks that differ from it in one thing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from whence.kernel.clock import now
from whence.packs.resale import pack
from whence.packs.resale.evals.answers import ITEMS, LISTINGS, load_record_views
from whence.packs.resale.evals.shop import Shop, read_sample_items
from whence.sdk.chat import RecordView

SAMPLE = pack.FOLDER / "sample"


@pytest.fixture(scope="session")
def looks() -> Mapping[str, RecordView]:
    """What a turn knows of each sample item; those without photographs, which are quick."""
    at = now()
    shop = Shop.read(SAMPLE / LISTINGS, at)
    items = read_sample_items(SAMPLE / ITEMS, at)
    without_media = {key: item.model_copy(update={"media": []}) for key, item in items.items()}
    return asyncio.run(load_record_views(without_media, shop, at))


@pytest.fixture
def changed() -> Callable[..., RecordView]:
    """`changed(look, is_partial=True, body={"fallbacks": [...]})`: its dossier, changed."""

    def make(view: RecordView, body: Mapping[str, Any] | None = None, **fields: Any) -> RecordView:
        assert view.dossier is not None
        merged = {**view.dossier.body, **(body or {})}
        return replace(view, dossier=view.dossier.model_copy(update={**fields, "body": merged}))

    return make
