"""What a pack may import from whence: the manifest here, everything else in a module by topic.

access      who is acting
chat        conversations about a record
citations   how answers cite their sources
errors      what a pack may raise
evidence    claims and their checks
http        requests to outside systems
inbox       what waits for a person
imports     from files to records
jobs        background work of a pack
migrations  a pack's tables
pages       pages of a client that can be talked with
records     kinds of records, their tables and files, the audit log
research    flows, and what a node may do
routes      calls of a pack's own API
search      indexing and searching texts of a pack's own
skills      functions that a model carries out
sources     outside systems that a pack asks
tabular     reading tables
testing     running a flow, a chat turn and an import without a server
text        text from outside
tools       functions for flows, chat and the API
values      wire models, ids, the time
wizards     guided forms
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from whence.kernel.settings import Settings
    from whence.sdk.pack import (
        Check,
        Evaluation,
        ModelUse,
        Pack,
        ReportPart,
        Sample,
        Setup,
    )

__all__ = [
    "Check",
    "Evaluation",
    "ModelUse",
    "Pack",
    "ReportPart",
    "Sample",
    "Settings",
    "Setup",
]


def __getattr__(name: str) -> Any:
    """Load the manifest when it is used: it needs the whole engine, `whence.sdk.errors` does not.

    The process that reads photographs imports only modules of the SDK that it needs.
    """
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = "whence.kernel.settings" if name == "Settings" else "whence.sdk.pack"
    return getattr(importlib.import_module(module), name)
