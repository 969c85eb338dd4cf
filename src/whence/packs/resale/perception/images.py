"""Open a photograph safely, independent of its file name.

The type is taken from the content, the camera's rotation is applied, and both size limits are
checked before a single pixel is decoded.
"""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from whence.sdk.errors import Invalid

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_BYTES = 20 * 1024 * 1024
"""Largest image file, in bytes: twice what phone cameras write as JPEG."""

MAX_PIXELS = 50_000_000
"""Largest image, in pixels: phone cameras write 12 to 50 million; a decoded one takes 150 MB."""

READING_SIDE = 4_000
"""Longest side, in pixels, at which photographs beyond `FULL_PIXELS` are read: enough for every
look at their barcodes, and twice what text is read at."""

FULL_PIXELS = READING_SIDE**2
"""Most pixels of a photograph that is read at its full size."""

FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF")


class UnreadableImage(Invalid):
    """This is not a readable photograph; send a JPEG, PNG or WebP file. An iPhone sends JPEG with
    Settings > Camera > Formats > Most Compatible."""


def open_image(source: bytes | Path, side: int | None = None) -> Image:
    """The upright photograph in RGB, transparent parts on white; of an animation, the first frame.

    With a `side`, one of more than `FULL_PIXELS` is decoded so that no side is longer.

    Raises `UnreadableImage`, whose message names the fix, when the file is missing, empty, larger
    than `MAX_BYTES` or `MAX_PIXELS`, of another type, or damaged.
    """
    from PIL import Image, UnidentifiedImageError

    content = _content(source)
    try:
        with warnings.catch_warnings():
            # Pillow only warns about images of suspicious size; our own limit refuses them.
            warnings.simplefilter("ignore")
            picture = Image.open(io.BytesIO(content), formats=FORMATS)
            _refuse_too_many_pixels(picture.size)
            if side is not None and pixels(picture) > FULL_PIXELS:
                _reduce(picture, side)
            return _upright_rgb(picture)
    except UnidentifiedImageError as error:
        raise UnreadableImage(
            f"The file is not an image of a known type; send one of {', '.join(FORMATS)}."
        ) from error
    except Image.DecompressionBombError as error:
        raise UnreadableImage(_too_large_message()) from error
    except MemoryError as error:
        raise UnreadableImage("There is not enough memory for this image; shrink it.") from error
    except (OSError, SyntaxError, ValueError, TypeError, EOFError, ArithmeticError) as error:
        # Pillow's decoders answer damaged files with any of these.
        raise UnreadableImage(
            "The image file is damaged or incomplete; take or export the photograph again."
        ) from error


def media_type(content: bytes) -> str:
    """The media type of a photograph, from its content; raises what `open_image` raises.

    Decodes every pixel, so that accepted photographs can be opened later.
    """
    from PIL import Image

    open_image(content, READING_SIDE)
    with Image.open(io.BytesIO(content), formats=FORMATS) as picture:
        return Image.MIME[picture.format or ""]


def is_large(content: bytes) -> bool:
    """Whether a photograph takes too much memory to be decoded beside other work."""
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(content), formats=FORMATS) as picture:
                return FULL_PIXELS < pixels(picture) <= MAX_PIXELS
    except Image.DecompressionBombError:
        return False  # it is refused before it is decoded
    except (OSError, SyntaxError, ValueError, TypeError, EOFError, ArithmeticError):
        return False  # opening it names the fault


def pixels(picture: Image) -> int:
    """The number of pixels of an image, which need not be decoded for that."""
    return picture.width * picture.height


def _reduce(picture: Image, side: int) -> None:
    """Shrink in place; JPEG is not even decoded at full size."""
    if picture.mode not in {"I;16", "I;16B", "I;16L", "I", "F"}:
        picture.thumbnail((side, side), reducing_gap=2.0)


def _content(source: bytes | Path) -> bytes:
    if isinstance(source, Path):
        try:
            with source.open("rb") as file:
                content = file.read(MAX_BYTES + 1)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise UnreadableImage(
                f"{source.name} cannot be read ({reason}); check the path and its permissions."
            ) from error
    else:
        content = source
    if not content:
        raise UnreadableImage("The image file is empty; send the photograph again.")
    if len(content) > MAX_BYTES:
        raise UnreadableImage(
            f"The image file is larger than {MAX_BYTES // 1024 // 1024} MB; shrink it."
        )
    return content


def _refuse_too_many_pixels(size: tuple[int, int]) -> None:
    if size[0] * size[1] > MAX_PIXELS:
        raise UnreadableImage(_too_large_message())
    if min(size) < 1:
        raise UnreadableImage("The image has no pixels; send the photograph again.")


def _too_large_message() -> str:
    return f"The image has more than {MAX_PIXELS // 1_000_000} million pixels; shrink it."


def _upright_rgb(picture: Image) -> Image:
    from PIL import Image, ImageOps

    upright = ImageOps.exif_transpose(picture)
    if upright.mode in {"RGB", "L"}:
        return upright.convert("RGB")
    if upright.mode in {"I;16", "I;16B", "I;16L", "I", "F"}:
        return _stretched(upright).convert("RGB")
    # Through RGBA, so that transparent parts become paper and not black.
    layered = upright.convert("RGBA")
    paper = Image.new("RGBA", layered.size, (255, 255, 255, 255))
    paper.alpha_composite(layered)
    return paper.convert("RGB")


def _stretched(picture: Image) -> Image:
    """Depths beyond 8 bits: scale the values to 0..255, which Pillow would clip."""
    import numpy as np
    from PIL import Image

    values = np.nan_to_num(np.asarray(picture, dtype=np.float32), posinf=0.0, neginf=0.0)
    low, high = float(values.min()), float(values.max())
    scaled = (values - low) * (255.0 / max(high - low, 1.0))
    return Image.fromarray(scaled.astype(np.uint8))
