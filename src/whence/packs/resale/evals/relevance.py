"""resale.relevance: whether the scorer separates an item's listings from those of similar items."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from whence.packs.resale.matching.catalogue import Catalogue
from whence.packs.resale.matching.scorer import THRESHOLD, score_all, text_of

from .labelled import LabelledFolder, Pair, read_folder, read_pairs

DECILES = 10


@dataclass(frozen=True)
class Decision:
    """What a research run would do with a listing."""

    score: float
    included: bool
    """Whether it is kept: its score reaches the threshold, and no exclusion leaves it out."""


@dataclass(frozen=True)
class RelevanceReport:
    """The quality of the decisions, after exclusions; every rate is 0 to 1."""

    f1: float
    precision: float
    recall: float
    threshold: float
    """The score from which a pair counts as a match; the same for every catalogue."""
    f1_without_exclusions: float
    """F1 of the scores alone: what the exclusions cost or bring."""
    calibration_error: float
    """Mean distance of score and share of matches over the deciles of the score, weighted by their
    pairs (ECE)."""
    n: int
    """Labelled pairs."""


def relevance(data: Path) -> RelevanceReport:
    """Score `pairs.test.jsonl` of a folder; labels are used only to count correct decisions.

    Raises:
        Invalid: a file is missing or a line malformed (names the file and the line).
    """
    folder = read_folder(data)
    pairs = read_pairs(data, "test", folder)
    return report([pair.match for pair in pairs], decisions_of(folder, pairs))


def decisions_of(folder: LabelledFolder, pairs: Sequence[Pair]) -> list[Decision]:
    """The decision on each pair, in order; the whole folder is the catalogue."""
    catalogue = Catalogue.of(
        [*map(text_of, folder.items.values()), *map(text_of, folder.listings.values())]
    )
    listings_of: defaultdict[str, list[str]] = defaultdict(list)
    for pair in pairs:
        listings_of[pair.item].append(pair.listing)
    decisions: dict[tuple[str, str], Decision] = {}
    for item, idents in listings_of.items():
        listings = [folder.listings[ident] for ident in idents]
        relevances = score_all(folder.items[item], listings, catalogue)
        for ident, one in zip(idents, relevances, strict=True):
            included = one.score >= THRESHOLD and one.exclusion is None
            decisions[item, ident] = Decision(one.score, included)
    return [decisions[pair.item, pair.listing] for pair in pairs]


def report(truth: Sequence[bool], decisions: Sequence[Decision]) -> RelevanceReport:
    """Count correct and wrong decisions."""
    f1, precision, recall = rates(truth, [one.included for one in decisions])
    scores = [one.score for one in decisions]
    alone = rates(truth, [score >= THRESHOLD for score in scores])[0]
    error = sum(
        count * abs(score - share) for count, score, share in reliability(truth, scores)
    ) / max(1, len(truth))
    return RelevanceReport(f1, precision, recall, THRESHOLD, alone, error, len(truth))


def rates(truth: Sequence[bool], predicted: Sequence[bool]) -> tuple[float, float, float]:
    """F1, precision and recall."""
    right = sum(t and s for t, s in zip(truth, predicted, strict=True))
    precision = right / sum(predicted) if any(predicted) else 0.0
    recall = right / sum(truth) if any(truth) else 0.0
    f1 = 2 * precision * recall / (precision + recall) if right else 0.0
    return f1, precision, recall


def reliability(truth: Sequence[bool], scores: Sequence[float]) -> list[tuple[int, float, float]]:
    """Of each tenth of the scale: how many pairs, their mean score, their share of matches."""
    tenths: list[list[int]] = [[] for _ in range(DECILES)]
    for at, score in enumerate(scores):
        tenths[min(int(score * DECILES), DECILES - 1)].append(at)
    return [
        (
            len(tenth),
            sum(scores[at] for at in tenth) / max(1, len(tenth)),
            sum(truth[at] for at in tenth) / max(1, len(tenth)),
        )
        for tenth in tenths
    ]
