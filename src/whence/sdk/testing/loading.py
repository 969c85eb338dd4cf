"""Loads one pack from its folder."""

from __future__ import annotations

import importlib
from pathlib import Path

from whence.kernel.errors import Misconfigured
from whence.sdk.pack import Pack


def load_pack(folder: Path) -> Pack:
    """The pack in a folder, imported as discovery does; raises Misconfigured."""
    folder = folder.resolve()
    if not (folder / "pack.py").is_file():
        raise Misconfigured(f"'{folder}' has no pack.py; name the folder of a pack.")
    if not folder.name.isidentifier():
        raise Misconfigured(
            f"'{folder.name}' is no Python package name; use lower-case letters, digits and '_'."
        )
    packs = importlib.import_module("whence.packs")
    if str(folder.parent) not in packs.__path__:
        packs.__path__.append(str(folder.parent))
    importlib.invalidate_caches()
    module = importlib.import_module(f"whence.packs.{folder.name}.pack")
    if Path(module.__file__ or "").parent != folder:
        raise Misconfigured(
            f"Another pack named '{folder.name}' comes first: {module.__file__}; rename the folder."
        )
    pack = getattr(module, "PACK", None)
    if not isinstance(pack, Pack):
        raise Misconfigured(f"The pack '{folder.name}' has no `PACK` in its pack.py.")
    return pack
