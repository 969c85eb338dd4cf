"""`whence serve` (API and a worker in one process) and `whence worker` (a worker alone)."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from whence import main
from whence.cli import session
from whence.tenancy import tokens


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on")] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port to listen on; 0 picks a free one")
    ] = None,
    worker: Annotated[bool, typer.Option(help="Also run a worker in this process")] = True,
) -> None:
    """Serve the API, and work on research, until stopped; prints a one-time sign-in link."""
    from whence.transports.serve import serve as serve_api

    chosen = {"host": host, "port": port}
    given = {name: value for name, value in chosen.items() if value is not None}
    found = session.settings().model_copy(update=given)
    console = session.progress()

    async def work() -> None:
        async with session.opened(found, working=worker, patient=True) as built:
            lifetime = tokens.SIGN_IN_LIFETIME
            link = await tokens.issue(
                built.db, built.owner, "sign-in link", kind="sign_in", lifetime=lifetime
            )

            def ready(url: str) -> None:
                console.print(f"whence is listening on {url}", soft_wrap=True)
                console.print(f"Sign in once: {url}/sign-in?token={link}", soft_wrap=True)

            await serve_api(built, found.host, found.port, ready)

    session.run(work, service=True)


def worker() -> None:
    """Work on queued research until stopped; runs under way are handed back."""
    from whence.transports.beside_worker import beside_worker

    found = session.settings()
    console = session.progress()

    async def work() -> None:
        async with session.opened(found, patient=True) as built, main.worker(built) as task:
            console.print(f"Working, {found.worker_concurrency} runs at once; stop with Ctrl-C.")
            async with beside_worker(built, found.metrics_port) as metrics:
                if metrics:
                    console.print(f"Metrics: {metrics}/metrics", soft_wrap=True)
                await asyncio.shield(task)

    session.run(work, service=True)
