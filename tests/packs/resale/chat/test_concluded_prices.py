"""A price that research concluded, named in words: its claim goes with the change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from whence.chat.language.understanding import understand
from whence.packs.resale.chat.offer import CHAT
from whence.sdk.chat import RecordView

PRICED = "HP-001"


@pytest.mark.parametrize(
    ("message", "name", "share"),
    [
        ("price it at the target", "target", 1.0),
        ("set the asking price to the floor", "floor", 1.0),
        ("match the ceiling", "ceiling", 1.0),
        ("price it 10 % below the target", "target", 0.9),
    ],
)
def test_the_change_has_the_value_of_the_claim_and_cites_it(
    looks: Mapping[str, RecordView], message: str, name: str, share: float
) -> None:
    view = looks[PRICED]
    path = f"price.{name}.amount"
    claim = view.claim(path)
    assert claim is not None
    [change] = understand(message, CHAT, view).changes
    assert change.field == "default_price"
    assert change.value == pytest.approx(claim.value * share, abs=0.01)
    assert change.claims == (path,)


def test_an_amount_of_ones_own_cites_nothing(looks: Mapping[str, RecordView]) -> None:
    [change] = understand("set the price to 140", CHAT, looks[PRICED]).changes
    assert change.claims == ()


def test_without_research_there_is_no_target(looks: Mapping[str, RecordView]) -> None:
    view = replace(looks[PRICED], dossier=None)
    reading = understand("price it at the target", CHAT, view)
    assert reading.refusal is not None
    assert reading.refusal.message.startswith("Research has no supported target")
