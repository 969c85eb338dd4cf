"""A classifier of short texts: logistic regression over words and letters in a row.

It learns from labelled examples when it is first asked: a few hundred take a fraction of a second,
so nothing learned is stored and a pack's new example counts at the next start.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]

WIDTH = 1 << 13
"""Columns that features share by their hash."""
LETTERS = (2, 3, 4)
WORDS = (1, 2, 3)
STEPS = 300
REGULARIZATION = 0.0003
"""Chosen by 5-fold cross-validation over the examples."""


def features(text: str, flags: Iterable[str] = ()) -> set[str]:
    """Words and letters in a row of a text in lower case, and what else is known of it."""
    words = ["^", *text.split(), "$"]
    rows = {" ".join(words[at : at + n]) for n in WORDS for at in range(len(words) - n + 1)}
    padded = f" {text} "
    letters = {f"#{padded[at : at + n]}" for n in LETTERS for at in range(len(padded) - n + 1)}
    return rows | letters | {f"!{flag}" for flag in flags}


class Classifier:
    """Learns labels from examples of features."""

    def __init__(
        self, examples: Sequence[tuple[set[str], str]], regularization: float = REGULARIZATION
    ) -> None:
        import numpy as np

        self.labels = sorted({label for _, label in examples})
        rows = np.stack([self._row(each) for each, _ in examples])
        wanted = np.zeros((len(examples), len(self.labels)), np.float32)
        for at, (_, label) in enumerate(examples):
            wanted[at, self.labels.index(label)] = 1
        # In the dual form: one weight an example and label, so that a step costs little.
        products = rows @ rows.T
        dual = np.zeros_like(wanted)
        largest = float(products.sum(1).max())  # no eigenvalue is larger, as no product is negative
        step = 1 / (0.5 * largest / len(examples) + regularization)
        ahead, momentum = dual, 1.0
        for _ in range(STEPS):
            scores = products @ ahead
            scores -= scores.max(1, keepdims=True)
            share = np.exp(scores)
            share /= share.sum(1, keepdims=True)
            moved = ahead - step * ((share - wanted) / len(examples) + regularization * ahead)
            following = (1 + (1 + 4 * momentum**2) ** 0.5) / 2
            ahead = moved + (momentum - 1) / following * (moved - dual)
            dual, momentum = moved, following
        self._weights: Matrix = rows.T @ dual

    def probabilities(self, each: set[str]) -> Mapping[str, float]:
        """The probability of each label, 0 to 1."""
        import numpy as np

        scores = self._row(each) @ self._weights
        share = np.exp(scores - scores.max())
        return dict(zip(self.labels, map(float, share / share.sum()), strict=True))

    def _row(self, each: set[str]) -> Any:
        import numpy as np

        row = np.zeros(WIDTH, np.float32)
        for feature in each:
            weight = FLAG_WEIGHT if feature[:1] == "!" else 1.0
            row[zlib.crc32(feature.encode()) % WIDTH] += weight
        return row / (np.linalg.norm(row) or 1)


FLAG_WEIGHT = 3.0
"""A flag says more than one of the hundred pieces of a sentence."""
