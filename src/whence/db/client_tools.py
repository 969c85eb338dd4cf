"""PostgreSQL's own programs for dumps: the embedded ones, or those on the `PATH`."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict, make_conninfo

from whence.db.embedded.binaries import installed_binaries
from whence.db.embedded.errors import BinariesMissing
from whence.kernel.errors import Misconfigured

_NEEDED = ("pg_dump", "pg_restore", "psql")
_VERSION = re.compile(r"\(PostgreSQL\) (\d+)")


class NoClientTools(Misconfigured):
    """pg_dump, pg_restore and psql are missing or older than the server; install the package
    postgresql-client of the server's version."""


@dataclass(frozen=True)
class ClientTools:
    """One installation of the programs, and its major version."""

    folder: Path
    major: int

    def command(self, program: str, url: str, *options: str) -> list[str]:
        """The command line of `program` for `url`, without the password, as others can read it."""
        parts = {k: v for k, v in conninfo_to_dict(url).items() if k != "password"}
        return [str(self.folder / program), f"--dbname={make_conninfo('', **parts)}", *options]


def environment(url: str) -> Mapping[str, str]:
    """The environment of such a command: ours, with the password for libpq."""
    password = conninfo_to_dict(url).get("password")
    return {**os.environ, "LC_ALL": "C"} | ({"PGPASSWORD": str(password)} if password else {})


def tools_for(server_major: int) -> ClientTools:
    """The programs for a server of this major version; raises NoClientTools."""
    return choose(_installed(), server_major)


def choose(installed: Iterable[ClientTools], server_major: int) -> ClientTools:
    """The oldest that are new enough: a program reads servers up to its own version, and the
    server's own version can always read back what its tools wrote.
    """
    fit = [tools for tools in installed if tools.major >= server_major]
    if not fit:
        raise NoClientTools(
            f"The server is PostgreSQL {server_major}, and no pg_dump, pg_restore and psql of that "
            f"version or a newer one are here; install the package postgresql-client-{server_major}"
            " (or newer)."
        )
    return min(fit, key=lambda tools: tools.major)


def _installed() -> list[ClientTools]:
    folders: list[Path] = []
    with contextlib.suppress(BinariesMissing):
        folders.append(installed_binaries().install / "bin")
    if program := shutil.which("pg_dump"):
        folders.append(Path(program).parent)
    return [tools for folder in folders if (tools := _tools_in(folder))]


def _tools_in(folder: Path) -> ClientTools | None:
    if not all((folder / name).is_file() for name in _NEEDED):
        return None
    process = subprocess.run(
        [str(folder / "pg_dump"), "--version"], capture_output=True, text=True, check=False
    )
    version = _VERSION.search(process.stdout)
    return ClientTools(folder, int(version[1])) if version else None
