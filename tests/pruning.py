"""What tests of retention share: every rule of a platform, kept once."""

from __future__ import annotations

from collections.abc import Mapping

from whence.app.platform import Platform
from whence.app.retention import retention_rules
from whence.kernel.settings import Settings
from whence.work.retention import BATCH
from whence.work.retention import prune as prune_by


async def prune(
    platform: Platform, settings: Settings | None = None, *, batch: int = BATCH
) -> Mapping[str, int]:
    """Remove what is due under these settings, else the platform's; how many by rule."""
    rules = retention_rules(platform.db, settings or platform.settings, platform.files)
    return await prune_by(rules, batch=batch)
