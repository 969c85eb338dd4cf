"""What an exported assessment says beside its conclusions: limits, whom to ask, and the letters."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from whence.packs.leave.eligibility.limits import not_checked_words
from whence.packs.leave.eligibility.words import FIELDS
from whence.sdk import ReportPart

Json = Mapping[str, Any]
_MARKUP = re.compile(r"^#+ |\*+|  $", re.M)


def report(dossier: Json, evidence: Sequence[Json], subject: Json) -> list[ReportPart]:
    """Points to note, how sure the assessment is, whom to ask, and the drafts of the notices."""
    body: Json = dossier["body"]
    parts = [
        ReportPart("Points to note", _points(body)),
        ReportPart("How sure", _limits(body)),
        ReportPart("Whom to ask", list(body.get("agencies", ()))),
        *(
            ReportPart(f"Draft: {one['title']}", _paragraphs(one["text"]))
            for one in body.get("letters", ())
        ),
    ]
    return [one for one in parts if one.paragraphs]


def _points(body: Json) -> list[str]:
    names: list[str] = body["missing"]
    missing = "; ".join(FIELDS.get(name, name) for name in names)
    return [*body["warnings"], *([f"Not known yet: {missing}."] if missing else [])]


def _limits(body: Json) -> list[str]:
    lines: list[str] = [body["advice"]] if body.get("advice") else []
    if points := body.get("notChecked"):
        lines.append(not_checked_words(points))
    if unread := body.get("unread"):
        sections = dict.fromkeys(f"{one['section']}: {one['words']}" for one in unread)
        lines.append(f"Sections whose own text was not read: {'; '.join(sections)}.")
    return lines


def _paragraphs(text: str) -> list[str]:
    """A letter's paragraphs as plain text, without its title, which is the heading."""
    return [_MARKUP.sub("", one) for one in text.split("\n\n")[1:]]
