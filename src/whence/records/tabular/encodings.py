"""Which encoding a file is in: by its mark, UTF-8 where it is, and no wild guesses otherwise.

Another script is read only if the text then consists of that script's letters and no other reading
is about as likely; otherwise the file is refused.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

from charset_normalizer import from_bytes

from whence.kernel.errors import Invalid

from .raw import UNDECODED, UTF_8

CHUNK_BYTES = 1 << 20
SAMPLE_BYTES = 1 << 16
"""Bytes beyond ASCII that are shown to the detector, with what stands between them."""
LEAST_FOREIGN_BYTES = 24
"""Fewer bytes beyond ASCII say too little: a detector reads `Москва` alone as Chinese."""
LEAST_FOREIGN_SHARE = 0.25
"""Of all bytes. Text in Latin letters stays far below; detectors confuse its encodings."""
WORD_BYTES = 4
"""Neighbouring bytes beyond ASCII that are a word; `Ärzte` has one, and French at most two."""
LEAST_WORD_BYTES, LEAST_IN_WORDS = 12, 0.7
"""Bytes in such words, and their share of all bytes beyond ASCII, that show another script."""
_RUN = re.compile(rb"[\x80-\xff]+")
LEAST_OF_SCRIPT = 0.85
"""Share of the letters beyond ASCII that must be of the encoding's script."""
CLOSE_CHAOS, CLOSE_COHERENCE, LEAST_COHERENCE = 0.02, 0.15, 0.45
"""Another reading this close to the best is as likely; any, if the best is hardly a language."""
_CHINESE = ("CJK",)
_JAPANESE = ("CJK", "HIRAGANA", "KATAKANA", "FULLWIDTH")
SCRIPTS = {
    "cp1251": ("Cyrillic", ("CYRILLIC",)),
    "koi8_r": ("Cyrillic", ("CYRILLIC",)),
    "cp1253": ("Greek", ("GREEK",)),
    "cp1255": ("Hebrew", ("HEBREW",)),
    "cp1256": ("Arabic", ("ARABIC",)),
    "shift_jis": ("Japanese", _JAPANESE),
    "euc_jp": ("Japanese", _JAPANESE),
    "gb18030": ("Chinese", _CHINESE),
    "big5": ("Chinese", _CHINESE),
    "euc_kr": ("Korean", ("HANGUL", "CJK")),
}
"""The script of each encoding, and how the Unicode names of its letters begin."""
_SAVE = "Save the file as “CSV UTF-8” and import it again."
_MARKS = {
    codecs.BOM_UTF8: UTF_8,
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def encoding_of(path: Path) -> tuple[str, tuple[str, ...]]:
    """The encoding, and notes for the reader of the report.

    A byte order mark decides; else UTF-8 where at least half of what is beyond ASCII is UTF-8, as
    text in another encoding almost never is. Text in another script is left to a detector.
    Everything else is Windows-1252, which is what spreadsheets in Latin letters write.

    Raises `Invalid` if the text is in another script and the encoding cannot be told.
    """
    with path.open("rb") as file:
        head = file.read(4096)
    marked = next((name for mark, name in _MARKS.items() if head.startswith(mark)), None)
    if marked is not None and marked != UTF_8:
        return marked, (f"The file is read as {marked.upper()}.",)
    if marked is None and (name := _unmarked_utf16(head)):
        return name, ("The file is UTF-16 without a byte order mark.",)
    count = _count(path)
    if not count.bad:
        return UTF_8, ()
    where = f"first in line {count.first_line}"
    if marked or count.good >= count.bad:
        refused = "the rows that are not UTF-8 are refused"
        return UTF_8, (f"Part of the file is not UTF-8 ({where}); {refused}. {_SAVE}",)
    doubt = f"If a letter such as ä or é is wrong ({where}): {_SAVE}"
    sample = _foreign_sample(path)
    if sample is not None:
        if (name := _other_script(sample)) is None:
            raise Invalid(
                f"{path.name} is not UTF-8 ({where}), and its encoding cannot be told from its "
                f"letters. {_SAVE}"
            )
        script = SCRIPTS[name][0]
        note = f"The file was not saved as UTF-8; it is read as {script} text ({name}). {doubt}"
        return name, (note,)
    note = f"The file was not saved as UTF-8; it is read as Windows-1252, as Excel saves. {doubt}"
    return "cp1252", (note,)


def _unmarked_utf16(head: bytes) -> str | None:
    """UTF-16 of mostly Latin text has a NUL in every second place, and in those only."""
    pairs = len(head) // 2
    even, odd = head[: pairs * 2 : 2].count(0), head[1 : pairs * 2 : 2].count(0)
    if pairs >= 8 and odd > pairs * 0.7 and not even:
        return "utf-16-le"
    return "utf-16-be" if pairs >= 8 and even > pairs * 0.7 and not odd else None


@dataclass
class _Count:
    bad: int = 0
    """Bytes that are not UTF-8."""
    good: int = 0
    """Characters beyond ASCII that are."""
    first_line: int = 1
    """Where the first bad byte stands."""


def _count(path: Path) -> _Count:
    decode = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode
    count, lines = _Count(), 1
    with path.open("rb") as file:
        for chunk in chain(iter(partial(file.read, CHUNK_BYTES), b""), [b""]):
            text = decode(chunk, final=not chunk)
            if not text.isascii():
                bad = UNDECODED.findall(text)
                if bad and not count.bad:
                    before, _, _ = text.partition(bad[0])
                    count.first_line = lines + before.count("\n")
                count.bad += len(bad)
                count.good += sum(letter > "\x7f" for letter in text) - len(bad)
            lines += text.count("\n")
    return count


def _foreign_sample(path: Path) -> bytes | None:
    """Parts of the file with bytes beyond ASCII; None if it looks like text in Latin letters."""
    sample = b""
    with path.open("rb") as file:
        while len(sample) < SAMPLE_BYTES and (chunk := file.read(CHUNK_BYTES)):
            sample += chunk if not chunk.isascii() else b""
    sample = sample[:SAMPLE_BYTES]
    foreign = sum(byte > 0x7F for byte in sample)
    if foreign >= max(LEAST_FOREIGN_BYTES, LEAST_FOREIGN_SHARE * len(sample)):
        return sample
    return _foreign_words(sample)


def _foreign_words(sample: bytes) -> bytes | None:
    """The words in another script, in a file of mostly Latin letters and digits; None without any.

    Latin languages write single letters beyond ASCII; whole words of them are another script.
    """
    runs = _RUN.findall(sample)
    words = [run for run in runs if len(run) >= WORD_BYTES and len(set(run)) > 2]
    in_words = sum(map(len, words))
    if in_words < max(LEAST_WORD_BYTES, LEAST_IN_WORDS * sum(map(len, runs))):
        return None
    return b" ".join(words)


def _other_script(sample: bytes) -> str | None:
    """The encoding of text in another script; None if it cannot be told."""
    if sum(byte > 0x7F for byte in sample) < LEAST_FOREIGN_BYTES:
        return None
    readings = [
        match
        for match in from_bytes(sample, cp_isolation=[*SCRIPTS])
        if _share_of_script(str(match), SCRIPTS[match.encoding][1]) >= LEAST_OF_SCRIPT
    ]
    if not readings:
        return None
    best, *others = readings
    is_close = any(
        other.chaos <= best.chaos + CLOSE_CHAOS
        and (best.coherence < LEAST_COHERENCE or other.coherence > best.coherence - CLOSE_COHERENCE)
        for other in others
        if SCRIPTS[other.encoding][0] != SCRIPTS[best.encoding][0]
    )
    return None if is_close else best.encoding


def _share_of_script(text: str, names: tuple[str, ...]) -> float:
    letters = [letter for letter in text if letter > "\x7f" and letter.isalpha()]
    of_script = sum(unicodedata.name(letter, "").startswith(names) for letter in letters)
    return of_script / max(1, len(letters))
