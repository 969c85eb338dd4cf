"""`whence doctor`: what works on this machine, and which settings enable the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from whence.app import discovery
from whence.cli import installation, session
from whence.kernel.errors import Misconfigured, WhenceError
from whence.kernel.settings import Settings
from whence.llm import load_prices, models_from
from whence.sdk import Check, Pack


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="The checks as one line of JSON")] = False,
) -> None:
    """Check settings, database, workers, disk, access, models, sources and perception.

    Exit code 1 when the database fails.
    """
    settings = session.settings()

    async def work() -> list[Check]:
        checks = [*_models(settings), *_prices(settings)]
        try:
            checks = [*_spelling(discovery.discover(settings.pack_dirs)), *checks]
            async with session.opened(settings) as platform:
                snapshot = await installation.take_snapshot(platform)
                database = installation.database(settings, snapshot)
                checks = [*installation.checks(settings, snapshot), *checks]
                for pack in platform.packs:
                    checks += pack.checks(platform.setup) if pack.checks else ()
        except Misconfigured as error:
            database = Check("configuration", works=False, detail=error.message)
        except WhenceError as error:
            setting = "WHENCE_DATABASE_URL" if settings.database_url else "WHENCE_HOME"
            database = Check("database", works=False, detail=error.message, setting=setting)
        return [database, *checks]

    checks = session.run(work)
    if as_json:
        print(session.as_line({"checks": [vars(check) for check in checks]}))
    else:
        _show(checks)
    if not checks[0].works:
        raise typer.Exit(1)


def _spelling(packs: Sequence[Pack]) -> list[Check]:
    unknown = session.unknown(packs)
    if not unknown:
        return [
            Check("settings", works=True, detail="all WHENCE_ variables that are set are known")
        ]
    return [Check("settings", works=False, detail=str(one), setting=one.nearest) for one in unknown]


def _prices(settings: Settings) -> list[Check]:
    """The operator's own price table, where there is one."""
    own = settings.home / "prices.toml"
    if not own.is_file():
        return []
    try:
        prices = load_prices(own)
    except WhenceError as error:
        return [Check("prices", works=False, detail=error.message)]
    return [Check("prices", works=True, detail=f"your prices of {prices.as_of} count")]


def _models(settings: Settings) -> list[Check]:
    try:
        models_from(settings)
    except WhenceError as error:
        return [Check("model", works=False, detail=error.message, setting="WHENCE_MODEL")]
    pairs = (
        ("model", settings.model, "WHENCE_MODEL", "rules and statistics answer"),
        (
            "vision model",
            settings.vision_model,
            "WHENCE_VISION_MODEL",
            "local barcodes and OCR only",
        ),
    )
    return [
        Check(name, works=True, detail=f"{value} is configured")
        if value
        else Check(name, works=False, detail=f"none; {without}", setting=setting)
        for name, value, setting, without in pairs
    ]


def _show(checks: list[Check]) -> None:
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    for check in checks:
        mark = "[green]ok[/green]" if check.works else "[yellow]--[/yellow]"
        todo = f"set {check.setting}" if check.setting and not check.works else ""
        table.add_row(mark, escape(check.name), escape(check.detail), f"[bold]{todo}[/bold]")
    session.out().print(table)
