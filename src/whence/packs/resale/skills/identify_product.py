"""Name the product."""

from __future__ import annotations

from whence.packs.resale.identification.records import (
    GTIN_CONFIDENCE,
    ProductIdentification,
    ProductLook,
)
from whence.packs.resale.identification.rules import BRAND_AND_MODEL, identify
from whence.sdk.skills import skill


@skill(
    prompt="identify_product.md",
    constants={"gtin_confidence": GTIN_CONFIDENCE, "written_confidence": BRAND_AND_MODEL},
)
async def identify_product(look: ProductLook) -> ProductIdentification:
    """By GTIN, else by brand, model and variant in what is written."""
    return identify(look)
