from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from whence.packs.resale.perception.photographs import (
    MAX_IMAGES,
    read_photographs,
    read_photographs_async,
)
from whence.packs.resale.perception.text import ocr_models, read_text


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the network was asked for")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.mark.usefixtures("no_network")
def test_the_sample_photographs_show_the_product_and_its_code(sample_photos: Path) -> None:
    perception = read_photographs(
        [sample_photos / name for name in ("front.jpg", "back.jpg", "label.jpg")]
    )
    assert perception.gtin14 == "02000000070001"
    assert perception.problems == ()
    texts = [line.text for line in perception.lines if not line.unsure]
    for wanted in ("Aurelia", "QuietBand 700", "QB-700", "Black", "Model: QB-700"):
        assert wanted in texts


def test_a_photograph_that_cannot_be_opened_is_recorded_and_the_rest_is_read(
    sample_photos: Path,
) -> None:
    perception = read_photographs([b"not a photograph", sample_photos / "back.jpg"])
    assert perception.gtin14 == "02000000070001"
    (problem,) = perception.problems
    assert problem.startswith("Photograph 1: The file is not an image")


def test_photographs_beyond_the_limit_are_counted_and_not_read() -> None:
    perception = read_photographs([b"x"] * (MAX_IMAGES + 2))
    assert (len(perception.images), perception.skipped) == (MAX_IMAGES, 2)


def test_two_codes_on_two_photographs_leave_the_item_without_one(draw_code, tmp_path) -> None:
    for name, digits in (("a.png", "2000000070001"), ("b.png", "4006381333931")):
        draw_code(digits).save(tmp_path / name)
    perception = read_photographs([tmp_path / "a.png", tmp_path / "b.png"])
    assert len(perception.barcodes) == 2
    assert perception.gtin14 is None


def test_the_event_loop_goes_on_while_photographs_are_read(sample_photos: Path) -> None:
    async def turns_meanwhile() -> int:
        reading = asyncio.create_task(read_photographs_async([sample_photos / "front.jpg"]))
        turns = 0
        while not reading.done():
            await asyncio.sleep(0.01)
            turns += 1
        assert (await reading).images[0].lines
        return turns

    read_photographs([sample_photos / "front.jpg"])  # the models are loaded
    assert asyncio.run(turns_meanwhile()) >= 5


def test_text_is_found_where_it_stands() -> None:
    page = Image.new("RGB", (2400, 1200), "white")
    pen = ImageDraw.Draw(page)
    pen.text((1300, 700), "Model QB-700", fill="black", font=ImageFont.load_default(90))
    (line,) = read_text(page)
    assert line.text == "Model QB-700"
    left, top, right, bottom = line.box
    assert 1250 < left < 1350 < 1700 < right < 2000
    assert 680 < top < 740 < bottom < 850


def test_a_blank_or_tiny_picture_has_no_text() -> None:
    assert read_text(Image.new("RGB", (300, 200), "white")) == ()
    assert read_text(Image.new("RGB", (8, 4000), "white")) == ()


def test_the_models_come_with_the_package() -> None:
    assert set(ocr_models()) == {"det", "cls", "rec"}


def test_importing_perception_loads_none_of_its_heavy_parts() -> None:
    program = (
        "import sys\n"
        "import whence.packs.resale.perception.photographs, whence.packs.resale.evals.barcodes\n"
        "heavy = {'cv2', 'onnxruntime', 'zxingcpp', 'rapidocr', 'PIL.Image'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    process = subprocess.run(
        [sys.executable, "-c", program],
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (process.stdout.strip(), process.returncode) == ("[]", 0), process.stderr
