"""Finds packs: every folder with a `pack.py`, in whence and in the operator's folders."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Sequence
from pathlib import Path

import whence.packs
from whence.kernel.errors import Misconfigured
from whence.sdk import Pack


def discover(folders: Sequence[Path]) -> list[Pack]:
    """Every pack (a folder with a `pack.py`) in `whence.packs` and in `folders`, by id.

    Raises Misconfigured for a missing folder and for a pack without `PACK`.
    """
    for folder in folders:
        if not folder.is_dir():
            raise Misconfigured(f"WHENCE_PACK_DIRS names '{folder}', which is no folder.")
        if str(folder) not in whence.packs.__path__:
            whence.packs.__path__.append(str(folder))
    packs: list[Pack] = []
    for module in pkgutil.iter_modules(whence.packs.__path__):
        name = f"whence.packs.{module.name}"
        if module.ispkg and importlib.util.find_spec(f"{name}.pack"):
            pack = getattr(importlib.import_module(f"{name}.pack"), "PACK", None)
            if not isinstance(pack, Pack):
                raise Misconfigured(f"The pack '{module.name}' has no `PACK` in its pack.py.")
            packs.append(pack)
    return sorted(packs, key=lambda pack: pack.id)
