"""Read a barcode from its brightness profile by matching drawn digits, not by measuring edges.

Common readers turn a scan line into black and white and measure widths; blur moves the edges, which
can cause misreadings.  This one does not threshold: it slides blurred drawings of every digit over
the profile and finds, by dynamic programming, the row of guards and digits that explains the line
best.  The two methods fail differently, so their agreement is strong evidence.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from .symbols import SEGMENTS, Segment, Symbology, digits_of
from .views import Sighting

Profile = npt.NDArray[np.float64]

SAMPLES = 4
"""Samples per module: enough to place an edge to a quarter of a module."""
FLEX = 0.18
"""How far one digit's width may differ from the mean, as a share: perspective and curved packs."""
CRUMPLED_FLEX = 0.3
"""The same for crumpled packs; twice the work, so only for a second try."""
BLURS = (0.35, 0.8)
"""Blur of the drawings in modules (standard deviation): a sharp and a soft photograph."""
QUIET_MODULES = 4
"""Modules beside the symbol that must be blank; the standard asks for 7 to 11."""
QUIET_CONTRAST = 0.4
"""Most contrast allowed there, as a share of that inside the symbol."""


@dataclass(frozen=True)
class LineReading:
    """The reading of one scan line: its digits, or None if the parity or the check digit is wrong.

    `fit` is the mean correlation with the drawing (at most 1); `margin` is the lead of the weakest
    digit over its runner-up; `start` and `end` are positions in the profile, 0 to 1.
    """

    digits: str | None
    fit: float
    margin: float
    quiet: bool
    start: float
    end: float


def read_profile(
    profile: Profile,
    symbology: Symbology,
    flex: float = FLEX,
    blurs: tuple[float, ...] = BLURS,
) -> LineReading:
    """The best explanation of a profile, sampled at about `SAMPLES` per module, left to right."""
    explanations = [_explain(profile, symbology, blur, flex) for blur in blurs]
    return max(explanations, key=lambda reading: reading.fit)


@dataclass(frozen=True)
class _Match:
    """For one width in samples: the best pattern at every position, its score, its lead."""

    width: int
    pattern: npt.NDArray[np.int64]
    score: Profile
    lead: Profile


def _explain(profile: Profile, symbology: Symbology, blur: float, flex: float) -> LineReading:
    segments = SEGMENTS[symbology]
    matches = {segment: _matches(profile, segment, blur, flex) for segment in set(segments)}
    reached = np.zeros(len(profile) + 1)
    widths_back: list[npt.NDArray[np.int64]] = []
    for segment in segments:
        best = np.full(len(reached), -np.inf)
        widths = np.zeros(len(reached), dtype=np.int64)
        for match in matches[segment]:
            total = reached[: len(match.score)] + match.score
            ends = best[match.width :]
            better = total > ends
            ends[better] = total[better]
            widths[match.width :][better] = match.width
        widths_back.append(widths)
        reached = best
    end = int(reached.argmax())
    drawn: list[int] = []
    leads: list[float] = []
    position = end
    for segment, widths in zip(reversed(segments), reversed(widths_back), strict=True):
        width = int(widths[position])
        position -= width
        if segment.is_digit:
            match = next(match for match in matches[segment] if match.width == width)
            drawn.append(int(match.pattern[position]))
            leads.append(float(match.lead[position]))
    modules = sum(segment.modules for segment in segments)
    return LineReading(
        digits=digits_of(symbology, drawn[::-1]),
        fit=1.0 + float(reached[end]) / modules,
        margin=min(leads),
        quiet=_is_quiet(profile, position, end, modules),
        start=position / len(profile),
        end=end / len(profile),
    )


def _matches(profile: Profile, segment: Segment, blur: float, flex: float) -> list[_Match]:
    nominal = segment.modules * SAMPLES
    most = max(1, round(nominal * flex))
    level = profile.astype(np.float32)
    level -= level.mean()
    sums = np.concatenate(([0.0], np.cumsum(level, dtype=np.float64)))
    squares = np.concatenate(([0.0], np.cumsum(np.square(level), dtype=np.float64)))
    matches: list[_Match] = []
    for width in range(nominal - most, nominal + most + 1):
        # The drawings have a mean of zero, so the windows need no centring.
        windows = np.ascontiguousarray(np.lib.stride_tricks.sliding_window_view(level, width))
        spread = squares[width:] - squares[:-width] - (sums[width:] - sums[:-width]) ** 2 / width
        length = np.sqrt(np.maximum(spread, 1e-3))[:, None]
        correlation = (windows @ _drawings(segment, width, blur).T) / length
        pattern = correlation.argmax(axis=1)
        rows = np.arange(len(correlation))
        top = correlation[rows, pattern]
        if segment.is_digit:
            correlation[rows, pattern] = -1.0
            lead = top - correlation.max(axis=1)
        else:
            lead = np.ones(len(top))
        # Lost correlation counts by width in modules, so that wide segments weigh more.
        matches.append(_Match(width, pattern, (top - 1.0) * segment.modules, lead))
    return matches


@lru_cache(maxsize=512)
def _drawings(segment: Segment, width: int, blur: float) -> npt.NDArray[np.float32]:
    """Every pattern of a segment between its neighbours, blurred, as unit vectors of `width`."""
    fine = 16
    reach = np.arange(-int(3 * blur * fine) - 1, int(3 * blur * fine) + 2)
    kernel = np.exp(-(reach**2) / (2 * (blur * fine) ** 2))
    kernel /= kernel.sum()
    centres = (np.arange(width) + 0.5) / width * segment.modules + 3
    drawings: list[Profile] = []
    for pattern in segment.patterns:
        drawn = segment.before * 3 + pattern + segment.after * 3
        paper = np.repeat([1.0 - int(bit) for bit in drawn], fine)
        soft = np.convolve(paper, kernel, "same")
        values = np.interp(centres * fine - 0.5, np.arange(len(soft)), soft)
        values -= values.mean()
        drawings.append(values / np.linalg.norm(values))
    return np.array(drawings, dtype=np.float32)


def _is_quiet(profile: Profile, start: int, end: int, modules: int) -> bool:
    """Whether the margins are blank: half of a longer code would otherwise pass for a short one."""
    module = (end - start) / modules
    margin = round(QUIET_MODULES * module)
    gap = round(module)
    before = profile[max(0, start - gap - margin) : max(0, start - gap)]
    right = profile[end + gap : end + gap + margin]
    contrast = float(np.percentile(profile[start:end], 95) - np.percentile(profile[start:end], 5))
    return all(
        len(side) >= margin // 2 and float(np.ptp(side)) <= QUIET_CONTRAST * contrast
        for side in (before, right)
    )


def read_place(
    gray: npt.NDArray[np.float32], place: Sighting, *, lines: int, flex: float
) -> list[LineReading]:
    """The drawing matcher's readings of a place, on lines spread over the height of the bars."""
    profiles = profiles_across(
        gray,
        place.start,
        place.end,
        max(place.height, place.length * 0.12),
        modules=sum(segment.modules for segment in SEGMENTS[place.symbology]),
        lines=lines,
        margin=10,
    )
    return [read_profile(profile, place.symbology, flex) for profile in profiles]


def profiles_across(
    gray: npt.NDArray[np.float32],
    start: tuple[float, float],
    end: tuple[float, float],
    height: float,
    *,
    modules: int,
    lines: int,
    margin: float,
) -> list[Profile]:
    """Scan lines through a symbol from `start` to `end` (pixels, at half its height).

    `height` is how tall the bars are, in pixels; `margin` is read beyond both ends, in modules.
    """
    ax, ay = start
    bx, by = end
    across_x, across_y = bx - ax, by - ay
    length = max(float(np.hypot(across_x, across_y)), 1.0)
    down_x, down_y = -across_y / length, across_x / length
    beyond = margin / modules
    steps = int((modules + 2 * margin) * SAMPLES)
    along = np.linspace(-beyond, 1 + beyond, steps)
    # One scan line is the mean of three, a pixel apart, against noise.
    thickness = np.array([-1.0, 0.0, 1.0])[:, None]
    profiles: list[Profile] = []
    offsets = np.linspace(-0.4, 0.4, lines) if lines > 1 else np.zeros(1)
    for offset in offsets * height:
        x = ax + across_x * along[None, :] + down_x * (offset + thickness)
        y = ay + across_y * along[None, :] + down_y * (offset + thickness)
        profiles.append(_bilinear(gray, x, y).mean(axis=0))
    return profiles


def _bilinear(gray: npt.NDArray[np.float32], x: Profile, y: Profile) -> Profile:
    x = np.clip(x, 0, gray.shape[1] - 1.001)
    y = np.clip(y, 0, gray.shape[0] - 1.001)
    left, top = x.astype(np.int64), y.astype(np.int64)
    fx, fy = x - left, y - top
    upper = gray[top, left] * (1 - fx) + gray[top, left + 1] * fx
    lower = gray[top + 1, left] * (1 - fx) + gray[top + 1, left + 1] * fx
    return upper * (1 - fy) + lower * fy
