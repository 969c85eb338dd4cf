"""The process in which photographs are read: `python -m …perception.reading_process`.

It decodes what strangers send, so it has a memory limit, and what it takes ends with it. Each
request is a letter (`r` read, `p` preview, `t` media type), the length of the photograph in eight
bytes, and the photograph; each response is a line of JSON.
"""

from __future__ import annotations

import base64
import io
import json
import os
import signal
import struct
import sys
from typing import Any, BinaryIO

from whence.packs.resale.perception.images import (
    READING_SIDE,
    UnreadableImage,
    media_type,
    open_image,
)
from whence.packs.resale.perception.photographs import PhotographReading, read_photographs

HEADER = struct.Struct(">cQ")
READ, PREVIEW, MEDIA_TYPE = b"r", b"p", b"t"
PREVIEW_SIDE = 1_024
"""Longest side, in pixels, of the picture for a vision model: enough to see wear, at a quarter of
the cost."""
NO_MEMORY = "There is not enough memory for this photograph; shrink it."


def main() -> None:
    """Answer requests until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it ends it
    _limit_memory(int(sys.argv[1]))
    requests = sys.stdin.buffer
    responses = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # libraries may print
    while header := requests.read(HEADER.size):
        task, length = HEADER.unpack(header)
        _respond(responses, task, requests.read(length))


def _limit_memory(megabytes: int) -> None:
    import resource

    limit = megabytes * 1_000_000
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def _respond(responses: BinaryIO, task: bytes, content: bytes) -> None:
    try:
        response = _response(task, content)
    except UnreadableImage as error:
        response = {"problem": error.message}
    except Exception as error:  # noqa: BLE001 (the edge of the process: libraries raise anything)
        # Native libraries report a failed allocation as an error of their own.
        response = {"problem": NO_MEMORY, "error": f"{type(error).__name__}: {error}"[:500]}
    responses.write(json.dumps(response).encode() + b"\n")
    responses.flush()


def _response(task: bytes, content: bytes) -> dict[str, Any]:
    if task == READ:
        return _reading(read_photographs([content]).images[0])
    if task == MEDIA_TYPE:
        return {"mediaType": media_type(content)}
    picture = open_image(content, READING_SIDE)
    picture.thumbnail((PREVIEW_SIDE, PREVIEW_SIDE))
    jpeg = io.BytesIO()
    picture.save(jpeg, "JPEG", quality=85)
    return {"jpeg": base64.b64encode(jpeg.getvalue()).decode()}


def _reading(image: PhotographReading) -> dict[str, Any]:
    lines = sorted(image.lines, key=lambda line: -line.confidence)
    return {
        "barcodes": [barcode.gtin14 for barcode in image.barcodes.barcodes],
        "text": [line.text for line in lines if not line.unsure],
        "problem": "; ".join(image.problems) or None,
    }


if __name__ == "__main__":
    main()
