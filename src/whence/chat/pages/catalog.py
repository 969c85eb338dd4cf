"""The pages of all packs: checked at start, looked up by the context that a client sends."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any, get_args
from uuid import UUID

from pydantic import BaseModel, ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.pages.general_page import general_page
from whence.chat.pages.page import Context, Page, PageAt, PageView
from whence.db.statements import storable_text
from whence.kernel.clock import now
from whence.kernel.errors import Invalid, Misconfigured
from whence.kernel.field_errors import faults_of, sentence
from whence.llm.prompts import BadPrompt, read_prompt
from whence.records import store
from whence.records.kind import SubjectKind
from whence.tenancy.principal import Principal

NAME = "page"
"""The context's key for the page's name."""
NO_UUID = "must be the `id` that whence assigned, not the id of the import: look it up first"
MAX_NAME = 200
"""Characters of the name of an unknown page that are kept."""
_FLAT = (UUID, str, int, bool, date)
"""The types an id in a context may have."""


class NoPageNamed(Invalid):
    """The context names no page; set `context.page` to its name."""


class BadContext(Invalid):
    """The ids in the context do not match the page."""


class Pages:
    """All pages of the program by name."""

    def __init__(self, kinds: Mapping[str, SubjectKind]) -> None:
        self._pages: dict[str, Page] = {}
        self._kinds = kinds
        self._general = general_page(kinds, lambda: self.all_pages)

    def offer(self, pack: str, pages: Iterable[Page], tools: Collection[str]) -> None:
        """Add a pack's pages; `tools` are the names of its own tools.

        Raises Misconfigured for a page that cannot work, and says why.
        """
        for page in pages:
            if not page.name.startswith(f"{pack}."):
                raise Misconfigured(
                    f"The page '{page.name}' must be named '{pack}.…', after its pack."
                )
            if page.name in self._pages:
                raise Misconfigured(f"Two pages are named '{page.name}'; rename one.")
            if fault := self._fault(page, tools):
                raise Misconfigured(f"The page '{page.name}' {fault}.")
            self._pages[page.name] = page

    @property
    def all_pages(self) -> list[Page]:
        """All pages, by name."""
        return [self._pages[name] for name in self.names]

    @property
    def names(self) -> list[str]:
        """The names of all pages."""
        return sorted(self._pages)

    def at(self, context: Context) -> PageAt:
        """The page and its ids from the context that a client sent.

        A page that no pack offers becomes the general page.  Raises NoPageNamed, which lists the
        pages, and BadContext, which lists the wrong ids.
        """
        name = context.get(NAME)
        if not isinstance(name, str) or not name.strip():
            known_names = ", ".join(self.names) or "none"
            error_detail = {"field": f"context.{NAME}", "message": f"one of {known_names}"}
            raise NoPageNamed(
                f"The context names no page. Available pages: {known_names}.",
                errors=[error_detail],
            )
        page = self._pages.get(name)
        if page is None:
            unknown = None if name == self._general.name else storable_text(name)[:MAX_NAME]
            return PageAt(self._general, self._general.ids(), unknown)
        ids = {key: value for key, value in context.items() if key != NAME}
        try:
            return PageAt(page, page.ids.model_validate(ids))
        except ValidationError as error:
            faults = [
                replace(fault, message=NO_UUID) if item["type"].startswith("uuid") else fault
                for fault, item in zip(
                    faults_of(error, page.ids, "context"), error.errors(), strict=True
                )
            ]
            raise BadContext(
                f"The context does not match the page '{page.name}': {sentence(faults)}.",
                errors=[each.as_json() for each in faults],
            ) from error

    async def load(self, session: AsyncSession, who: Principal, at: PageAt) -> PageView:
        """What the page shows; raises NotFound for ids that do not exist for this tenant."""
        page = at.page
        if page.kind and at.record_id:
            await store.get(session, self._kinds[page.kind], at.record_id)
        if page.load is None:
            return PageView()
        return await page.load(session, who, at.ids, now())

    def _fault(self, page: Page, tools: Collection[str]) -> str | None:
        """What is wrong with a page, to continue after its name; None if nothing is."""
        fields = page.ids.model_fields
        nested = [name for name, info in fields.items() if not _is_flat(info.annotation)]
        record = fields[page.record].annotation if page.record in fields else None
        unknown_tools = sorted(set(page.tools) - set(tools))
        faults = {
            f"has ids that are not plain values: {', '.join(nested)}": nested,
            f"has an id called '{NAME}', which is reserved for the page's name": NAME in fields,
            "names only one of `kind` and `record`": (page.kind is None) != (page.record is None),
            f"is about an unknown kind of record: '{page.kind}'": (
                page.kind and page.kind not in self._kinds
            ),
            f"has no id `{page.record}: UUID` for its record": page.record and record is not UUID,
            "is not about a record and has no `load`": page.kind is None and page.load is None,
            f"has its own topics; move them to the chat about '{page.kind}'": (
                page.kind and page.topics
            ),
            f"names tools that its pack does not have: {', '.join(unknown_tools)}": unknown_tools,
        }
        return next((words for words, holds in faults.items() if holds), _prompt_fault(page))


def _prompt_fault(page: Page) -> str | None:
    try:
        prompt = read_prompt(page.prompt)
    except (BadPrompt, OSError) as error:
        return f"has no template: {error}"
    if prompt.constants:
        return "has a template with constants; a page's template may only have inputs"
    if missing := sorted(set(prompt.inputs) - set(page.values.model_fields)):
        return f"has a template with inputs that `values` lacks: {', '.join(missing)}"
    return None


def _is_flat(annotation: Any) -> bool:
    if isinstance(annotation, type):
        return issubclass(annotation, _FLAT) and not issubclass(annotation, BaseModel)
    arms = [arm for arm in get_args(annotation) if arm is not type(None)]
    return len(arms) == 1 and _is_flat(arms[0])
