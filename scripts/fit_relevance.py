"""Derive the relevance weights from labelled pairs: `python scripts/fit_relevance.py`.

One logistic model, one threshold, from three labelled sets that count the same, from changed copies
of their pairs, and from made-up pairs.  Each weight may only have the sign that its feature has by
its meaning (`SIGNS`).  The threshold is the middle of the stretch with the best mean F1 over the
sets; the slope that makes a score a probability is fitted on sets that were left out.

Prints leave-one-set-out, after exclusions, beside the final fit: fitted on two sets, threshold and
slope from those two, tested on the third.  Writes `matching/weights.json`.  Deterministic up to the
last digits.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from relevance_changes import changed, titles_only
from relevance_made_up import KINDS, made_up

from whence.packs.resale.evals.labelled import read_folder, read_pairs
from whence.packs.resale.evals.relevance import rates, reliability
from whence.packs.resale.matching.catalogue import Catalogue
from whence.packs.resale.matching.exclusions import exclusion
from whence.packs.resale.matching.features import FEATURES, SIGNS
from whence.packs.resale.matching.model import WEIGHTS
from whence.packs.resale.matching.scorer import Product, compared, read, text_of
from whence.packs.resale.records import Listing
from whence.packs.resale.thresholds import PRICED_RELEVANCE

Numbers = NDArray[np.float64]
Labelled = tuple[Product, Listing, bool]

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data" / "resale"
SETS = ("walmart_amazon", "amazon_google", "wdc_cameras")
SHARES = {"whole": 0.6, "titles only": 0.2, "changed": 0.2}
"""Weight of each version of a set's pairs; a set weighs 1000."""
MADE_UP_WEIGHT = 100
"""Weight of each kind of made-up pairs."""
MADE_UP_PAIRS = 900
COPIED = 4_000
"""Most pairs of a set that are copied."""
RIDGE = 1.0
"""Penalty on squared weights of standardised features."""
GRID = np.arange(-6.0, 5.0, 0.1)
"""Log odds that are tried as threshold."""
STEADY = 6
"""Steps of the grid to either side over which F1 is averaged when the threshold is chosen."""
SLOPES = np.arange(0.3, 2.01, 0.01)
FAR = 8.0
"""Log odds beyond this count as this much when the slope is fitted: a wrong label is no proof."""


@dataclass(frozen=True)
class Rows:
    """Pairs as rows of features, with their labels, and which an exclusion leaves out."""

    rows: Numbers
    match: Numbers
    excluded: NDArray[np.bool_]


@dataclass(frozen=True)
class Model:
    weights: Numbers
    intercept: float
    kept_at: float = 0.0
    slope: float = 1.0

    def odds(self, pairs: Rows) -> Numbers:
        return pairs.rows @ self.weights + self.intercept

    def scores(self, pairs: Rows) -> Numbers:
        return 1 / (1 + np.exp(-self.slope * (self.odds(pairs) - self.kept_at)))


def rows_of(pairs: Iterable[Labelled], catalogue: Catalogue) -> Rows:
    rows: list[tuple[float, ...]] = []
    match: list[float] = []
    excluded: list[bool] = []
    for product, listing, is_match in pairs:
        wanted, offered = read(product, catalogue), read(listing, catalogue)
        rows.append(compared(product, wanted, listing, offered).row)
        match.append(float(is_match))
        excluded.append(exclusion(product.title, listing.title) is not None)
    return Rows(np.array(rows), np.array(match), np.array(excluded))


def read_set(data: Path, name: str) -> tuple[dict[str, Rows], Rows]:
    """The versions of a set to fit on, and its test pairs.  Only the largest set has splits: the
    others are tested on the pairs that a final fit sees, and left out of the fit they test."""
    folder = read_folder(data / name)
    catalogue = Catalogue.of(
        [*map(text_of, folder.items.values()), *map(text_of, folder.listings.values())]
    )

    def labelled(splits: Sequence[str]) -> list[Labelled]:
        pairs = [pair for split in splits for pair in read_pairs(data / name, split, folder)]
        return [(folder.items[p.item], folder.listings[p.listing], p.match) for p in pairs]

    rng = random.Random(name)
    whole = labelled(("train", "valid") if name == "walmart_amazon" else ("test",))
    copied = whole if len(whole) <= COPIED else rng.sample(whole, COPIED)
    versions = {
        "whole": rows_of(whole, catalogue),
        "titles only": rows_of(((*titles_only(p, o), m) for p, o, m in copied), catalogue),
        "changed": rows_of(((*changed(p, o, rng), m) for p, o, m in copied), catalogue),
    }
    return versions, rows_of(labelled(("test",)), catalogue)


def read_made_up() -> list[Rows]:
    kinds: list[Rows] = []
    for kind in KINDS:
        pairs = list(made_up(kind, MADE_UP_PAIRS))
        texts = (text for p, o, _ in pairs for text in (text_of(p), text_of(o)))
        kinds.append(rows_of(pairs, Catalogue.of(texts)))
    return kinds


def fit(sets: Sequence[dict[str, Rows]], extra: Sequence[Rows]) -> Model:
    """Ridge logistic regression under `SIGNS` by projected Newton steps."""
    parts = [(s[version], 1000 * share) for s in sets for version, share in SHARES.items()]
    parts += [(kind, MADE_UP_WEIGHT) for kind in extra]
    rows = np.vstack([part.rows for part, _ in parts])
    match = np.concatenate([part.match for part, _ in parts])
    weight = np.concatenate([np.full(len(p.match), total / len(p.match)) for p, total in parts])
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
    return Model(raw, float(beta[-1] - raw @ centre))


def f1_at(odds: Numbers, pairs: Rows, threshold: float) -> float:
    """F1 when pairs at or above the threshold that no exclusion leaves out are called matches."""
    kept = (odds >= threshold) & ~pairs.excluded
    return 2 * float((kept * pairs.match).sum()) / float(kept.sum() + pairs.match.sum())


def steady_threshold(model: Model, sets: Sequence[dict[str, Rows]]) -> float:
    """The log odds with the best mean F1 over the sets within `STEADY` steps to either side.

    The single best point follows the accidents of the sets it was chosen on.
    """
    parts = [(model.odds(s[name]), s[name]) for s in sets for name in ("whole", "changed")]
    means = [np.mean([f1_at(odds, pairs, at) for odds, pairs in parts]) for at in GRID]
    around = np.convolve(means, np.full(2 * STEADY + 1, 1 / (2 * STEADY + 1)), "valid")
    return float(GRID[STEADY + int(np.argmax(around))])


def decided(sets: Sequence[dict[str, Rows]], extra: Sequence[Rows]) -> Model:
    """A fitted model with its threshold."""
    model = fit(sets, extra)
    return Model(model.weights, model.intercept, steady_threshold(model, sets))


def derive(sets: Sequence[dict[str, Rows]], extra: Sequence[Rows]) -> Model:
    """A fitted model with threshold and slope: the slope is the likeliest one for the distances
    from the threshold when each set is scored by a model that was derived without it."""
    model = decided(sets, extra)
    loss = np.zeros(len(SLOPES))
    for at, left_out in enumerate(sets):
        other = decided([s for k, s in enumerate(sets) if k != at], extra)
        for pairs in (left_out["whole"], left_out["changed"]):
            distance = np.clip(other.odds(pairs) - other.kept_at, -FAR, FAR)
            for k, slope in enumerate(SLOPES):
                z = slope * distance
                loss[k] += float((np.logaddexp(0, z) - pairs.match * z).mean())
    slope = float(SLOPES[int(np.argmin(loss))])
    return Model(model.weights, model.intercept, model.kept_at, slope)


def show(name: str, model: Model, pairs: Rows) -> float:
    """Print F1, precision, recall, the best F1 of any threshold, calibration error; give F1."""
    scores = model.scores(pairs)
    truth = [bool(match) for match in pairs.match]

    def rates_at(least: float) -> tuple[float, float, float]:
        return rates(truth, [bool(kept) for kept in (scores >= least) & ~pairs.excluded])

    f1, precision, recall = rates_at(0.5)
    priced = rates_at(PRICED_RELEVANCE)[1]
    odds = model.odds(pairs)
    best = max(f1_at(odds, pairs, at) for at in GRID)
    tenths = reliability(truth, [float(score) for score in scores])
    error = sum(count * abs(mean - share) for count, mean, share in tenths) / len(truth)
    print(
        f"  {name:16s} F1 {f1:.3f}  P {precision:.3f}  R {recall:.3f}  best threshold {best:.3f}"
        f"  P at {PRICED_RELEVANCE} {priced:.3f}  calibration error {error:.3f}"
    )
    shown = "  ".join(f"{share:.2f} ({count})" for count, _, share in tenths)
    print(f"  {'':16s} matches by tenth of the score: {shown}")
    return f1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=SHARED)
    parser.add_argument("--write", type=Path, default=WEIGHTS)
    options = parser.parse_args()
    sets = {name: read_set(options.data, name) for name in SETS}
    extra = read_made_up()
    print("leave one set out")
    left_out = [
        show(name, derive([s for other, (s, _) in sets.items() if other != name], extra), test)
        for name, (_, test) in sets.items()
    ]
    print(f"  mean F1 {sum(left_out) / len(left_out):.3f}")
    print("leave the made-up kinds out")
    real = [versions for versions, _ in sets.values()]
    for kind, pairs in zip(KINDS, extra, strict=True):
        show(kind, derive(real, [other for other in extra if other is not pairs]), pairs)
    model = derive(real, extra)
    print("final fit (amazon_google and wdc_cameras were seen)")
    for name, (_, test) in sets.items():
        show(name, model, test)
    for name, value in sorted(
        zip(FEATURES, model.weights, strict=True), key=lambda pair: -abs(pair[1])
    ):
        print(f"  {name:18s} {value:+.3f}")
    written = {
        "generated_by": "python scripts/fit_relevance.py",
        "features": list(FEATURES),
        "weights": [round(float(w), 6) + 0.0 for w in model.weights],
        "intercept": round(model.intercept, 6),
        "kept_at": round(model.kept_at, 6),
        "slope": round(model.slope, 6),
    }
    options.write.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
