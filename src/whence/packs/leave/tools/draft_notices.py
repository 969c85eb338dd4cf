"""Drafts of the employer's notices on a leave request; nothing is stored or sent."""

from __future__ import annotations

from whence.packs.leave.eligibility.overview import overview
from whence.packs.leave.letters.drafting import Letter, letters
from whence.sdk.access import Scope
from whence.sdk.tools import ToolContext, tool
from whence.sdk.values import Wire, now

from .stored_request import RequestId, stored_request


class WhichRequest(Wire):
    """The request whose notices are drafted, by its `id` or by the one that its import brought."""

    request_id: RequestId


class Drafts(Wire):
    """The drafts, in the order in which they are given."""

    letters: list[Letter]


@tool(Scope.READ)
async def draft_notices(arguments: WhichRequest, context: ToolContext) -> Drafts:
    """Draft the employer's notices on a leave request (eligibility, rights and responsibilities,
    designation) from the rules, with blanks where facts lack.  Nothing is stored or sent."""
    request = await stored_request(arguments.request_id, context)
    return Drafts(letters=letters(overview(request, now().date())))
