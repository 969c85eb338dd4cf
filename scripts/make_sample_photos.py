"""Draw the sample photographs of the resale pack: a made-up product, photographed by arithmetic.

    .venv/bin/python scripts/make_sample_photos.py [FOLDER]

The product, its brand and its code do not exist: the code starts with 200, which GS1 keeps for
use inside a company.  The same seed draws the same photographs.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import zxingcpp
from PIL import Image, ImageDraw, ImageFilter, ImageFont

FOLDER = Path("src/whence/packs/resale/sample/photos")
GTIN_WITHOUT_CHECK_DIGIT = "200000007000"
SIZE = (1280, 960)
CARD = (29, 33, 41)
PAPER = (244, 243, 238)
ACCENT = (226, 112, 58)

Corners = list[tuple[float, float]]


def front() -> Image.Image:
    """The front of the box: brand, model, variant and a drawing of the headphones."""
    box = Image.new("RGB", (900, 1100), CARD)
    pen = ImageDraw.Draw(box)
    pen.rectangle([0, 0, 900, 26], fill=ACCENT)
    write(pen, (70, 80), "Aurelia", 92, PAPER)
    write(pen, (74, 205), "QuietBand 700", 68, PAPER)
    write(pen, (76, 295), "Wireless Noise Cancelling Headphones", 38, (190, 192, 198))
    pen.arc([250, 390, 650, 860], 180, 360, fill=(96, 100, 110), width=34)
    for left in (205, 585):
        pen.rounded_rectangle([left, 590, left + 110, 800], 50, fill=(64, 68, 78))
        pen.rounded_rectangle([left + 20, 615, left + 90, 775], 36, fill=(20, 22, 27))
    write(pen, (76, 900), "Up to 35 h playback", 36, (190, 192, 198))
    write(pen, (76, 985), "Black", 48, ACCENT)
    write(pen, (640, 990), "QB-700", 46, PAPER)
    return box


def back() -> Image.Image:
    """The back of the box: what is inside, and the label with the barcode."""
    box = Image.new("RGB", (1100, 800), CARD)
    pen = ImageDraw.Draw(box)
    write(pen, (60, 50), "Aurelia QuietBand 700", 54, PAPER)
    for row, text in enumerate(
        (
            "Model QB-700    Color: Black",
            "In the box: headphones, USB-C cable,",
            "audio cable, carrying case, quick guide",
        )
    ):
        write(pen, (62, 140 + 58 * row), text, 38, (205, 206, 210))
    label = Image.new("RGB", (620, 390), PAPER)
    code = zxingcpp.create_barcode(GTIN_WITHOUT_CHECK_DIGIT, zxingcpp.BarcodeFormat.EAN13)
    bars = Image.fromarray(
        np.asarray(zxingcpp.write_barcode_to_image(code, scale=4, add_hrt=True))
    ).convert("RGB")
    label.paste(bars.resize((520, round(bars.height * 520 / bars.width))), (50, 70))
    write(ImageDraw.Draw(label), (50, 18), "QuietBand 700 (QB-700) Black", 34, (20, 20, 20))
    box.paste(label, (60, 370))
    write(pen, (730, 680), "Made for the sample", 30, (150, 152, 158))
    return box


def label_close_up() -> Image.Image:
    """A sticker on the inside: model and serial number, no barcode."""
    label = Image.new("RGB", (900, 520), PAPER)
    pen = ImageDraw.Draw(label)
    pen.rectangle([14, 14, 885, 505], outline=(60, 60, 60), width=4)
    for row, (text, size) in enumerate(
        (
            ("Aurelia", 74),
            ("Model: QB-700", 58),
            ("QuietBand 700 Headphones", 48),
            ("S/N AQ7-004219-B", 48),
            ("5 V 0.5 A", 44),
        )
    ):
        write(pen, (50, 40 + 90 * row), text, size, (25, 25, 25))
    return label


def write(
    pen: ImageDraw.ImageDraw, place: tuple[int, int], text: str, size: int, ink: tuple[int, ...]
) -> None:
    """Print text in the font that Pillow carries."""
    pen.text(place, text, fill=ink, font=ImageFont.load_default(size))


def photograph(thing: Image.Image, corners: Corners, seed: int) -> Image.Image:
    """The thing on a table, seen askew: perspective, shadow, uneven light, soft focus, noise."""
    random = np.random.default_rng(seed)
    scene = table(random)
    outline = Image.new("L", thing.size, 255)
    seen = thing.transform(
        SIZE,
        Image.Transform.PERSPECTIVE,
        perspective(corners, thing.size),
        Image.Resampling.BICUBIC,
    )
    mask = outline.transform(SIZE, Image.Transform.PERSPECTIVE, perspective(corners, thing.size))
    shadow = Image.new("L", SIZE, 0)
    shadow.paste(150, (22, 30), mask.crop((0, 0, SIZE[0] - 22, SIZE[1] - 30)))
    scene.paste((35, 28, 22), (0, 0), shadow.filter(ImageFilter.GaussianBlur(18)))
    scene.paste(seen, (0, 0), mask.filter(ImageFilter.GaussianBlur(0.7)))
    pixels = np.asarray(scene.filter(ImageFilter.GaussianBlur(0.9)), dtype=np.float64)
    down, right = np.mgrid[0 : SIZE[1], 0 : SIZE[0]] / max(SIZE)
    light = 1.08 - 0.35 * right - 0.18 * down
    glare = 38 * np.exp(-((right - 0.62) ** 2 + (down - 0.12) ** 2) / 0.012)
    pixels = pixels * light[:, :, None] + glare[:, :, None]
    pixels += random.normal(0, 4.0, pixels.shape)
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))


def table(random: np.random.Generator) -> Image.Image:
    """Wood, more or less: brown, with a grain along it."""
    grain = random.normal(0, 1, (SIZE[1], 1)).cumsum(axis=0) * 1.6
    grain = grain + random.normal(0, 3, (SIZE[1], SIZE[0]))
    tone = np.clip(grain - grain.mean(), -28, 28)[:, :, None]
    brown = np.array([168.0, 132.0, 98.0])[None, None, :]
    return Image.fromarray(np.clip(brown + tone, 0, 255).astype(np.uint8))


def perspective(corners: Corners, size: tuple[int, int]) -> list[float]:
    """Pillow's eight coefficients that show a picture of `size` at four corners, clockwise."""
    width, height = size
    source = [(0, 0), (width, 0), (width, height), (0, height)]
    rows: list[list[float]] = []
    values: list[float] = []
    for (x, y), (u, v) in zip(corners, source, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    return [float(value) for value in np.linalg.solve(np.array(rows), np.array(values))]


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    shots: list[tuple[str, Image.Image, Corners]] = [
        ("front.jpg", front(), [(330, 70), (905, 45), (960, 905), (290, 880)]),
        ("back.jpg", back(), [(170, 150), (1090, 95), (1130, 800), (120, 760)]),
        ("label.jpg", label_close_up(), [(190, 260), (1060, 200), (1100, 690), (230, 740)]),
    ]
    for seed, (name, thing, corners) in enumerate(shots, start=7):
        path = folder / name
        photograph(thing, corners, seed).save(path, "JPEG", quality=70, optimize=True)
        print(f"{path}: {path.stat().st_size // 1024} KB")


if __name__ == "__main__":
    main()
