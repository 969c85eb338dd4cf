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
from whence.tenancy.principal import Role

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
        notice = await with_accounts(settings) if settings.accounts else None
        async with session.opened(settings, working=worker, patient=True) as platform:
            session.warn_of_unknown(platform.packs)
            token = None if settings.accounts else await sign_in_token(platform)

            def ready(url: str) -> None:
                shown = site.public_origin or site.browsable(url)
                console.print(f"whence is listening on {url}", soft_wrap=True)
                if token:
                    console.print(f"Sign in once: {shown}/sign-in?token={token}", soft_wrap=True)
                if notice:
                    console.print(notice.format(url=shown), soft_wrap=True)
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


async def with_accounts(settings: Settings) -> str | None:
    """End what the link of a server without accounts began; how the first password is set.

    The text has a place `{url}` for the server's address; it is None if somebody has a password.
    An owner that `whence account create` made has a link already, which stays valid.
    """
    async with app_database.database(settings, discovery.discover(settings.pack_dirs)) as opened:
        url = opened.admin_url
        await asyncio.to_thread(operator.end_link_sessions, url)
        lines = await asyncio.to_thread(operator.listed, url)
        if any(line.has_password for line in lines):
            return None
        owners = [line.email for line in lines if line.role == Role.OWNER]
        if made := [email for email in owners if email != LOCAL_EMAIL]:
            return (
                f"No account has a password yet. Set that of {made[0]} with the link that `whence "
                f"account create` printed; `whence account reset {made[0]}` prints another one."
            )
        token = await asyncio.to_thread(operator.reset, url, LOCAL_EMAIL)
        return (
            f"No account has a password yet. Set that of {LOCAL_EMAIL} within an hour: "
            f"{{url}}/reset?token={token}"
        )


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
