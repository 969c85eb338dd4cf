"""How telling a word is in the catalogue at hand: rare words decide, common ones do not."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from .tokens import terms

LEAST_DOCUMENTS = 2_000
"""A smaller catalogue counts as this large: thirty comps of one product must not make its name
look like a common word."""


class Catalogue:
    """Document frequencies of the terms of all texts that are being compared.

    `documents` is the number of texts, `frequency` how many of them hold a term.  Terms that are
    missing from `frequency` count as never seen, so a database may hand over only the terms asked.
    """

    def __init__(self, documents: int, frequency: Mapping[str, int]) -> None:
        self.documents = max(documents, LEAST_DOCUMENTS)
        self._frequency = frequency
        self._log = math.log(self.documents + 1)

    @classmethod
    def of(cls, texts: Iterable[str]) -> Catalogue:
        """Count the terms of these texts."""
        counts: Counter[str] = Counter()
        documents = 0
        for text in texts:
            counts.update(terms(text))
            documents += 1
        return cls(documents, counts)

    def rarity(self, token: str) -> float:
        """0 (in every text) to 1 (in one text at most): inverse document frequency over its most.

        log((N + 1) / max(df, 1)) / log(N + 1), so that catalogues of different size compare.
        """
        seen = max(self._frequency.get(token, 0), 1)
        return max(0.0, min(1.0, math.log((self.documents + 1) / seen) / self._log))
