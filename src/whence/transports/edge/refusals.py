"""Renders refusals that happen before any route, in a form the sender can read."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Scope

from whence.transports.edge.error_answers import answer
from whence.transports.edge.html import FORMS, page, wrong
from whence.transports.edge.problems import Problem

FULL = (429, 503)
"""Too many requests, or no room: a person who sent a form can wait for these."""


def refusal(problem: Problem, scope: Scope) -> Response:
    """A page for a browser that sent a form, otherwise the problem document."""
    refused = answer(problem)
    asks_for_page = "text/html" in Headers(scope=scope).get("accept", "")
    if problem.status not in FULL or not asks_for_page or not scope["path"].startswith(FORMS):
        return refused
    seconds = refused.headers["retry-after"]
    message = f"{wrong(problem.detail)}<p>Wait {seconds} seconds, go back, and send it again.</p>"
    shown = page(problem.title, message, problem.status)
    shown.headers["Retry-After"] = seconds
    return shown
