"""Derive the relevance weights from labelled pairs: `python scripts/fit_relevance.py`.

Fits one logistic model and one threshold on three labelled sets (each set counts the same), and
prints leave-one-set-out beside the final fit: fitted on two sets, threshold from those two, tested
on the third.  Writes `matching/weights.json`.  Deterministic.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from whence.packs.resale.evals.labelled import read_folder, read_pairs
from whence.packs.resale.matching.catalogue import Catalogue
from whence.packs.resale.matching.features import FEATURES
from whence.packs.resale.matching.model import WEIGHTS
from whence.packs.resale.matching.profile import profile
from whence.packs.resale.matching.scorer import compared, identity, text_of

Numbers = NDArray[np.float64]

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data" / "resale"
RIDGE = 0.02
"""Penalty per feature (unit variance), per unit of total weight 1000 a set."""
PRICED_PRECISION = 0.9
"""A score of 0.7 is set where at most one kept pair in ten is wrong, over the three sets."""


@dataclass(frozen=True)
class Labelled:
    """The rows of one labelled set; `weight` sums to 1000 whatever its size."""

    name: str
    rows: Numbers
    match: Numbers

    @property
    def weight(self) -> Numbers:
        return np.full(len(self.match), 1000 / len(self.match))


def labelled(data: Path, splits: Sequence[str], name: str) -> Labelled:
    folder = read_folder(data)
    catalogue = Catalogue.of(
        [*map(text_of, folder.items.values()), *map(text_of, folder.listings.values())]
    )
    items = {k: profile(v.title, catalogue, identity(v)) for k, v in folder.items.items()}
    listings = {k: profile(v.title, catalogue, identity(v)) for k, v in folder.listings.items()}
    pairs = [pair for split in splits for pair in read_pairs(data, split, folder)]
    rows = [
        compared(
            folder.items[p.item], items[p.item], folder.listings[p.listing], listings[p.listing]
        ).row
        for p in pairs
    ]
    return Labelled(name, np.array(rows), np.array([float(p.match) for p in pairs]))


def fit(sets: Sequence[Labelled]) -> tuple[Numbers, float]:
    """Ridge logistic regression by Newton's method; weights on the raw features and intercept."""
    rows = np.vstack([s.rows for s in sets])
    match = np.concatenate([s.match for s in sets])
    weight = np.concatenate([s.weight for s in sets])
    centre = np.average(rows, axis=0, weights=weight)
    spread = np.sqrt(np.average((rows - centre) ** 2, axis=0, weights=weight)) + 1e-9
    x = np.column_stack([(rows - centre) / spread, np.ones(len(rows))])
    beta = np.zeros(x.shape[1])
    penalty = np.full(x.shape[1], RIDGE * 1000)
    penalty[-1] = 0.0
    for _ in range(50):
        chance = 1 / (1 + np.exp(-np.clip(x @ beta, -30, 30)))
        gradient = x.T @ (weight * (chance - match)) + penalty * beta
        curvature = (x * (weight * chance * (1 - chance))[:, None]).T @ x + np.diag(penalty + 1e-9)
        step = np.linalg.solve(curvature, gradient)
        beta -= step
        if np.abs(step).max() < 1e-9:
            break
    raw = beta[:-1] / spread
    return raw, float(beta[-1] - raw @ centre)


def best_threshold(odds: Numbers, match: Numbers, weight: Numbers) -> float:
    """The log odds with the best weighted F1, midway to the next lower pair."""
    order = np.argsort(-odds, kind="stable")
    right = np.cumsum((match * weight)[order])
    f1 = 2 * right / (np.cumsum(weight[order]) + right[-1])
    at = int(f1.argmax())
    return float((odds[order][at] + odds[order][min(at + 1, len(order) - 1)]) / 2)


def precise_point(odds: Numbers, match: Numbers, weight: Numbers, kept_at: float) -> float:
    """The lowest log odds above the threshold where the pairs at or above it are 90 % right."""
    order = np.argsort(-odds, kind="stable")
    precision = np.cumsum((match * weight)[order]) / np.cumsum(weight[order])
    good = np.flatnonzero(precision >= PRICED_PRECISION)
    return max(float(odds[order][good[-1]]) if len(good) else kept_at + 2, kept_at + 0.5)


def f1_at(odds: Numbers, match: Numbers, threshold: float) -> tuple[float, float, float]:
    said = odds >= threshold
    right = float((said * match).sum())
    precision, recall = right / max(said.sum(), 1), right / match.sum()
    return 2 * right / (said.sum() + match.sum()), precision, recall


def derive(sets: Sequence[Labelled]) -> tuple[Numbers, float, float, float]:
    raw, intercept = fit(sets)
    odds = np.concatenate([s.rows @ raw + intercept for s in sets])
    match = np.concatenate([s.match for s in sets])
    weight = np.concatenate([s.weight for s in sets])
    kept_at = best_threshold(odds, match, weight)
    return raw, intercept, kept_at, precise_point(odds, match, weight, kept_at)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=SHARED)
    parser.add_argument("--write", type=Path, default=WEIGHTS)
    options = parser.parse_args()
    walmart = options.data / "walmart_amazon"
    train = [
        labelled(walmart, ("train", "valid"), "walmart_amazon"),
        labelled(options.data / "amazon_google", ("test",), "amazon_google"),
        labelled(options.data / "wdc_cameras", ("test",), "wdc_cameras"),
    ]
    tests = [labelled(walmart, ("test",), "walmart_amazon"), *train[1:]]
    print("leave one set out      F1     P      R      (best threshold of that set)")
    left_out: list[float] = []
    for at, test in enumerate(tests):
        raw, intercept, kept_at, _ = derive([s for k, s in enumerate(train) if k != at])
        odds = test.rows @ raw + intercept
        f1, precision, recall = f1_at(odds, test.match, kept_at)
        best = f1_at(odds, test.match, best_threshold(odds, test.match, test.weight))[0]
        left_out.append(f1)
        print(f"  {test.name:18s} {f1:.3f}  {precision:.3f}  {recall:.3f}  ({best:.3f})")
    print(f"  mean               {sum(left_out) / len(left_out):.3f}")
    raw, intercept, kept_at, priced_at = derive(train)
    print("final fit              F1     P      R")
    for test in tests:
        f1, precision, recall = f1_at(test.rows @ raw + intercept, test.match, kept_at)
        seen = "" if test.name == "walmart_amazon" else "  (seen while fitting)"
        print(f"  {test.name:18s} {f1:.3f}  {precision:.3f}  {recall:.3f}{seen}")
    written = {
        "features": list(FEATURES),
        "weights": [round(float(w), 6) for w in raw],
        "intercept": round(intercept, 6),
        "kept_at": round(kept_at, 6),
        "priced_at": round(priced_at, 6),
    }
    options.write.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
