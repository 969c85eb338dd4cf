"""A test kit: a flow and a chat turn run in memory; an import runs on a throwaway database.

    result = await run_flow(PACK, RESEARCH, Note(title="A", text="two words"))
    answer = answer_by_rules(CHAT, result.record_view(), "How long is it?")
    async with installation(PACK) as installed:
        report = await installed.run_import("notes", path)

Nothing here needs a server, a worker or a queue, so evaluations use it as tests do.
"""

from whence.sdk.testing.answers import answer_by_rules
from whence.sdk.testing.flows import FlowResult, run_flow
from whence.sdk.testing.installation import Installation, MigrationsFail, installation
from whence.sdk.testing.loading import load_pack
from whence.sdk.testing.memory import MemoryRun, NeedsDatabase, no_unit

__all__ = [
    "FlowResult",
    "Installation",
    "MemoryRun",
    "MigrationsFail",
    "NeedsDatabase",
    "answer_by_rules",
    "installation",
    "load_pack",
    "no_unit",
    "run_flow",
]
