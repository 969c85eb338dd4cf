"""Where an organization's photographs are kept: one folder each, files named by their content."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID


def uploads_folder(home: Path, org_id: UUID) -> Path:
    """The folder of one organization under whence's home."""
    return home / "uploads" / str(org_id)
