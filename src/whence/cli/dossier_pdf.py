"""Writes a document as PDF, in fonts of this machine; what none of them can show is named.

Scripts that need shaping or run from right to left (Arabic, Hebrew, the Indic ones) are not set
correctly by the PDF library, so they count as not shown, whatever the font has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

from whence.cli.dossier_report import Block, Heading, Paragraph, Table
from whence.kernel.errors import Invalid
from whence.kernel.text import without_controls

MISSING = "□"
LATIN = "Helvetica"
"""Without a font of this machine: Latin letters only."""
FONT_FOLDERS = (
    Path("/usr/share/fonts"),
    Path("/usr/local/share/fonts"),
    Path("/Library/Fonts"),
    Path("/System/Library/Fonts/Supplemental"),
    Path.home() / ".local/share/fonts",
)
FONT_FILES = (
    "DejaVuSans.ttf",
    "NotoSans-Regular.ttf",
    "LiberationSans-Regular.ttf",
    "Arial Unicode.ttf",
)
"""Fonts to look for, the one with the most scripts first."""
_UNSHAPED = ((0x0590, 0x08FF), (0x0900, 0x0DFF), (0x0F00, 0x0FFF), (0xFB1D, 0xFEFC))
"""Scripts that need more than one glyph after the other."""
_EAST_ASIAN = (
    ("HYSMyeongJo-Medium", ((0x1100, 0x11FF), (0xAC00, 0xD7AF))),
    ("HeiseiKakuGo-W5", ((0x3000, 0x30FF), (0x4E00, 0x9FFF), (0xFF00, 0xFFEF))),
)
"""Fonts that PDF readers have or fetch, with the characters they are used for; not embedded."""
SHOWN = 10
"""Characters that are named as missing."""


class NoSuchFont(Invalid):
    """The font cannot be read; name a TrueType file (.ttf)."""


@dataclass
class _Fonts:
    """Which font shows a character, and which characters none shows."""

    base: str
    has: Callable[[int], bool]
    unshown: set[str] = field(default_factory=set[str])
    is_left_to_reader: bool = False
    """Whether some text needs a font that the PDF's reader has to supply."""

    @property
    def notices(self) -> list[str]:
        """What the document does not show, or only with fonts of its reader."""
        notices: list[str] = []
        if letters := sorted(self.unshown):
            some = " ".join(f"U+{ord(letter):04X}" for letter in letters[:SHOWN])
            more = " …" if len(letters) > SHOWN else ""
            notices.append(f"This PDF cannot show {len(letters)} characters: {some}{more}.")
        if self.is_left_to_reader:
            notices.append(
                "Chinese, Japanese and Korean text is shown in fonts of the PDF reader; a reader "
                "without them leaves it blank."
            )
        return notices

    def marked_up(self, text: str) -> str:
        """The text with its fonts, as the library's paragraphs take it."""
        runs = groupby(without_controls(" ".join(text.split())), self._font_of)
        return "".join(
            f'<font name="{font}">{escape("".join(letters))}</font>'
            if font
            else MISSING * len(list(letters))
            if self.has(ord(MISSING))
            else "?" * len(list(letters))
            for font, letters in runs
        )

    def _font_of(self, letter: str) -> str | None:
        code = ord(letter)
        if not _within(code, _UNSHAPED):
            if self.has(code):
                return self.base
            for font, ranges in _EAST_ASIAN:
                if _within(code, ranges):
                    self.is_left_to_reader = True
                    return font
        self.unshown.add(letter)
        return None


def write_pdf(blocks: Sequence[Block], path: Path, font: Path | None = None) -> list[str]:
    """Write the document to a new file; return notices of what it cannot show, which end it.

    Raises NoSuchFont.
    """
    from reportlab.lib.pagesizes import A4
    from reportlab.platypus import SimpleDocTemplate

    fonts = _fonts(font)
    title = next((block.text for block in blocks if isinstance(block, Heading)), "")
    document = SimpleDocTemplate(str(path), pagesize=A4, title=title)
    parts = [part for block in blocks for part in _parts(block, fonts, document.width)]
    notices = fonts.notices
    for notice in notices:
        parts += _parts(Paragraph(notice), fonts, document.width)
    document.build(parts)
    return notices


def _parts(block: Block, fonts: _Fonts, width: float) -> list[Any]:
    from reportlab.lib import colors
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import LongTable, Spacer
    from reportlab.platypus import Paragraph as Text

    styles = getSampleStyleSheet()
    match block:
        case Heading(text, level):
            return [Text(fonts.marked_up(text), styles[f"Heading{level}"])]
        case Paragraph(text):
            return [Text(fonts.marked_up(text), styles["BodyText"])]
        case Table(header, rows):
            cells = [
                [Text(fonts.marked_up(cell), styles["BodyText"]) for cell in row]
                for row in (header, *rows)
            ]
            first, *others = _widths(header, width)
            table = LongTable(cells, colWidths=[first, *others], repeatRows=1, splitInRow=1)
            table.setStyle(
                [
                    ("GRID", (0, 0), (-1, -1), 0.25, colors.grey),
                    ("BACKGROUND", (0, 0), (-1, 0), colors.whitesmoke),
                    ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ]
            )
            return [table, Spacer(1, 8)]


def _widths(header: Sequence[str], width: float) -> list[float]:
    """The widths of columns: those of numbers are narrow."""
    weights = [{"No.": 1.0, "Confidence": 1.6}.get(name, 3.0) for name in header]
    return [width * weight / sum(weights) for weight in weights]


def _fonts(chosen: Path | None) -> _Fonts:
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.pdfbase.ttfonts import TTFError, TTFont

    for name, _ in _EAST_ASIAN:
        pdfmetrics.registerFont(UnicodeCIDFont(name))
    path = chosen or _installed()
    if path is None:
        return _Fonts(LATIN, lambda code: code < 256)
    try:
        font = TTFont("Base", str(path))
    except (TTFError, OSError) as error:
        raise NoSuchFont(
            f"The font '{path}' cannot be read; name a TrueType file (.ttf)."
        ) from error
    pdfmetrics.registerFont(font)
    glyphs = font.face.charToGlyph
    return _Fonts("Base", lambda code: code in glyphs)


def _installed() -> Path | None:
    """The best font of this machine."""
    for name in FONT_FILES:
        for folder in FONT_FOLDERS:
            path = next(folder.rglob(name), None) if folder.is_dir() else None
            if path is not None:
                return path
    return None


def _within(code: int, ranges: Sequence[tuple[int, int]]) -> bool:
    return any(first <= code <= last for first, last in ranges)
