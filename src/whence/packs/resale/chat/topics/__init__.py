"""What can be asked about an item, one topic a file; of equals the first answers.

So the narrow topics come before the wide ones: "why is the price so low" asks why.
"""

from . import (
    comparables,
    condition,
    demand,
    excluded,
    history,
    identification,
    missing,
    photographs,
    price,
    selling,
)

TOPICS = tuple(
    topic.TOPIC
    for topic in (
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
    )
)
