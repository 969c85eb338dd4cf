"""Opens the database: starts it if it is embedded, and migrates it to this version."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from whence.db.app_role import APP_ROLE
from whence.db.embedded import EmbeddedPostgres
from whence.db.embedded.keeper import running_server
from whence.db.migrate import Tree, migrate
from whence.db.secrets import app_password
from whence.db.urls import as_app
from whence.db.wait_until_ready import wait_until_ready
from whence.kernel.settings import Settings
from whence.research.checkpoint_schema import CHECKPOINTS_SCHEMA
from whence.sdk import Pack
from whence.tenancy.local import local_owner
from whence.tenancy.principal import Principal
from whence.work.schema import JOBS_SCHEMA


@dataclass(frozen=True)
class Opened:
    """A migrated database: the URLs of its owner and of the application."""

    admin_url: str
    app_url: str
    owner: Principal


@asynccontextmanager
async def database(
    settings: Settings, packs: Sequence[Pack], *, patient: bool = False
) -> AsyncGenerator[Opened]:
    """The database, started if it is embedded, and migrated to this version.

    `patient`: wait for an external database that is not available yet.
    """
    trees = [Tree(pack.id, pack.migrations) for pack in packs if pack.migrations.is_dir()]
    libraries = [JOBS_SCHEMA, CHECKPOINTS_SCHEMA]
    async with AsyncExitStack() as stack:
        if settings.database_url:
            admin_url, password = settings.database_url.get_secret_value(), None
            app_url = as_app(admin_url, role=APP_ROLE, application="whence")
            if patient:
                await wait_until_ready(admin_url)
        else:
            server = await stack.enter_async_context(
                running_server(EmbeddedPostgres(settings.home))
            )
            password = app_password(server.folder)
            admin_url = server.admin_url
            app_url = as_app(server.url(APP_ROLE, password), role=None, application="whence")
        await asyncio.to_thread(migrate, admin_url, trees, libraries, password)
        yield Opened(admin_url, app_url, await asyncio.to_thread(local_owner, admin_url))
