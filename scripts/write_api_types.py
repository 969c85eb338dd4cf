"""Writes `web/src/shared/api/schema.d.ts`: the API as TypeScript types, from its OpenAPI document.

The document is that of the platform with the packs that ship, without its prose: a changed sentence
changes no type.  A test compares the digest in the file's first line with the document's.

    python scripts/write_api_types.py        # or: make types
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from whence.app.discovery import discover
from whence.app.platform import Platform
from whence.transports.app import STREAMS
from whence.transports.edge.identity import Gate
from whence.transports.routes.http.application import application

ROOT = Path(__file__).resolve().parents[1]
PLACE = ROOT / "web" / "src" / "shared" / "api" / "schema.d.ts"
TOOL = ROOT / "web" / "node_modules" / ".bin" / "openapi-typescript"
PROSE = frozenset({"description", "summary", "title", "examples", "example"})


def document() -> dict[str, Any]:
    """The OpenAPI document of the platform with the packs that ship, without prose."""
    packs = [
        pack
        for pack in discover([])
        if pack.folder.resolve().is_relative_to(ROOT / "src" / "whence" / "packs")
    ]
    kinds = {kind.kind: kind for pack in packs for kind in pack.subjects}
    platform = cast("Platform", SimpleNamespace(packs=packs, kinds=kinds))
    app = application(platform, STREAMS, gate=cast("Gate", object()))
    return _without_prose(app.openapi())


def digest(whole: dict[str, Any]) -> str:
    """The document's digest, which the first line of the written file holds."""
    return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()[:16]


def head(whole: dict[str, Any]) -> str:
    """The first line of the written file."""
    return f"// Written by scripts/write_api_types.py (`make types`); OpenAPI {digest(whole)}\n"


def _without_prose(value: Any, *, names: bool = False) -> Any:
    """`names`: the keys of this object are names of fields, so `title` is one of them."""
    if isinstance(value, dict):
        return {
            key: _without_prose(item, names=not names and key in ("properties", "schemas"))
            for key, item in value.items()
            if names or key not in PROSE
        }
    if isinstance(value, list):
        return [_without_prose(item) for item in value]
    return value


def main() -> None:
    whole = document()
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "openapi.json", Path(folder) / "schema.d.ts"
        source.write_text(json.dumps(whole), encoding="utf-8")
        subprocess.run(
            [TOOL, source, "--output", target, "--root-types", "--root-types-no-schema-prefix"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        PLACE.write_text(head(whole) + target.read_text(encoding="utf-8"), encoding="utf-8")


if __name__ == "__main__":
    main()
