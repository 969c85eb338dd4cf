"""Leave: which of three laws gives time off, how much, and what follows when."""

from __future__ import annotations

from pathlib import Path

from whence.sdk import Pack, Sample

from .chat.offer import CHAT
from .evals import EVALUATIONS
from .flows.research import RESEARCH
from .imports import REQUEST_IMPORT
from .kind import REQUESTS
from .pages import PAGES
from .report import report
from .show import show
from .tools import TOOLS
from .wizard.definition import REQUEST

FOLDER = Path(__file__).parent

PACK = Pack(
    id="leave",
    title="Leave",
    folder=FOLDER,
    subjects=[REQUESTS],
    flows=[RESEARCH],
    importers=[REQUEST_IMPORT],
    chats=[CHAT],
    pages=PAGES,
    tools=TOOLS,
    wizards=[REQUEST],
    evals=EVALUATIONS,
    show=show,
    report=report,
    sample=Sample(
        folder=FOLDER / "sample",
        imports=(("requests", "requests.jsonl"),),
        subject=("leave-requests", "LR-001"),
    ),
)
