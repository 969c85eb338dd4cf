"""Barcodes and photographs drawn on the spot."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import zxingcpp
from PIL import Image, ImageFilter

ROOT = Path(__file__).resolve().parents[4]
PHOTOS = ROOT.parent / "shared/data/resale/barcode_photos"

Draw = Callable[..., Image.Image]


@pytest.fixture
def draw_code() -> Draw:
    """Draw a code in the middle of grey paper: `draw_code("2000000070001", "EAN13")`."""

    def draw(digits: str, kind: str = "EAN13", *, scale: int = 3) -> Image.Image:
        symbol = zxingcpp.create_barcode(digits, getattr(zxingcpp.BarcodeFormat, kind))
        drawn = zxingcpp.write_barcode_to_image(symbol, scale=scale, add_hrt=False)
        bars = Image.fromarray(np.array(drawn)).convert("RGB")
        page = Image.new("RGB", (bars.width + 240, bars.height + 200), (225, 225, 220))
        page.paste(bars, (120, 100))
        return page

    return draw


@pytest.fixture
def draw_book() -> Draw:
    """The back of a Japanese book: the ISBN, faint under a reflection, above its price line."""

    def draw(isbn: str, price_line: str, *, scale: int = 3, gap: int = 30) -> Image.Image:
        height = 33 * scale
        isbn_bars, price_bars = (
            Image.fromarray(
                np.array(
                    zxingcpp.write_barcode_to_image(
                        zxingcpp.create_barcode(digits, zxingcpp.BarcodeFormat.EAN13),
                        scale=scale,
                        add_hrt=False,
                    )
                )
            ).resize((113 * scale, height))
            for digits in (isbn, price_line)
        )
        pixels = np.asarray(isbn_bars, dtype=np.float64)
        across = np.linspace(-1, 1, pixels.shape[1])[None, :]
        shine = 0.8 * np.exp(-((across - 0.3) ** 2) / 0.15)
        faint = Image.fromarray((pixels + (255 - pixels) * shine).astype(np.uint8))
        page = Image.new("RGB", (faint.width + 300, 2 * height + gap + 300), (228, 226, 220))
        page.paste(faint, (150, 150))
        page.paste(price_bars, (150, 150 + height + gap))
        return page

    return draw


@pytest.fixture
def photographed() -> Draw:
    """The same picture turned, blurred, noisy and compressed, as from a poor camera."""

    def photograph(
        picture: Image.Image, *, turn: float = 0, blur: float = 0, noise: float = 0, seed: int = 1
    ) -> Image.Image:
        turned = picture.rotate(
            turn, Image.Resampling.BICUBIC, expand=True, fillcolor=(200, 200, 200)
        )
        soft = np.asarray(turned.filter(ImageFilter.GaussianBlur(blur)), dtype=np.float64)
        soft = soft + np.random.default_rng(seed).normal(0, noise, soft.shape)
        file = io.BytesIO()
        Image.fromarray(np.clip(soft, 0, 255).astype(np.uint8)).save(file, "JPEG", quality=60)
        return Image.open(io.BytesIO(file.getvalue())).convert("RGB")

    return photograph


@pytest.fixture
def barcode_photos() -> Path:
    if not (PHOTOS / "truth.csv").is_file():
        pytest.skip("the photographs of ../shared/data/resale/barcode_photos are not here")
    return PHOTOS


@pytest.fixture
def sample_photos() -> Path:
    return ROOT / "src/whence/packs/resale/sample/photos"
