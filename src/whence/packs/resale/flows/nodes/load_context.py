"""Loads the item and stores it as evidence: the owner's statements are the starting point."""

from __future__ import annotations

from whence.packs.resale.flows.refreshing import take_over
from whence.packs.resale.flows.state import RECORD, ResearchState, Update
from whence.packs.resale.library.tables import ItemRow
from whence.packs.resale.records import Item
from whence.sdk.errors import NotReady
from whence.sdk.evidence import Finding, Judgement
from whence.sdk.research import RunContext, node
from whence.sdk.values import now


@node(title="Read the item")
async def load_context(state: ResearchState, run: RunContext) -> Update:
    """Raises NotReady for an item that cannot be researched, or refreshed as it is now.

    A price refresh takes over the identification from the earlier research.
    """
    row = await run.subject()
    item = item_of(row, run)
    if reason := run.subject_kind.not_ready(item):
        raise NotReady(f"Item not ready for research: {reason}")
    [evidence_id] = await run.keep([record_finding(item, str(row.id))])
    await run.judge([Judgement(evidence_id, RECORD, included=True, reason="the owner's record")])
    carried_over = await take_over(run, item) if run.run_type.builds_on_earlier else {}
    return {
        "subject_version": row.version,
        "as_of": now().isoformat(),
        "iteration": 0,
        "queries": [],
        "sources": [],
        "fallbacks": [],
        **carried_over,
    }


def record_finding(item: Item, source_id: str) -> Finding:
    """The owner's statements, as evidence."""
    stated = [
        ("Brand", item.brand),
        ("Model", item.model),
        ("Part number", item.mpn),
        ("GTIN", item.gtin),
        ("Condition", item.condition),
        ("Category", item.category),
        *item.attributes.items(),
    ]
    lines = [item.title, item.description, *(f"{name}: {value}" for name, value in stated if value)]
    return Finding(
        source="record",
        source_id=source_id,
        title=item.title,
        content="\n".join(line for line in lines if line),
        data=item.model_dump(mode="json"),
    )


async def load_item(run: RunContext) -> Item:
    """The current item."""
    return item_of(await run.subject(), run)


def item_of(row: object, run: RunContext) -> Item:
    """The typed record of a row."""
    assert isinstance(row, ItemRow)
    item = run.subject_kind.parse(row)
    assert isinstance(item, Item)
    return item
