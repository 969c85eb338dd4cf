from __future__ import annotations

import contextlib
import io
import struct
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from whence.packs.resale.perception.images import MAX_BYTES, UnreadableImage, open_image


def encoded(picture: Image.Image, kind: str, **options: object) -> bytes:
    file = io.BytesIO()
    picture.save(file, kind, **options)
    return file.getvalue()


def picture(width: int = 40, height: int = 20) -> Image.Image:
    return Image.new("RGB", (width, height), (200, 30, 40))


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF"])
def test_the_type_is_taken_from_the_content_and_not_from_the_name(
    kind: str, tmp_path: Path
) -> None:
    file = tmp_path / "photo.txt"
    file.write_bytes(encoded(picture(), kind))
    image = open_image(file)
    assert (image.mode, image.size) == ("RGB", (40, 20))


def test_the_rotation_noted_by_the_camera_is_applied() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    assert open_image(encoded(picture(), "JPEG", exif=exif)).size == (20, 40)


def test_transparent_parts_become_paper() -> None:
    clear = Image.new("RGBA", (4, 4), (0, 0, 0, 0))
    assert open_image(encoded(clear, "PNG")).getpixel((1, 1)) == (255, 255, 255)


def test_sixteen_bit_scans_keep_their_contrast() -> None:
    deep = Image.new("I;16", (4, 4), 40_000)
    deep.putpixel((0, 0), 1_000)
    image = open_image(encoded(deep, "PNG"))
    assert image.getpixel((0, 0)) == (0, 0, 0)
    assert image.getpixel((3, 3)) == (255, 255, 255)


def test_a_file_too_large_is_refused_with_the_limit_named() -> None:
    with pytest.raises(UnreadableImage, match="20 MB"):
        open_image(b"\xff\xd8" + b"0" * MAX_BYTES)


@pytest.mark.parametrize("side", [8_000, 60_000])
def test_an_image_bomb_is_refused_before_it_is_unpacked(side: int) -> None:
    bomb = b"\x89PNG\r\n\x1a\n"
    for chunk in (b"IHDR" + struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0), b"IDAT"):
        bomb += struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
    with pytest.raises(UnreadableImage, match="more than 50 million pixels"):
        open_image(bomb)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableImage, match=r"gone\.jpg cannot be read"):
        open_image(tmp_path / "gone.jpg")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "empty"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "not an image of a known type"),
        (encoded(picture(400, 300), "JPEG")[:600], "damaged"),
    ],
)
def test_what_is_no_photograph_is_refused_with_the_fix(content: bytes, why: str) -> None:
    with pytest.raises(UnreadableImage, match=why):
        open_image(content)


def photoshop() -> bytes:
    """A whole PSD file, which Pillow reads and does not write."""
    header = struct.pack(">4sH6xHIIHH", b"8BPS", 1, 3, 2, 2, 8, 3)
    return header + b"\0" * 12 + b"\0\0" + b"\x80" * 12


@pytest.mark.parametrize(
    "content",
    [
        photoshop(),
        *(encoded(picture(), kind) for kind in ("EPS", "ICO", "PCX", "PPM", "SGI", "TGA")),
    ],
    ids=["PSD", "EPS", "ICO", "PCX", "PPM", "SGI", "TGA"],
)
def test_no_other_decoder_is_offered_a_file(content: bytes) -> None:
    """Each decoder more is code that reads what strangers send; that of EPS runs a program."""
    assert Image.open(io.BytesIO(content)).size  # Pillow itself would take it
    with pytest.raises(UnreadableImage, match="not an image of a known type"):
        open_image(content)


ORIGINALS = [encoded(picture(), kind) for kind in ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF")]


@settings(max_examples=150)
@given(
    original=st.sampled_from(ORIGINALS),
    at=st.floats(0, 1, exclude_max=True),
    junk=st.binary(min_size=1, max_size=30),
    cut=st.booleans(),
)
def test_a_damaged_file_opens_or_is_refused_and_nothing_else(
    original: bytes, at: float, junk: bytes, cut: bool
) -> None:
    place = int(at * len(original))
    damaged = original[:place] + junk + (b"" if cut else original[place + len(junk) :])
    with contextlib.suppress(UnreadableImage):
        assert open_image(damaged).mode == "RGB"
