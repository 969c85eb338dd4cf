"""The few numbers on which resale decisions turn: each named once, used by code, prompt and screen.

Relevance is the matching scorer's answer to "is this listing the same product?", 0 to 1.
"""

from __future__ import annotations

KEPT_RELEVANCE = 0.5
"""A listing at least this relevant stays in the dossier as included evidence (more likely than not
the same product); below it, it is shown as excluded."""

PRICED_RELEVANCE = 0.7
"""A listing at least this relevant may move a price. Higher than `KEPT_RELEVANCE` because one wrong
variant in three comps shifts a median, while one more kept listing only costs a line to read."""

CONFIDENT = 0.7
"""Confidence of the target price from which research stops refining (0 to 1, see
`pricing.bands.Band.confidence`): more likely than two to one to be within a quarter of the
price."""

MAX_ITERATIONS = 3
"""Searches (the first one and refinements) before what was found is persisted as it is."""

RECOMMENDED_EFFECT = 0.08
"""Effect, as a share of the target, from which a question is worthwhile: about a marketplace's fee.
"""

QUERIES_PER_SEARCH = 2
"""Queries of one search: at first the name as identified and the owner's title."""

SOLD_LISTINGS, ACTIVE_LISTINGS = 20, 10
"""Listings requested from each source for each query: sales say more about a price."""

WEAK_IDENTITY = 0.5
"""Most confidence of a naming that rests on a brand or a title, or of which a part is in no
evidence: listings of any model would count, so an interactive run asks the owner."""
