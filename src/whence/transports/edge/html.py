"""The layout of the HTML pages: one frame, one style sheet, no scripts, nothing from other
sites."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, Response

from whence.transports.edge.access import PUBLIC
from whence.transports.edge.headers import PAGE_POLICY

FORMS = "/api/auth/forms"
"""The path of the forms, next to the calls that get the refresh cookie."""

STYLE_SHEET = "/whence.css"
router = APIRouter(include_in_schema=False, dependencies=[PUBLIC])
_STYLE = """\
:root { color-scheme: light dark; --ink: #1c2126; --soft: #55606b; --paper: #fdfdfc;
  --line: #c9ced3; --field: #ffffff; --link: #0b57a4; --act: #0b57a4; --on-act: #ffffff;
  --wrong: #a3161d; --wrong-paper: #fdeeee; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8ea; --soft: #a6b0ba; --paper: #16191c;
  --line: #434b53; --field: #1e2226; --link: #8cc0f7; --act: #8cc0f7; --on-act: #10233a;
  --wrong: #ffb3b0; --wrong-paper: #3a1b1c; } }
* { box-sizing: border-box; }
body { font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 4rem; overflow-wrap: break-word; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 1rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
p { margin: .5rem 0; }
a { color: var(--link); }
code { font-size: .92em; }
.soft { color: var(--soft); }
form { max-width: 24rem; margin: 1rem 0; }
form.inline { display: inline-block; margin: .25rem .5rem .25rem 0; }
label { display: block; margin: .9rem 0 .25rem; font-weight: 600; }
input { width: 100%; font: inherit; padding: .5rem .6rem; color: inherit;
  background: var(--field); border: 1px solid var(--soft); border-radius: .3rem; }
input[aria-invalid=true] { border: 2px solid var(--wrong); }
button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: .5rem 1.1rem;
  margin-top: 1rem; color: var(--on-act); background: var(--act); border: 1px solid var(--act);
  border-radius: .3rem; cursor: pointer; }
form.inline button { margin-top: 0; }
button.quiet { color: var(--link); background: transparent; border-color: var(--soft); }
:focus-visible { outline: 3px solid var(--act); outline-offset: 2px; }
.wrong { color: var(--wrong); background: var(--wrong-paper); border-left: .3rem solid var(--wrong);
  padding: .6rem .8rem; }
ul.plain { list-style: none; padding: 0; margin: 0; }
ul.plain li { border-top: 1px solid var(--line); padding: .7rem 0; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0;
  border-top: 1px solid var(--line); }
@media (max-width: 34rem) { table, tbody, tr, th, td { display: block; }
  td { border: 0; padding: .1rem 0; } tr { border-top: 1px solid var(--line); padding: .5rem 0; } }
"""


@router.get(STYLE_SHEET)
async def style_sheet() -> Response:
    """The style sheet of every page."""
    return Response(
        _STYLE, media_type="text/css", headers={"Cache-Control": "public, max-age=3600"}
    )


def page(title: str, body: str, status: int = 200) -> Response:
    """A page around `body`, which is HTML; other sites do not learn that it was opened.

    Browsers name the origin of a form only if their referrer policy lets them name it to this
    server, so the policy here is `same-origin`, not `no-referrer`.
    """
    return HTMLResponse(
        "<!doctype html>\n"
        f"<html lang='en'><head><meta charset='utf-8'><title>{escape(title)}</title>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<link rel='stylesheet' href='{STYLE_SHEET}'></head>"
        f"<body><main><h1>{escape(title)}</h1>{body}</main></body></html>",
        status_code=status,
        headers={"Content-Security-Policy": PAGE_POLICY, "Referrer-Policy": "same-origin"},
    )


def field(
    name: str,
    label: str,
    *,
    kind: str = "text",
    value: str = "",
    complete: str = "off",
    hint: str = "",
    is_wrong: bool = False,
    is_required: bool = True,
) -> str:
    """A labelled input; `complete` is what a password manager fills in."""
    hint_html = f"<p class='soft' id='{name}-hint'>{escape(hint)}</p>" if hint else ""
    marks = (
        (f" aria-describedby='{name}-hint'" if hint else "")
        + (" aria-invalid='true' autofocus" if is_wrong else "")
        + (" required" if is_required else "")
    )
    return (
        f"<label for='{name}'>{escape(label)}</label>"
        f"<input id='{name}' name='{name}' type='{kind}' value='{escape(value)}'"
        f" autocomplete='{complete}' maxlength='1000'{marks}>{hint_html}"
    )


def form(action: str, button: str, fields: Sequence[str] = (), **hidden: str) -> str:
    """A form with its fields, its hidden values and one button."""
    unseen = "".join(
        f"<input type='hidden' name='{name}' value='{escape(value)}'>"
        for name, value in hidden.items()
    )
    return (
        f"<form method='post' action='{action}'>{''.join(fields)}{unseen}"
        f"<button>{escape(button)}</button></form>"
    )


def small_form(action: str, button: str, **hidden: str) -> str:
    """A single button, next to others."""
    whole = form(action, button, **hidden)
    return whole.replace("<form ", "<form class='inline' ").replace(
        "<button>", "<button class='quiet'>"
    )


def words(text: str) -> str:
    """Text as HTML; text between backticks, as in our docstrings, becomes code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def wrong(message: str) -> str:
    """An error message, which screen readers announce first."""
    return f"<p class='wrong' role='alert'>{words(message)}</p>"
