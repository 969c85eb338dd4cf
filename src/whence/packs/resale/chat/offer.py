"""The chat about items."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from whence.packs.resale.pricing.demand import PERIOD_DAYS
from whence.sdk.chat import AskedRunType, Chat, Suggested

from .basis import researched_at
from .editable import EDITABLE
from .topics import TOPICS
from .topics.stated import in_its_own_words

CHAT = Chat(
    kind="items",
    prompt=Path(__file__).parent.parent / "prompts" / "chat.md",
    topics=TOPICS,
    editable=EDITABLE,
    amount_field="default_price",
    facts_field="description",
    examples=(Path(__file__).parent / "examples.jsonl",),
    topic_examples=(Path(__file__).parent / "topic_examples.jsonl",),
    topics_by_words=True,
    stale_after=timedelta(days=PERIOD_DAYS // 3),
    researched_at=researched_at,
    run_types=(
        AskedRunType(
            "pricing_refresh",
            "a refresh of the price",
            words=(r"\bpric(?:e|es|ing)\b", r"\bcomp(?:s|arables?)\b", r"\b(?:worth|value)\b"),
            unless=(
                r"\b(?:identif\w*|what it is|photo\w*|pictures?|images?|barcodes?|brand|model)\b",
                r"\b(?:everything|all of it|from scratch|complete(?:ly)?|full(?:y)?|whole)\b",
            ),
        ),
    ),
    suggested=(
        Suggested(
            "suggest_price",
            "Propose the researched target, floor or ceiling as the asking price, with its claims, "
            "if the person wants the price that research found.",
            "default_price",
        ),
    ),
    otherwise=in_its_own_words,
    tools=("search_listings", "lookup_gtin", "net_proceeds", "compare_price"),
)
"""Research is stale after a third of the demand window: by then a third of the sales it is based on
are out of the window."""
