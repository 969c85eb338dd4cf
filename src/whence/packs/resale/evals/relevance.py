"""resale.relevance: whether the scorer separates an item's listings from those of similar items."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from whence.packs.resale.matching.catalogue import Catalogue
from whence.packs.resale.matching.scorer import THRESHOLD, score_all, text_of

from .labelled import LabelledFolder, Pair, read_folder, read_pairs


@dataclass(frozen=True)
class RelevanceReport:
    """The quality of the decisions; every rate is 0 to 1."""

    f1: float
    precision: float
    recall: float
    threshold: float
    """The score from which a pair counts as a match; the same for every catalogue."""
    n: int
    """Labelled pairs."""


def relevance(data: Path) -> RelevanceReport:
    """Score `pairs.test.jsonl` of a folder; labels are used only to count correct decisions.

    Raises:
        Invalid: a file is missing or a line malformed (names the file and the line).
    """
    folder = read_folder(data)
    pairs = read_pairs(data, "test", folder)
    scores = scores_of(folder, pairs)
    return report([p.match for p in pairs], [score >= THRESHOLD for score in scores])


def scores_of(folder: LabelledFolder, pairs: Sequence[Pair]) -> list[float]:
    """The score of each pair, in order; the whole folder is the catalogue."""
    catalogue = Catalogue.of(
        [*map(text_of, folder.items.values()), *map(text_of, folder.listings.values())]
    )
    score_by_pair: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for pair in pairs:
        score_by_pair[pair.item][pair.listing] = 0.0
    for item, wanted in score_by_pair.items():
        listings = [folder.listings[ident] for ident in wanted]
        relevances = score_all(folder.items[item], listings, catalogue)
        score_by_pair[item] = dict(zip(wanted, (one.score for one in relevances), strict=True))
    return [score_by_pair[pair.item][pair.listing] for pair in pairs]


def report(truth: Sequence[bool], predicted: Sequence[bool]) -> RelevanceReport:
    """Count correct and wrong decisions."""
    right = sum(t and s for t, s in zip(truth, predicted, strict=True))
    precision = right / sum(predicted) if any(predicted) else 0.0
    recall = right / sum(truth) if any(truth) else 0.0
    f1 = 2 * precision * recall / (precision + recall) if right else 0.0
    return RelevanceReport(f1, precision, recall, THRESHOLD, len(truth))
