"""Read the printed text on a photograph, locally.

Uses RapidOCR with the models in its wheel: nothing is downloaded or written.  It needs about 500
MB, so it is loaded once, at first use, and reads one photograph at a time.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from whence.sdk.errors import Misconfigured

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from PIL.Image import Image

MAX_SIDE = 1600
"""Longest side in pixels that is read; larger photographs are reduced (time grows with area)."""
MIN_SIDE = 32
"""Shortest side in pixels worth reading."""
UNSURE_BELOW = 0.8
"""Confidence below which a line is flagged: measured, right lines lie above, garbled ones below."""
DROPPED_BELOW = 0.5
"""Confidence below which a line is not reported at all."""
DETECTION_SIDE = 960
"""Longest side in pixels at which lines are searched; they are then read at full size."""
THREADS = 1
"""Threads of the OCR: a second one costs half as much processor time again (measured), at the
expense of the rest of the machine."""


class OcrUnavailable(Misconfigured):
    """The OCR models are missing; reinstall the package `rapidocr`, which carries them."""


@dataclass(frozen=True)
class TextLine:
    """One printed line: confidence 0 to 1; box is left, top, right, bottom in pixels."""

    text: str
    confidence: float
    box: tuple[int, int, int, int]
    unsure: bool


class _Output(Protocol):
    txts: Iterable[str] | None
    scores: Iterable[float] | None
    boxes: npt.NDArray[np.float32] | None


_Reader = Callable[["npt.NDArray[np.uint8]"], _Output]


class _Loaded:
    """The process's only reader; the lock admits one photograph at a time, which limits memory."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.reader: _Reader | None = None


_loaded = _Loaded()


def read_text(image: Image) -> tuple[TextLine, ...]:
    """The printed lines of an upright photograph, top to bottom.

    Raises `OcrUnavailable` if the models are not installed.
    """
    import numpy as np

    ratio = min(1.0, MAX_SIDE / max(image.size))
    size = round(image.width * ratio), round(image.height * ratio)
    if min(size) < MIN_SIDE:
        return ()
    picture = image.convert("RGB")
    if ratio < 1.0:
        picture = picture.resize(size, reducing_gap=2.0)
    # The reader expects blue first.
    pixels = np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])
    with _loaded.lock:
        if _loaded.reader is None:
            _loaded.reader = _load()
        output = _loaded.reader(pixels)
    if output.txts is None or output.scores is None or output.boxes is None:
        return ()
    lines = [
        _line(text, float(score), corners / ratio)
        for text, score, corners in zip(output.txts, output.scores, output.boxes, strict=True)
        if text.strip()
    ]
    return tuple(sorted(lines, key=lambda line: (line.box[1], line.box[0])))


def read_texts(image: Image) -> list[str]:
    """The certain lines only, left to right."""
    lines = sorted(read_text(image), key=lambda line: line.box[0])
    return [line.text for line in lines if not line.unsure]


def _line(text: str, confidence: float, corners: npt.NDArray[np.float32]) -> TextLine:
    left, top = (round(float(value)) for value in corners.min(axis=0))
    right, bottom = (round(float(value)) for value in corners.max(axis=0))
    return TextLine(
        text.strip(), round(confidence, 3), (left, top, right, bottom), confidence < UNSURE_BELOW
    )


def ocr_models() -> dict[str, Path]:
    """The model files by task (`det`, `cls`, `rec`), found without loading them.

    Raises `OcrUnavailable` when the package or one of its models is missing.
    """
    from importlib.util import find_spec

    spec = find_spec("rapidocr")
    if spec is None or spec.origin is None:
        raise OcrUnavailable
    folder = Path(spec.origin).parent / "models"
    models: dict[str, Path] = {}
    for task in ("det", "cls", "rec"):
        files = sorted(folder.glob(f"*_{task}_*.onnx"))
        if not files:
            raise OcrUnavailable
        models[task] = files[0]
    return models


def _load() -> _Reader:
    models = ocr_models()
    # Without explicit file names, RapidOCR might download the models.
    options: dict[str, object] = {
        "Global.log_level": "critical",
        "Global.text_score": DROPPED_BELOW,
        "Global.max_side_len": MAX_SIDE,
        "EngineConfig.onnxruntime.intra_op_num_threads": THREADS,
        "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        "Det.limit_type": "max",
        "Det.limit_side_len": DETECTION_SIDE,
        "Det.model_path": str(models["det"]),
        "Cls.model_path": str(models["cls"]),
        "Rec.model_path": str(models["rec"]),
    }
    from rapidocr import RapidOCR

    logging.getLogger("RapidOCR").setLevel(logging.CRITICAL)
    return cast("_Reader", RapidOCR(params=options))
