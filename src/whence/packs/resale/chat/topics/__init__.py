"""The topics about an item, one per file; of equal matches the first answers.

So specific topics come before general ones: "why is the price so low" asks why.
"""

from . import (
    all_items,
    comparables,
    comparison,
    condition,
    demand,
    draft,
    excluded,
    history,
    identification,
    missing,
    one_listing,
    outlook,
    photographs,
    price,
    selling,
    stated,
)

TOPICS = tuple(
    topic.TOPIC
    for topic in (
        all_items,
        draft,
        excluded,
        comparables,
        photographs,
        missing,
        demand,
        selling,
        condition,
        identification,
        price,
        history,
        stated,
        one_listing,
        outlook,
        comparison,
    )
)
