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
    worker: Annotated[bool, typer.Option(help="Also execute research in this process")] = True,
) -> None:
    """Serve the API and execute research until stopped.

    Without accounts, it prints a one-time sign-in link for the local owner.
    """
    from whence.transports.edge.origins import require_accounts_beyond_loopback
    from whence.transports.edge.site import site_of
    from whence.transports.serve import serve as serve_api

    chosen = {"host": host, "port": port}
    overrides = {name: value for name, value in chosen.items() if value is not None}
    settings = session.settings().model_copy(update=overrides)
    console = session.progress()
    site = site_of(settings)
    require_accounts_beyond_loopback(site, accounts=settings.accounts)

    async def work() -> None:
        set_up = await set_up_token(settings) if settings.accounts else None
        async with session.opened(settings, working=worker, patient=True) as platform:
            session.warn_of_unknown(platform.packs)
            token = None if settings.accounts else await sign_in_token(platform)

            def ready(url: str) -> None:
                shown = site.public_origin or site.browsable(url)
                console.print(f"whence is listening on {url}", soft_wrap=True)
                if token:
                    console.print(f"Sign in once: {shown}/sign-in?token={token}", soft_wrap=True)
                if set_up:
                    console.print(
                        f"No account has a password yet. Set that of {LOCAL_EMAIL} within an "
                        f"hour: {shown}/reset?token={set_up}",
                        soft_wrap=True,
                    )
                for warning in site.warnings:
                    console.print(f"Warning: {warning}", soft_wrap=True)

            loading = asyncio.create_task(_loaded(platform), name="loading")
            loading.add_done_callback(_record)
            try:
                await serve_api(platform, settings.host, settings.port, ready)
            finally:
                loading.cancel()

    session.run(work, service=True)


async def _loaded(platform: Platform) -> None:
    """Load what the first answer needs; then nothing that was loaded is looked at again."""
    await platform.turns.load()
    freeze_loaded_objects()


def _record(loading: asyncio.Task[None]) -> None:
    if not loading.cancelled() and (error := loading.exception()):
        _log.error("what the first answer needs could not be loaded", exc_info=error)


async def sign_in_token(platform: Platform) -> str:
    """A one-time link for the local owner, who needs no password on this machine."""
    lifetime = tokens.SIGN_IN_LIFETIME
    return await tokens.issue(
        platform.db, platform.owner, "sign-in link", kind="sign_in", lifetime=lifetime
    )


async def set_up_token(settings: Settings) -> str | None:
    """A link for setting an installation's first password; None if there is one already."""
    async with app_database.database(settings, discovery.discover(settings.pack_dirs)) as opened:
        lines = await asyncio.to_thread(operator.listed, opened.admin_url)
        if any(line.has_password for line in lines):
            return None
        return await asyncio.to_thread(operator.reset, opened.admin_url, LOCAL_EMAIL)


def worker() -> None:
    """Execute queued research until stopped; runs in progress are handed back."""
    from whence.transports.worker_server import beside_worker

    settings = session.settings()
    console = session.progress()

    async def work() -> None:
        async with (
            session.opened(settings, patient=True) as platform,
            build.worker(platform) as task,
        ):
            session.warn_of_unknown(platform.packs)
            console.print(f"Working, {settings.worker_concurrency} runs at once; stop with Ctrl-C.")
            async with beside_worker(platform, settings.metrics_port) as metrics:
                if metrics:
                    console.print(f"Metrics: {metrics}/metrics", soft_wrap=True)
                await asyncio.shield(task)

    session.run(work, service=True)
