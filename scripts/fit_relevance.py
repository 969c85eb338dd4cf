"""Derive the relevance weights from labelled pairs: `python scripts/fit_relevance.py`.

One logistic model, one threshold, from three labelled sets that count the same.  Two things make it
carry over to catalogues it has never seen: each weight may only have the sign that its feature has
by its meaning (`SIGNS`), and a quarter of each set's weight lies on its pairs with the prices
hidden.  The threshold is the middle of the stretch with the best mean F1 over the sets.

Prints leave-one-set-out (fitted on two sets, threshold from those two, tested on the third) beside
the final fit, and writes `matching/weights.json`.  Deterministic.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from whence.packs.resale.evals.labelled import LabelledFolder, read_folder, read_pairs
from whence.packs.resale.matching.catalogue import Catalogue
from whence.packs.resale.matching.features import FEATURES, SIGNS
from whence.packs.resale.matching.model import WEIGHTS
from whence.packs.resale.matching.scorer import compared, read, text_of

Numbers = NDArray[np.float64]

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data" / "resale"
RIDGE = 1.0
"""Penalty on squared weights of standardised features; each set weighs 1000."""
HIDDEN_PRICES = 0.25
"""Share of a set's weight on its pairs without prices: a new catalogue may have none."""
STEADY = 0.6
"""Log odds to either side of the threshold over which F1 is averaged when it is chosen."""
STEP = 0.1
"""Log odds between two thresholds tried."""
PRICED_PRECISION = 0.87
"""A score of 0.7 is set where at most one kept pair in eight is wrong over the three sets.
Stricter, at one in ten, fewer than four of five priced items of `walmart_amazon` get a band."""


@dataclass(frozen=True)
class Labelled:
    """The pairs of one set as rows of features, with and without prices."""

    name: str
    rows: Numbers
    unpriced: Numbers
    match: Numbers


def whole(folder: LabelledFolder) -> LabelledFolder:
    return folder


def titles_only(folder: LabelledFolder) -> LabelledFolder:
    """The same folder with nothing but titles, as many web offers are."""
    bare = {"brand": None, "model": None, "price": None, "description": ""}
    return LabelledFolder(
        {k: replace(v, **bare) for k, v in folder.items.items()},
        {k: v.model_copy(update=bare) for k, v in folder.listings.items()},
    )


def labelled(
    data: Path,
    splits: Sequence[str],
    name: str,
    change: Callable[[LabelledFolder], LabelledFolder] = whole,
) -> Labelled:
    given = read_folder(data)
    pairs = [pair for split in splits for pair in read_pairs(data, split, given)]
    folder = change(given)
    catalogue = Catalogue.of(
        [*map(text_of, folder.items.values()), *map(text_of, folder.listings.values())]
    )
    items = {k: read(v, catalogue) for k, v in folder.items.items()}
    listings = {k: read(v, catalogue) for k, v in folder.listings.items()}
    rows: list[tuple[float, ...]] = []
    unpriced: list[tuple[float, ...]] = []
    for pair in pairs:
        item, listing = folder.items[pair.item], folder.listings[pair.listing]
        mine, theirs = items[pair.item], listings[pair.listing]
        rows.append(compared(item, mine, listing, theirs).row)
        unpriced.append(compared(replace(item, price=None), mine, listing, theirs).row)
    match = np.array([float(pair.match) for pair in pairs])
    return Labelled(name, np.array(rows), np.array(unpriced), match)


def fit(sets: Sequence[Labelled]) -> tuple[Numbers, float]:
    """Ridge logistic regression under `SIGNS` by projected Newton steps; raw weights, intercept."""
    rows = np.vstack([part for s in sets for part in (s.rows, s.unpriced)])
    match = np.concatenate([s.match for s in sets for _ in range(2)])
    weight = np.concatenate(
        [
            np.full(len(s.match), 1000 * share / len(s.match))
            for s in sets
            for share in (1 - HIDDEN_PRICES, HIDDEN_PRICES)
        ]
    )
    centre, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    x = np.column_stack([(rows - centre) / spread, np.ones(len(rows))])
    sign = np.array([*SIGNS, 0])
    ridge = np.array([RIDGE] * len(SIGNS) + [0.0])

    def allowed(beta: Numbers) -> Numbers:
        return np.where(sign * beta < 0, 0.0, beta)

    def loss(beta: Numbers) -> float:
        z = x @ beta
        return float(
            (weight * (np.logaddexp(0, z) - match * z)).sum() + (ridge * beta**2).sum() / 2
        )

    beta = np.zeros(x.shape[1])
    for _ in range(200):
        chance = 1 / (1 + np.exp(-(x @ beta)))
        gradient = x.T @ (weight * (chance - match)) + ridge * beta
        bound = (sign != 0) & (np.abs(beta) < 1e-12) & (sign * gradient > 0)
        free = ~bound
        curvature = (x[:, free] * (weight * chance * (1 - chance))[:, None]).T @ x[:, free]
        step = np.zeros_like(beta)
        step[free] = np.linalg.solve(curvature + np.diag(ridge[free] + 1e-6), gradient[free])
        now, length = loss(beta), 1.0
        while length > 1e-6 and loss(allowed(beta - length * step)) > now:
            length /= 2
        moved = allowed(beta - length * step)
        if np.abs(moved - beta).max() < 1e-9 or length <= 1e-6:
            break
        beta = moved
    raw = beta[:-1] / spread
    return raw, float(beta[-1] - raw @ centre)


def f1_at(odds: Numbers, match: Numbers, threshold: float) -> tuple[float, float, float]:
    """F1, precision and recall when pairs at or above the threshold are called matches."""
    said = odds >= threshold
    right = float((said * match).sum())
    return (
        2 * right / (said.sum() + match.sum()),
        right / max(float(said.sum()), 1.0),
        right / float(match.sum()),
    )


def best_threshold(parts: Sequence[tuple[Numbers, Numbers]]) -> float:
    """The log odds with the best mean F1 over the parts, among 600 quantiles of all scores."""
    every = np.concatenate([odds for odds, _ in parts])
    tried = np.unique(np.quantile(every, np.linspace(0.4, 0.998, 600)))
    means = [np.mean([f1_at(odds, match, float(t))[0] for odds, match in parts]) for t in tried]
    return float(tried[int(np.argmax(means))])


def steady_threshold(parts: Sequence[tuple[Numbers, Numbers]]) -> float:
    """The log odds with the best mean F1 over the parts within `STEADY` to either side.

    The single best point follows the accidents of the sets it was chosen on.
    """
    grid = np.arange(-8.0, 6.0, STEP)
    means = np.array([np.mean([f1_at(o, m, float(t))[0] for o, m in parts]) for t in grid])
    half = round(STEADY / STEP)
    around = np.convolve(means, np.full(2 * half + 1, 1 / (2 * half + 1)), "valid")
    return float(grid[half + int(np.argmax(around))])


def precise_point(parts: Sequence[tuple[Numbers, Numbers]], kept_at: float) -> float:
    """The least log odds above the threshold with a mean precision of `PRICED_PRECISION`."""
    for at in np.arange(kept_at + 0.5, kept_at + 8, 0.05):
        if np.mean([f1_at(odds, match, float(at))[1] for odds, match in parts]) >= PRICED_PRECISION:
            return float(at)
    return kept_at + 2.0


def derive(sets: Sequence[Labelled]) -> tuple[Numbers, float, float, float]:
    """Weights, intercept, and the log odds of the scores 0.5 and 0.7."""
    raw, intercept = fit(sets)
    parts = [(p @ raw + intercept, s.match) for s in sets for p in (s.rows, s.unpriced)]
    kept_at = steady_threshold(parts)
    return raw, intercept, kept_at, precise_point(parts, kept_at)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=SHARED)
    parser.add_argument("--write", type=Path, default=WEIGHTS)
    options = parser.parse_args()
    walmart = options.data / "walmart_amazon"
    amazon, cameras = options.data / "amazon_google", options.data / "wdc_cameras"
    train = [
        labelled(walmart, ("train", "valid"), "walmart_amazon"),
        labelled(amazon, ("test",), "amazon_google"),
        labelled(cameras, ("test",), "wdc_cameras"),
    ]
    tests = [labelled(walmart, ("test",), "walmart_amazon"), *train[1:]]
    bare = [
        labelled(walmart, ("test",), "walmart_amazon", titles_only),
        labelled(amazon, ("test",), "amazon_google", titles_only),
        None,
    ]
    print("leave one set out      F1     P      R   | best threshold | no prices | titles only")
    left_out: list[float] = []
    for at, (test, stripped) in enumerate(zip(tests, bare, strict=True)):
        raw, intercept, kept_at, _ = derive([s for k, s in enumerate(train) if k != at])
        odds = test.rows @ raw + intercept
        f1, precision, recall = f1_at(odds, test.match, kept_at)
        best = f1_at(odds, test.match, best_threshold([(odds, test.match)]))[0]
        priceless = f1_at(test.unpriced @ raw + intercept, test.match, kept_at)[0]
        titles = (
            priceless
            if stripped is None
            else f1_at(stripped.rows @ raw + intercept, stripped.match, kept_at)[0]
        )
        left_out.append(f1)
        print(
            f"  {test.name:18s} {f1:.3f}  {precision:.3f}  {recall:.3f} |     {best:.3f}      |"
            f"   {priceless:.3f}   |   {titles:.3f}"
        )
    print(f"  mean               {sum(left_out) / len(left_out):.3f}")
    raw, intercept, kept_at, priced_at = derive(train)
    print("final fit              F1     P      R")
    for test in tests:
        f1, precision, recall = f1_at(test.rows @ raw + intercept, test.match, kept_at)
        seen = "" if test.name == "walmart_amazon" else "  (seen while fitting)"
        print(f"  {test.name:18s} {f1:.3f}  {precision:.3f}  {recall:.3f}{seen}")
    for name, value in sorted(zip(FEATURES, raw, strict=True), key=lambda pair: -abs(pair[1])):
        print(f"  {name:18s} {value:+.3f}")
    written = {
        "generated_by": "python scripts/fit_relevance.py",
        "features": list(FEATURES),
        "weights": [round(float(w), 6) + 0.0 for w in raw],
        "intercept": round(intercept, 6),
        "kept_at": round(kept_at, 6),
        "priced_at": round(priced_at, 6),
    }
    options.write.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
