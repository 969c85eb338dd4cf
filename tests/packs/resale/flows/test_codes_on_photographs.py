"""A barcode on a photograph of something else does not become the item's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.anyio


async def test_the_label_of_another_thing_gives_no_gtin(
    desk: Any, sample_photos: Path, wanted_gtin: str
) -> None:
    media = [await desk.stored(sample_photos / "back.jpg")]
    own = await desk.item(title="Aurelia QuietBand 700 headphones", media=media)
    other = await desk.item(title="Fennmark K2-90 kettle", brand="Fennmark", media=media)

    named = (await desk.research(own)).body["identification"]
    research = await desk.research(other)

    assert named["gtin"] == wanted_gtin
    assert research.body["identification"]["gtin"] is None
    [alternative] = research.body["identification"]["alternatives"]
    assert (alternative["attribute"], alternative["value"]) == ("gtin", wanted_gtin)
    [question] = [each for each in research.body["missing"] if each["field"] == "gtin"]
    assert question["question"] == f"Is {wanted_gtin}, read on a photograph, its own barcode?"
    assert research.body["notEnough"]["wouldSettle"][-1].startswith("The item's barcode")
    coded = (await desk.research(own)).body["notEnough"]["wouldSettle"]
    assert coded[-1].startswith("A listing that names its barcode")
