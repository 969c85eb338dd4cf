"""`whence backup FILE` and `whence restore FILE`: everything of an installation in one file."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from whence.app import database as app_database
from whence.app import discovery
from whence.cli import session
from whence.db import archive, dump, figures
from whence.db.archive import Manifest
from whence.db.embedded import EmbeddedPostgres
from whence.db.embedded.keeper import running_server
from whence.kernel.errors import Invalid
from whence.kernel.settings import Settings

AsJson = Annotated[bool, typer.Option("--json", help="The result as one line of JSON")]


def backup(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write")],
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it exists")] = False,
    as_json: AsJson = False,
) -> None:
    """Write database, files and secrets into one file; work can continue meanwhile.

    The file contains all data of the organizations: protect it like the database.
    """
    if path.is_dir():
        raise Invalid(f"'{path}' is a folder; name a file in it, such as '{path / 'whence.tar'}'.")
    if path.exists() and not force:
        raise Invalid(f"{path} exists; choose another name, or replace it with --force.")
    settings = session.settings()

    async def work() -> Manifest:
        async with _address(settings) as url:
            return await asyncio.to_thread(write, url, path, settings.home)

    manifest = session.run(work)
    if as_json:
        print(
            session.as_line({"file": str(path), **manifest.model_dump(mode="json", by_alias=True)})
        )
    else:
        size = path.stat().st_size / 1e6
        files = f"{manifest.home_files} file{'' if manifest.home_files == 1 else 's'}"
        session.out().print(f"{path}: {size:.1f} MB, with {files} of WHENCE_HOME.")


def restore(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `backup` wrote")],
    force: Annotated[bool, typer.Option("--force", help="Replace existing data")] = False,
    as_json: AsJson = False,
) -> None:
    """Restore a backup into an empty database and home, and migrate it to this version.

    Everybody is signed out; runs that were in progress continue with the next worker.
    """
    if path.is_dir():
        raise Invalid(f"'{path}' is a folder; name a file that `whence backup` wrote.")
    if not path.is_file():
        raise Invalid(f"There is no file '{path}'.")
    settings = session.settings()
    if archive.files_of(settings.home) and not force:
        raise dump.NotEmpty(f"WHENCE_HOME ({settings.home}) holds files. {dump.NotEmpty.__doc__}")

    async def work() -> Manifest:
        async with _address(settings) as url:
            manifest = await asyncio.to_thread(read, url, path, settings.home, force=force)
        async with app_database.database(settings, discovery.discover(settings.pack_dirs)):
            return manifest

    manifest = session.run(work)
    if as_json:
        print(
            session.as_line({"file": str(path), **manifest.model_dump(mode="json", by_alias=True)})
        )
    else:
        at = f"{manifest.made_at:%Y-%m-%d %H:%M} UTC"
        session.out().print(f"Restored the state of {at}. Everybody has to sign in again.")


@asynccontextmanager
async def _address(settings: Settings) -> AsyncGenerator[str]:
    """The owner's address of the database as it is: a backup comes before an upgrade."""
    if settings.database_url:
        yield settings.database_url.get_secret_value()
        return
    async with running_server(EmbeddedPostgres(settings.home)) as server:
        yield server.admin_url


def write(url: str, path: Path, home: Path) -> Manifest:
    with archive.workplace(path) as folder:
        # Files after the database: one that a row names is there before the row is.
        origin = dump.dump(url, folder / archive.DUMP)
        return archive.pack(path, version("whence"), origin, folder / archive.DUMP, home)


def read(url: str, path: Path, home: Path, *, force: bool) -> Manifest:
    replace = dump.require_room(url, force=force)
    home.mkdir(parents=True, exist_ok=True)
    with archive.workplace(home / path.name) as folder:
        manifest = archive.unpack(path, folder)
        if manifest.revision > figures.own_revision():
            raise Invalid(
                f"This backup was made by whence {manifest.whence}, which is newer; install that."
            )
        dump.load(url, folder / archive.DUMP, manifest.origin, replace=replace)
        archive.put_back(folder, home)
    return manifest
