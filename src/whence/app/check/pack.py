"""All checks of one pack, in order; each reports what is wrong and how to fix it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from whence.app.check.causes import cause
from whence.app.check.code import import_faults, prompt_faults
from whence.app.check.figures import figure_faults
from whence.app.check.names import flow_faults, name_faults
from whence.app.check.sample import evaluations, sample_faults
from whence.app.check.tables import stored_faults, table_faults, tables
from whence.app.ui import read_ui
from whence.db.revisions import line_faults, revisions
from whence.kernel.errors import Misconfigured, WhenceError
from whence.records.kinds import by_name
from whence.sdk.pack import Pack
from whence.sdk.testing import MigrationsFail, installation, load_pack

Addresses = Callable[[Pack, Sequence[Pack]], None]
"""Raises Misconfigured if the pack's routes collide; supplied by the transports, which know all
routes."""


@dataclass(frozen=True)
class Result:
    """One check with its faults; without any, it passed."""

    check: str
    faults: tuple[str, ...] = ()


async def check_pack(
    folder: Path, others: Sequence[Pack], addresses: Addresses, admin_url: str | None = None
) -> AsyncGenerator[Result]:
    """Check the pack in a folder.  `admin_url`: an empty database to use instead of a temporary
    one.

    If the pack cannot be loaded, the other checks are left out.
    """
    yield Result("imports", tuple(import_faults(folder)))
    try:
        pack = load_pack(folder)
    except Exception as error:  # noqa: BLE001 (the pack's own code: whatever it raises is reported)
        yield Result("manifest", (f"pack.py cannot be loaded: {cause(error, folder)}",))
        return
    yield Result("manifest")
    others = [other for other in others if other.folder != pack.folder]
    yield Result("names", tuple(name_faults(pack, others)))
    kinds = [kind for each in (pack, *others) for kind in each.subjects]
    yield Result("kinds", (*_raised(lambda: by_name(kinds)), *flow_faults(pack, kinds)))
    yield Result("figures", tuple(figure_faults(pack)))
    yield Result("prompts", tuple(prompt_faults(pack)))
    yield Result("routes", _raised(lambda: addresses(pack, others)))
    yield Result("ui", _raised(lambda: read_ui(pack.folder / "ui")))
    async for result in _on_a_database(pack, admin_url):
        yield result
    yield Result("evaluations", tuple(await evaluations(pack)))


async def _on_a_database(pack: Pack, admin_url: str | None) -> AsyncGenerator[Result]:
    """Migrations, tables and sample; a stage that fails leaves out those that build on it."""
    split = tuple(line_faults(revisions(pack.migrations)))
    if split:
        yield Result("migrations", split)
        return
    async with AsyncExitStack() as stack:
        try:
            installed = await stack.enter_async_context(installation(pack, admin_url=admin_url))
        except MigrationsFail as error:
            yield Result(
                "migrations", (f"they fail: {cause(error.__cause__ or error, pack.folder)}",)
            )
            return
        except WhenceError as error:
            yield Result("database", (f"the temporary database is not there: {error.message}",))
            return
        yield Result("migrations")
        async with installed.db.unit(installed.principal.org_id) as session:
            created = await tables(session)
            connection = await session.connection()
            stored = await connection.run_sync(lambda c: tuple(stored_faults(pack, c)))
        own = {key: created[key] for key in created.keys() - installed.engine_tables}
        yield Result("tables", (*table_faults(pack, own), *stored))
        if stored:
            return  # the sample would fail for the same reason, in the database's words
        yield Result("sample", tuple([fault async for fault in sample_faults(pack, installed)]))


def _raised(check: Callable[[], object]) -> tuple[str, ...]:
    try:
        check()
    except Misconfigured as error:
        return (error.message,)
    return ()
