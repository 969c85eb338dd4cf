"""An assessment for the terminal: which law, why, how much, by when, and what is not known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from whence.packs.leave.eligibility.limits import not_checked_words
from whence.packs.leave.eligibility.words import FIELDS

STANDINGS = {
    "appears_eligible": ("appears eligible", "bold green"),
    "appears_eligible_later": ("appears eligible from a later day on", "bold green"),
    "does_not_appear_eligible": ("does not appear eligible", "bold red"),
    "cannot_be_told": ("cannot be determined yet", "bold yellow"),
}
RESULTS = {
    "met": ("met", "green"),
    "met_later": ("met later", "green"),
    "not_met": ("not met", "red"),
    "unknown": ("not known", "yellow"),
}
WEAK = {"secondary": "*", "not_checked": "**"}
LEGEND = {
    "*": "* the section's own text was not read, only reports of it",
    "**": "** the rule was not checked against any text",
}
CAUTION = "The rules applied to the facts as stated. The employer decides."
Json = Mapping[str, Any]


def show(dossier: Json, evidence: Sequence[Json], subject: Json) -> RenderableType:
    """Everything that was concluded, in the order a person asks: may I, why not, how long, when."""
    body: Json = dossier["body"]
    parts: list[RenderableType] = [_standings(body, subject)]
    parts += [_law(law) for law in body["laws"]]
    more = (_leave(body), _dates(body), _mind(body), _drafts(body, subject))
    parts += [part for part in more if part is not None]
    return Group(*parts, _foot(body))


def _standings(body: Json, subject: Json) -> RenderableType:
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    for law in body["laws"]:
        words, style = STANDINGS[law["standing"]]
        table.add_row(Text(law["name"]), Text(words, style=style))
    sentences = [Text(one["text"], style="dim") for one in body["together"]]
    title = Text(str(subject.get("title") or "Leave request"))
    return Panel(Group(table, *sentences), title=title, title_align="left")


def _law(law: Json) -> RenderableType:
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), expand=True)
    for name in ("", "Rule", "Needed", "Stated", "Section"):
        table.add_column(name, overflow="fold", no_wrap=name == "")
    for rule in law["rules"]:
        words, style = RESULTS[rule["result"]]
        section = f"{rule['section']}{WEAK.get(rule.get('basis', ''), '')}"
        row = (rule["title"], rule["needed"], rule["actual"])
        table.add_row(Text(words, style=style), *map(Text, row), Text(section, style="dim"))
    changes = [
        Text(f"{rule['title']}: {rule['change']}")
        for rule in law["rules"]
        if rule["change"] and rule["result"] == "not_met"
    ]
    dated = f"in force since {law.get('rulesEffective')}, checked {law['rulesChecked']}"
    title = Text(f"{law['name']} ({dated})")
    return Panel(Group(table, *changes), title=title, title_align="left")


def _leave(body: Json) -> RenderableType | None:
    if not body["leave"]:
        return None
    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("Law", "Weeks", "Used", "Left", "Hours left", "Covered until", "12-month period"):
        table.add_column(name, justify="right" if name in ("Weeks", "Used", "Left") else "left")
    for one in body["leave"]:
        period = f"{one['periodFirst']} to {one['periodLast']}" if one["periodFirst"] else ""
        numbers = (one["weeks"], one["usedWeeks"], one["leftWeeks"], one["leftHours"])
        cells = [_number(value) for value in numbers]
        table.add_row(one["law"].upper(), *cells, one["coveredUntil"] or "?", period)
    words = [Text(" ".join([one["words"], *one["freesUp"]]), style="dim") for one in body["leave"]]
    return Panel(Group(table, *words), title="How much leave", title_align="left")


def _dates(body: Json) -> RenderableType | None:
    if not body["dates"]:
        return None
    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("By", "Who", "What", "Section"):
        table.add_column(name, overflow="fold", no_wrap=name in ("By", "Who"))
    for deadline in body["dates"]:
        late = deadline["isPast"]
        section = f"{deadline['section']}{WEAK.get(deadline.get('basis', ''), '')}"
        table.add_row(
            Text(deadline["on"] or "open", style="red" if late else "bold"),
            Text(deadline["who"]),
            Text(deadline["text"]),
            Text(section, style="dim"),
        )
    return Panel(table, title="What is due when", title_align="left")


def _mind(body: Json) -> RenderableType | None:
    lines = [Text(words, style="yellow") for words in body["warnings"]]
    lines += [Text(one["text"]) for one in body.get("remarks", [])]
    if body["missing"]:
        missing: list[str] = body["missing"]
        what = "; ".join(FIELDS.get(name, name) for name in missing)
        lines.append(Text(f"Not known yet: {what}."))
    if not lines:
        return None
    return Panel(Group(*lines), title="Points to note", title_align="left", border_style="yellow")


def _foot(body: Json) -> RenderableType:
    lines = [Text(body.get("advice", CAUTION))]
    if points := body.get("notChecked"):
        lines.append(Text(not_checked_words(points)))
    lines += [Text(one) for one in body.get("agencies", ())]
    if body.get("unread"):
        sections = dict.fromkeys(f"{one['section']}: {one['words']}" for one in body["unread"])
        lines += [Text(one, style="dim") for one in (_legend(body), *sections)]
    return Panel(Group(*lines), title="How sure", title_align="left", border_style="dim")


def _legend(body: Json) -> str:
    """The marks that occur, each with what it means."""
    rules = [*(rule for law in body["laws"] for rule in law["rules"]), *body["dates"]]
    used = {WEAK.get(one.get("basis", "")) for one in rules}
    return "; ".join(words for mark, words in LEGEND.items() if mark in used)


def _drafts(body: Json, subject: Json) -> RenderableType | None:
    if not body.get("letters"):
        return None
    lines = [Text(f"{one['title']} ({one['section']})") for one in body["letters"]]
    reference = subject.get("externalId") or subject.get("id")
    how = f"Read them at the end of: whence export leave-requests/{reference}"
    title = "Drafts of the employer's notices"
    return Panel(Group(*lines, Text(how, style="dim")), title=title, title_align="left")


def _number(value: float | None) -> str:
    return "?" if value is None else f"{value:,.2f}".rstrip("0").rstrip(".")
