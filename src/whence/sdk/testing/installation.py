"""A pack's tables in a temporary database: for imports and anything that writes."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import text

from whence.db.app_role import APP_ROLE
from whence.db.database import Database
from whence.db.embedded import EmbeddedPostgres
from whence.db.migrate import Tree, migrate
from whence.db.secrets import app_password
from whence.db.urls import as_app
from whence.kernel.errors import Misconfigured, NotFound
from whence.kernel.settings import Settings
from whence.research.checkpoint_schema import CHECKPOINTS_SCHEMA
from whence.sdk.imports import ImportContext, ImportReport
from whence.sdk.pack import Pack
from whence.tenancy.local import local_owner
from whence.tenancy.principal import Principal
from whence.work.schema import JOBS_SCHEMA

_TABLES = text("SELECT schemaname, tablename FROM pg_tables")


class MigrationsFail(Misconfigured):
    """The migrations of the pack fail; the error that they raised is the cause of this one."""


@dataclass(frozen=True)
class Installation:
    """A pack with its tables, and an owner to act as."""

    pack: Pack
    principal: Principal
    db: Database
    settings: Settings
    engine_tables: frozenset[tuple[str, str]]
    """Schema and name of every table that the pack did not create."""

    async def run_import(self, name: str, path: Path) -> ImportReport:
        """Import a file with one of the pack's importers; raises NotFound."""
        for importer in self.pack.importers:
            if importer.name == name:
                context = ImportContext(self.principal, self.db, self.settings)
                return await importer.run(context, path)
        raise NotFound(f"The pack '{self.pack.id}' has no import '{name}'.")


@asynccontextmanager
async def installation(pack: Pack, *, admin_url: str | None = None) -> AsyncGenerator[Installation]:
    """The pack's tables in an embedded database that is removed at the end.

    `admin_url`: use this empty database instead; it is not cleaned up.  Raises MigrationsFail.
    """
    async with AsyncExitStack() as stack:
        home = await asyncio.to_thread(_home, stack)
        password: str | None = None
        if admin_url is None:
            embedded = EmbeddedPostgres(home)
            server = await asyncio.to_thread(embedded.__enter__)
            stack.push_async_callback(asyncio.to_thread, embedded.__exit__, None, None, None)
            password = app_password(server.folder)
            url = server.admin_url
            app_url = as_app(server.url(APP_ROLE, password), role=None, application="whence")
        else:
            url = admin_url
            app_url = as_app(url, role=APP_ROLE, application="whence")
        trees = [Tree(pack.id, pack.migrations)] if pack.migrations.is_dir() else []
        libraries = [JOBS_SCHEMA, CHECKPOINTS_SCHEMA]
        await asyncio.to_thread(migrate, url, [], libraries, password)
        db = Database(app_url)
        stack.push_async_callback(db.close)
        owner = await asyncio.to_thread(local_owner, url)
        async with db.unit(owner.org_id) as session:
            before = frozenset((await session.execute(_TABLES)).tuples().all())
        try:
            await asyncio.to_thread(migrate, url, trees, libraries, password)
        except Exception as error:  # migrations are code of the pack
            raise MigrationsFail(f"The migrations of '{pack.id}' fail: {error}") from error
        yield Installation(pack, owner, db, Settings(home=home, pack_dirs=[]), before)


def _home(stack: AsyncExitStack) -> Path:
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="whence-pack-")))
    folder.chmod(0o755)  # as root, the server's account must be able to enter it
    home = folder / "home"
    home.mkdir()
    return home
