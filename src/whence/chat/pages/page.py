"""What a pack says about talking with one of its pages, rather than with one of its records.

A client names the page it shows and the ids that belong to it; what the page holds is loaded by
the server, in the tenant of whoever asks.
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
    """The ids that a client sends besides the page's name; this base takes none."""


class PageValues(Wire):
    """What fills the template of a page; this base fills nothing."""


@dataclass(frozen=True)
class PageEntry:
    """Something that the page shows, such as a figure or a row; answers cite it by its name."""

    name: str
    title: str
    text: str
    """All of it: a figure of an answer has to stand in what the answer cites."""
    url: str | None = None


@dataclass(frozen=True)
class PageView:
    """A page as it was loaded for whoever asks."""

    entries: Sequence[PageEntry] = ()
    values: PageValues = field(default_factory=PageValues)
    data: Any = None
    """Whatever the page's own topics work with."""

    def entry(self, name: str) -> PageEntry | None:
        """The entry of this name."""
        return next((entry for entry in self.entries if entry.name == name), None)


Load = Callable[[AsyncSession, Principal, Any, datetime], Awaitable[PageView]]
"""`load(session, who, ids, at)`: raises NotFound for ids of what is not there for this tenant."""
PageAnswer = Callable[[PageView, str], Sequence[Statement]]
"""(page, question as it was written) to the sentences of the answer."""


def reads_out(*names: str) -> PageAnswer:
    """A topic's answer: those entries of these names that there are, each carried by itself."""

    def answer(view: PageView, question: str) -> Sequence[Statement]:
        entries = (view.entry(name) for name in names)
        return [Statement(entry.text, (ByPage(entry.name),)) for entry in entries if entry]

    return answer


@dataclass(frozen=True)
class PageTopic:
    """Something that people ask a page about, answered without a model; as a `Topic` is."""

    name: str
    title: str
    words: tuple[str, ...]
    answer: PageAnswer
    example: str


@dataclass(frozen=True)
class Page:
    """A page of the pack's, by its name in the whole program: `resale.items`.

    A page about one record names its `kind`, and as `record` the field of `ids` that holds the
    record's id; answers, proposals and research are then those of a conversation about the record.
    """

    name: str
    title: str
    prompt: Path
    """Its own template, a prompt file; what it declares as inputs are fields of `values`."""
    ids: type[PageIds] = PageIds
    values: type[PageValues] = PageValues
    load: Load | None = None
    """What the page shows beside its record; a page without a record has one."""
    kind: str | None = None
    record: str | None = None
    topics: Sequence[PageTopic] = ()
    """For pages without a record; the topics of a record are those of its kind."""
    tools: Sequence[str] = ()
    """Names of the pack's tools that may be used here, by those whose role allows them."""


@dataclass(frozen=True)
class PageAt:
    """A page with the ids that a client has sent; nothing is known of what they point at yet."""

    page: Page
    ids: PageIds

    @property
    def record_id(self) -> UUID | None:
        """The id of the record that the page is about."""
        record_id = getattr(self.ids, self.page.record) if self.page.record else None
        return record_id if isinstance(record_id, UUID) else None

    def as_context(self) -> dict[str, Any]:
        """As it is kept, and goes over the wire: `{page, …ids}`."""
        ids = self.ids.model_dump(mode="json", by_alias=True, exclude_none=True)
        return {"page": self.page.name, **ids}


Context = Mapping[str, Any]
"""What a client says of where the person is: `{page, …ids}`."""
