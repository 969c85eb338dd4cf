"""The parts of the engine that turns use, passed in by `app.build`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.language.intents import classifier_for
from whence.chat.language.topics import topic_classifier_for
from whence.chat.model.ledger import Allowance
from whence.chat.offer import Chat
from whence.chat.pages.catalog import Pages
from whence.db.database import Database
from whence.events.bus import EventBus
from whence.kernel.errors import WhenceError
from whence.kernel.log import get
from whence.kernel.services import Services
from whence.llm import Budget, Models, Prices
from whence.records.kind import SubjectKind
from whence.research.runs import WantedRun
from whence.tenancy.principal import Principal
from whence.tools.registry import ToolRegistry
from whence.wizards.catalog import Wizards
from whence.work.submission import Submission

PLAIN = Path(__file__).parents[1] / "prompts" / "plain.md"
"""The prompt for kinds without a chat of their own."""
_log = get("chat.dependencies")


class SubmitResearch(Protocol):
    """Submits research in the caller's transaction."""

    async def __call__(
        self,
        session: AsyncSession,
        who: Principal,
        kind: SubjectKind,
        subject_id: UUID,
        *,
        options: Mapping[str, Any] | None = None,
        wanted: WantedRun | None = None,
    ) -> Submission: ...


@dataclass(frozen=True)
class TurnDependencies:
    """The engine's parts that a turn may use."""

    db: Database
    bus: EventBus
    kinds: Mapping[str, SubjectKind]
    chats: Mapping[str, Chat]
    pages: Pages
    tools: ToolRegistry
    services: Services
    wizards: Wizards
    models: Callable[[], Models]
    """Looked up on demand: a command that asks no model needs no key for one."""
    prices: Callable[[], Prices]
    budget: Budget
    allowance: Allowance
    submit_research: SubmitResearch
    context_days: float
    """How long what an answer was written from is kept; 0: it is not stored."""
    first_piece_seconds: float = 15.0
    """The longest wait for the beginning of a model's answer; then rules answer."""

    def chat(self, kind: str) -> Chat:
        """The pack's chat for a kind, or a plain one if the pack declares none."""
        return self.chats.get(kind) or Chat(kind, PLAIN, ())

    def train_classifiers(self) -> None:
        """Train what reads messages, which takes a second for a kind of record."""
        for chat in self.chats.values():
            classifier_for(chat)
            topic_classifier_for(chat)

    async def load_model(self) -> None:
        """Load the model's client if there is one; errors are reported when the model is asked."""
        try:
            if model := self.models().text:
                await model.client()
        except WhenceError as error:
            _log.warning("the model cannot be asked", error=error.message)
