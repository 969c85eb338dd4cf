"""How often research concludes what people have labelled."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from whence.sdk.testing import run_flow

from .flow import RESEARCH
from .kind import BLANK_RECORDS
from .records import BlankRecord
from .tools import count_blank_pack_words


def words(data: Path) -> dict[str, float | int | str]:
    """Run the whole flow in memory on each labelled text."""
    lines = (data / "labelled.jsonl").read_text(encoding="utf-8").splitlines()
    return asyncio.run(_words([json.loads(line) for line in lines]))


async def _words(labelled: list[dict[str, object]]) -> dict[str, float | int | str]:
    right = 0
    for row in labelled:
        record = BlankRecord(title="Labelled", text=str(row["text"]))
        result = await run_flow(BLANK_RECORDS, RESEARCH, record, tools=[count_blank_pack_words])
        right += result.dossier.body == {"words": row["words"]}
    return {"right": right, "n": len(labelled)}
