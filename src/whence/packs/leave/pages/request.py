"""The page of one leave request: talked with as a conversation about the request is."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

from whence.packs.leave.chat.offer import CHAT
from whence.sdk.pages import Page, PageIds

PROMPT = Path(__file__).parent.parent / "prompts" / "page_request.md"


class RequestIds(PageIds):
    """Which request it is the page of."""

    leave_request_id: UUID


REQUEST_PAGE = Page(
    name="leave.request",
    title="Leave request",
    prompt=PROMPT,
    ids=RequestIds,
    kind="leave-requests",
    record="leave_request_id",
    tools=CHAT.tools,
)
