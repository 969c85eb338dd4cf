"""What a pack declares for chats on one of its pages, rather than about one of its records.

A client names the page it shows and the page's ids; the server loads the content itself, in the
tenant of the person who asks.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.offer import ByPage, Statement
from whence.kernel.wire import Wire
from whence.tenancy.principal import Principal


class PageIds(Wire):
    """The ids a client sends with the page's name; this base class has none."""


class PageValues(Wire):
    """The values for a page's template; this base class has none."""


@dataclass(frozen=True)
class PageEntry:
    """Something the page shows, such as a figure or a row; answers cite it by name."""

    name: str
    title: str
    text: str
    """The full text: figures in an answer must be in the text it cites."""
    url: str | None = None


@dataclass(frozen=True)
class PageView:
    """A page's content as loaded for the person who asks."""

    entries: Sequence[PageEntry] = ()
    values: PageValues = field(default_factory=PageValues)
    data: Any = None
    """Any data for the page's own topics."""

    def entry(self, name: str) -> PageEntry | None:
        """The entry of this name."""
        return next((entry for entry in self.entries if entry.name == name), None)


Load = Callable[[AsyncSession, Principal, Any, datetime], Awaitable[PageView]]
"""`load(session, who, ids, at)`: raises NotFound for ids that do not exist for this tenant."""
PageAnswer = Callable[[PageView, str], Sequence[Statement]]
"""Takes the page and the question as written; returns the sentences of the answer."""


def reads_out(*names: str) -> PageAnswer:
    """An answer from the existing entries with these names, each citing itself."""

    def answer(view: PageView, question: str) -> Sequence[Statement]:
        entries = (view.entry(name) for name in names)
        return [Statement(entry.text, (ByPage(entry.name),)) for entry in entries if entry]

    return answer


@dataclass(frozen=True)
class PageTopic:
    """Something people ask about a page that can be answered without a model, like a `Topic`."""

    name: str
    title: str
    words: tuple[str, ...]
    answer: PageAnswer
    example: str
    computed: Callable[[PageView, str], Sequence[PageEntry]] | None = None
    """Entries that depend on the question, such as a count; `answer` finds them on the page."""


@dataclass(frozen=True)
class Page:
    """A page of the pack's, by its name in the whole program: `resale.items`.

    A page about one record names its `kind`, and as `record` the field of `ids` that holds the
    record's id; answers, proposals and research are then those of a conversation about the record.
    """

    name: str
    title: str
    prompt: Path
    """Its template, a prompt file; the inputs it declares are fields of `values`."""
    ids: type[PageIds] = PageIds
    values: type[PageValues] = PageValues
    load: Load | None = None
    """Loads what the page shows besides its record; required for a page without a record."""
    kind: str | None = None
    record: str | None = None
    refused: tuple[str, ...] = ()
    """Expressions of questions that only a topic with `computed` may answer, such as `last month`:
    the entries of the page have other figures."""
    topics: Sequence[PageTopic] = ()
    """For pages without a record; pages about a record use the topics of its kind."""
    tools: Sequence[str] = ()
    """Names of the pack's tools that may be used here, if the person's role allows them."""


@dataclass(frozen=True)
class PageAt:
    """A page with the ids a client has sent, which are not checked yet."""

    page: Page
    ids: PageIds
    unknown: str | None = None
    """The name that the client sent, if no pack offers such a page; `page` stands in for it."""

    @property
    def record_id(self) -> UUID | None:
        """The id of the record the page is about."""
        record_id = getattr(self.ids, self.page.record) if self.page.record else None
        return record_id if isinstance(record_id, UUID) else None

    def as_context(self) -> dict[str, Any]:
        """The context as stored and sent: `{page, …ids}`."""
        ids = self.ids.model_dump(mode="json", by_alias=True, exclude_none=True)
        return {"page": self.unknown or self.page.name, **ids}


Context = Mapping[str, Any]
"""The page the person is on, as a client sends it: `{page, …ids}`."""
