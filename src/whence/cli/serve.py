"""`whence serve` (API and a worker in one process) and `whence worker` (a worker alone)."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from whence.app import build, discovery
from whence.app import database as app_database
from whence.app.platform import Platform
from whence.cli import session
from whence.kernel.garbage import freeze_loaded_objects
from whence.kernel.log import get
from whence.kernel.settings import Settings
from whence.tenancy import operator, tokens
from whence.tenancy.local import LOCAL_EMAIL

_log = get("serve")


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on")] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port to listen on; 0 picks a free one")
    ] = None,
    worker: Annotated[bool, typer.Option(help="Also run a worker in this process")] = True,
) -> None:
    """Serve the API, and work on research, until stopped.

    Without accounts it prints a one-time sign-in link of the local owner.
    """
    from whence.transports.edge.hosts import require_accounts_beyond_loopback
    from whence.transports.edge.site import site_of
    from whence.transports.serve import serve as serve_api

    chosen = {"host": host, "port": port}
    given = {name: value for name, value in chosen.items() if value is not None}
    found = session.settings().model_copy(update=given)
    console = session.progress()
    site = site_of(found)
    require_accounts_beyond_loopback(site, accounts=found.accounts)

    async def work() -> None:
        set_up = await set_up_token(found) if found.accounts else None
        async with session.opened(found, working=worker, patient=True) as built:
            session.warn_of_unknown(built.packs)
            token = None if found.accounts else await sign_in_token(built)

            def ready(url: str) -> None:
                shown = site.public_origin or site.browsable(url)
                console.print(f"whence is listening on {url}", soft_wrap=True)
                if token:
                    console.print(f"Sign in once: {shown}/sign-in?token={token}", soft_wrap=True)
                if set_up:
                    console.print(
                        f"No account has a password yet. Set that of {LOCAL_EMAIL} within an hour, "
                        f"once: {shown}/reset?token={set_up}",
                        soft_wrap=True,
                    )
                for warning in site.warnings:
                    console.print(f"Warning: {warning}", soft_wrap=True)

            loading = asyncio.create_task(_loaded(built), name="loading")
            loading.add_done_callback(_record)
            try:
                await serve_api(built, found.host, found.port, ready)
            finally:
                loading.cancel()

    session.run(work, service=True)


async def _loaded(built: Platform) -> None:
    """Load what the first answer needs; then nothing that was loaded is looked at again."""
    await built.turns.load()
    freeze_loaded_objects()


def _record(loading: asyncio.Task[None]) -> None:
    if not loading.cancelled() and (error := loading.exception()):
        _log.error("what the first answer needs could not be loaded", exc_info=error)


async def sign_in_token(built: Platform) -> str:
    """The one-time link of the local owner, who needs no password on the own machine."""
    lifetime = tokens.SIGN_IN_LIFETIME
    return await tokens.issue(
        built.db, built.owner, "sign-in link", kind="sign_in", lifetime=lifetime
    )


async def set_up_token(found: Settings) -> str | None:
    """A link that sets the first password of an installation; None once there is one."""
    async with app_database.database(found, discovery.discover(found.pack_dirs)) as opened:
        lines = await asyncio.to_thread(operator.listed, opened.admin_url)
        if any(line.has_password for line in lines):
            return None
        return await asyncio.to_thread(operator.reset, opened.admin_url, LOCAL_EMAIL)


def worker() -> None:
    """Work on queued research until stopped; runs under way are handed back."""
    from whence.transports.worker_server import beside_worker

    found = session.settings()
    console = session.progress()

    async def work() -> None:
        async with session.opened(found, patient=True) as built, build.worker(built) as task:
            session.warn_of_unknown(built.packs)
            console.print(f"Working, {found.worker_concurrency} runs at once; stop with Ctrl-C.")
            async with beside_worker(built, found.metrics_port) as metrics:
                if metrics:
                    console.print(f"Metrics: {metrics}/metrics", soft_wrap=True)
                await asyncio.shield(task)

    session.run(work, service=True)
