"""Which encoding a file is in: by its mark, UTF-8 where it is, and no wild guesses otherwise."""

from __future__ import annotations

import codecs
from pathlib import Path

from charset_normalizer import from_bytes

CHUNK_BYTES = 1 << 20
SAMPLE_BYTES = 1 << 16
"""Bytes beyond ASCII that are shown to the detector, with what stands between them."""
LEAST_FOREIGN_BYTES = 100
"""Fewer bytes beyond ASCII say too little: a detector reads `Москва` alone as Chinese."""
LEAST_FOREIGN_SHARE = 0.25
"""Of all bytes. Text in Latin letters stays far below; detectors confuse its encodings."""
NOT_LATIN = (
    "cp1251", "koi8_r", "cp1253", "cp1255", "cp1256", "shift_jis", "euc_jp", "gb18030", "big5",
    "euc_kr",
)  # fmt: skip
_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def encoding_of(path: Path) -> tuple[str, tuple[str, ...]]:
    """The encoding, and notes for the reader of the report.

    A byte order mark decides; else UTF-8 where most of what is beyond ASCII is UTF-8. Text in
    another script is left to a detector. Everything else is Windows-1252, which is what
    spreadsheets in Latin letters write.
    """
    with path.open("rb") as file:
        head = file.read(4096)
    for mark, name in _MARKS.items():
        if head.startswith(mark) and name != "utf-8-sig":
            return name, ()
    if name := _unmarked_utf16(head):
        return name, ("The file is UTF-16 without a byte order mark.",)
    bad, good = _utf8_verdict(path)
    if not bad:
        return "utf-8-sig", ()
    if good > bad:
        return "utf-8-sig", (
            f"{bad} bytes are not UTF-8 although the rest is; they are read as '\ufffd'.",
        )
    if name := _other_script(path):
        return name, (f"The file is not UTF-8; its letters look like {name}.",)
    return "cp1252", ("The file is not UTF-8; it is read as Windows-1252.",)


def _unmarked_utf16(head: bytes) -> str | None:
    """UTF-16 of mostly Latin text has a NUL in every second place, and in those only."""
    pairs = len(head) // 2
    even, odd = head[: pairs * 2 : 2].count(0), head[1 : pairs * 2 : 2].count(0)
    if pairs >= 8 and odd > pairs * 0.7 and not even:
        return "utf-16-le"
    return "utf-16-be" if pairs >= 8 and even > pairs * 0.7 and not odd else None


def _utf8_verdict(path: Path) -> tuple[int, int]:
    """How many bytes are not UTF-8, and how many characters beyond ASCII are."""
    decode = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode
    bad = good = 0
    with path.open("rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            text = decode(chunk)
            if text.isascii():
                continue
            wrong = sum("\udc80" <= letter <= "\udcff" for letter in text)
            bad += wrong
            good += sum(letter > "\x7f" for letter in text) - wrong
    return bad + len(decode(b"", final=True)), good


def _other_script(path: Path) -> str | None:
    sample = b""
    with path.open("rb") as file:
        while len(sample) < SAMPLE_BYTES and (chunk := file.read(CHUNK_BYTES)):
            sample += chunk if not chunk.isascii() else b""
    sample = sample[:SAMPLE_BYTES]
    foreign = sum(byte > 0x7F for byte in sample)
    if foreign < max(LEAST_FOREIGN_BYTES, LEAST_FOREIGN_SHARE * len(sample)):
        return None
    best = from_bytes(sample, cp_isolation=[*NOT_LATIN]).best()
    return best.encoding if best is not None else None
