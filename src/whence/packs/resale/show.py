"""An item's dossier for the terminal, in the order a person asks: what, how much, why, what now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

SHOWN_INCLUDED, SHOWN_EXCLUDED = 12, 12
"""Rows of the evidence table; the rest is counted below it."""
Json = Mapping[str, Any]


def show(dossier: Json, evidence: Sequence[Json], subject: Json) -> RenderableType:
    """Everything that was concluded, and what was left out, with reasons."""
    body: Json = dossier["body"]
    parts: list[RenderableType] = [_incomplete(body)] if body["notDone"] else []
    parts += [_what(body, subject), _price(body), _evidence(body, evidence)]
    parts += [_demand(body), _missing(body), _where(body)]
    unsupported = [claim for claim in dossier["claims"] if claim["verdict"] == "unsupported"]
    parts += [_unsupported(unsupported)] if unsupported else []
    return Group(*parts, _how(body))


def _incomplete(body: Json) -> RenderableType:
    lines = "\n".join(escape(words) for words in body["notDone"])
    title = "Incomplete: what this research did not do"
    return Panel(lines, title=title, title_align="left", border_style="yellow")


def _what(body: Json, subject: Json) -> RenderableType:
    named: Json = body["identification"]
    name = " ".join(part for part in (named["brand"], named["model"]) if part)
    variant = ", ".join(f"{key} {value}" for key, value in named["variant"].items())
    lines = [f"[bold]{escape(name or named['title'])}[/bold]  {escape(named['title'])}"]
    if variant:
        lines.append(f"Variant: {escape(variant)}")
    facts = [("GTIN", named["gtin"]), ("Category", named["category"])]
    facts.append(("Condition", subject.get("condition") or "not stated"))
    lines.append("   ".join(f"{key}: {escape(str(value))}" for key, value in facts if value))
    lines.append(f"Confidence {named['confidence']:.2f}: {escape(named['reason'])}")
    if identified := body.get("identifiedAt"):
        lines.append(f"Identified on {escape(identified[:10])}; this research refreshed the price.")
    for other in named["alternatives"]:
        what = f"{other['attribute']} {other['value']}: {other['reason']}"
        lines.append(f"[yellow]Or[/yellow] {escape(other['title'])} ({escape(what)})")
    for photo in body["photos"]:
        reading = ", ".join([*photo["barcodes"], *photo["text"][:4]]) or "nothing read"
        lines.append(
            f"[dim]Photograph {escape(photo['name'])}: {escape(photo['problem'] or reading)}[/dim]"
        )
    if seen := body.get("seen"):
        judged = f"condition {seen['condition']}, {seen['conditionNotes']}"
        lines.append(f"Seen by {escape(seen['method'])}: {escape(judged)}")
    return Panel("\n".join(lines), title="What it is", title_align="left")


def _price(body: Json) -> RenderableType:
    price: Json | None = body["price"]
    if price is None:
        gap: Json = body["notEnough"]
        lines = [
            f"[bold]Not enough evidence.[/bold] {escape(gap['reason'])}",
            "What would help:",
        ]
        lines += [f"  - {escape(what)}" for what in gap["wouldSettle"]]
        return Panel("\n".join(lines), title="Price", title_align="left", border_style="yellow")
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=True)
    for column in ("", "Amount", "Confidence", "Reasoning"):
        table.add_column(column, justify="right" if column in ("Amount", "Confidence") else "left")
    for name in ("floor", "target", "ceiling"):
        band: Json = price[name]
        style = "bold green" if name == "target" else ""
        amount = f"{band['amount']:,.2f} {price['currency']}"
        cells = (name.capitalize(), amount, f"{band['confidence']:.2f}", band["reasoning"])
        table.add_row(*(Text(cell, style=style if at < 2 else "") for at, cell in enumerate(cells)))
    return Panel(table, title="Price, shipping included", title_align="left")


def _evidence(body: Json, evidence: Sequence[Json]) -> RenderableType:
    comps = [item for item in evidence if item["role"] == "comp"]
    counts: Json = body["comps"]
    weights = {used["evidenceId"]: _weight(used) for used in (body["price"] or {}).get("used", [])}
    table = Table(title_justify="left", expand=True, box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for name, justify in (
        ("", "left"),
        ("Rel.", "right"),
        ("Weight", "right"),
        ("Price", "right"),
        ("Status", "left"),
        ("Listing", "left"),
        ("Reason", "left"),
    ):
        wide = name in ("Listing", "Reason")
        table.add_column(name, justify=justify, overflow="fold", no_wrap=not wide)  # pyright: ignore[reportArgumentType]
    included = [item for item in comps if item["included"]]
    excluded = [item for item in comps if not item["included"]]
    shown = included[:SHOWN_INCLUDED] + excluded[:SHOWN_EXCLUDED]
    for item in shown:
        data: Json = item["data"]
        table.add_row(
            Text("in", style="green") if item["included"] else Text("out", style="red"),
            "" if item["relevance"] is None else f"{item['relevance']:.2f}",
            weights.get(item["id"], ""),
            _amount(data),
            data["status"],
            Text(item["title"]),
            Text(item["reason"], style="dim"),
        )
    title = (
        f"Evidence: {counts['found']} found, {counts['included']} included "
        f"({counts['priced']} set the price), {counts['excluded']} excluded"
    )
    hidden = {
        "included": len(included) - SHOWN_INCLUDED,
        "excluded": len(excluded) - SHOWN_EXCLUDED,
    }
    more = [f"{number} more {what}" for what, number in hidden.items() if number > 0]
    rest = [Text(f"... and {', '.join(more)}", style="dim")] if more else []
    return Panel(Group(table, *rest), title=title, title_align="left")


def _weight(used: Json) -> str:
    """Its share of the weight; an unsold listing only bounds the price from above."""
    return "bound" if used.get("isBound") else f"{used['share']:.0%}"


def _amount(data: Json) -> str:
    if data["price"] is None:
        return "?"
    shipping = f" +{data['shipping']:,.2f}" if data["shipping"] else ""
    return f"{data['price']:,.2f}{shipping}"


def _demand(body: Json) -> RenderableType:
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    for signal in body["demand"]:
        value = signal["value"]
        shown = "unknown" if value is None else _valued(value, signal["unit"])
        table.add_row(
            Text(signal["name"].replace("_", " ").capitalize()),
            Text(shown, style="bold" if value is not None else "yellow"),
            Text(f"{signal['words']} (source: {signal['source'] or 'none'})"),
        )
    return Panel(table, title="Demand", title_align="left")


def _valued(value: float, unit: str) -> str:
    return f"{value:.0%}" if unit == "share" else f"{value:g} {unit}"


def _missing(body: Json) -> RenderableType:
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    for hint in body["missing"]:
        effect = "" if hint["amount"] is None else f"±{hint['amount']:,.2f} {hint['currency']}"
        text = hint["question"] or hint["why"]
        table.add_row(Text(hint["importance"], style="bold"), Text(effect), Text(text))
    if not body["missing"]:
        table.add_row("Nothing that would change the price.")
    return Panel(table, title="What is missing, largest effect first", title_align="left")


def _where(body: Json) -> RenderableType:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("Marketplace", "You keep", "Fee", "Fees read on", "Why"):
        table.add_column(name, justify="right" if name in ("You keep", "Fee") else "left")
    for sale in body["marketplaces"]:
        style = "bold green" if sale["recommended"] else ""
        table.add_row(
            Text(sale["name"], style=style),
            Text(f"{sale['net']:,.2f} {sale['currency']}", style=style),
            f"{sale['fee']:,.2f}",
            Text(sale.get("read") or "not confirmed"),
            Text(sale["reason"]),
        )
    if not body["marketplaces"]:
        return Panel("No price yet, so no proceeds.", title="Where to sell", title_align="left")
    return Panel(table, title="Where to sell", title_align="left")


def _unsupported(claims: Sequence[Json]) -> RenderableType:
    lines = [f"{escape(c['statement'])} [dim]{escape(c['note'] or '')}[/dim]" for c in claims]
    title = "Not supported by the evidence; do not rely on this"
    return Panel("\n".join(lines), title=title, title_align="left", border_style="red")


def _how(body: Json) -> RenderableType:
    times = "once" if body["iterations"] == 1 else f"{body['iterations']} times"
    lines = [f"Searched {times}: {escape(' | '.join(body['queries']))}"]
    for source in body["sources"]:
        if source["available"]:
            state = "; ".join(source["errors"]) or f"{source['found']} found"
            if source["refused"]:
                state += f", {len(source['refused'])} rows refused"
        else:
            state = (
                f"not searched; set {source['setting']}" if source["setting"] else source["note"]
            )
        lines.append(f"{escape(source['title'])}: {escape(state)}")
    lines += [f"[yellow]Fallback[/yellow] {escape(words)}" for words in body["fallbacks"]]
    return Panel("\n".join(lines), title="How", title_align="left", border_style="dim")
