"""What the attacks share."""

from __future__ import annotations

import pytest

from whence.app.platform import Platform
from whence.tenancy import tokens


@pytest.fixture
async def owner_token(platform: Platform) -> str:
    """An API token of the local owner."""
    return await tokens.issue(platform.db, platform.owner, "owner")
