"""Look at the photographs, where a vision model is configured; without one nothing is claimed."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from whence.sdk.skills import ImagePart, skill
from whence.sdk.values import Wire

CONDITION_WORST, CONDITION_BEST = 1, 5
"""The scale of a condition seen on photographs: 1 for parts, 3 good with wear, 5 as new."""


class PhotoLook(Wire):
    """What the model is shown."""

    title: str
    images: list[ImagePart]


class PhotoFindings(Wire):
    """What can be seen; every field is empty where it cannot."""

    category: str | None = None
    brand: str | None = None
    model: str | None = None
    condition: Annotated[int, Field(ge=CONDITION_WORST, le=CONDITION_BEST)] | None = None
    condition_notes: str = ""
    features: list[str] = Field(default_factory=list)
    completeness: str = ""


@skill(
    prompt="look_at_photos.md",
    vision=True,
    constants={"worst": CONDITION_WORST, "best": CONDITION_BEST},
)
async def look_at_photos(look: PhotoLook) -> PhotoFindings:
    """No rule can see a condition, so without a model there is none."""
    return PhotoFindings()
