"""What `whence serve` hands out on start, and where it will not listen."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from whence.app import build, discovery
from whence.app import database as app_database
from whence.cli.serve import set_up_token
from whence.kernel.errors import Misconfigured
from whence.kernel.settings import Settings
from whence.tenancy import accounts, operator
from whence.tenancy.local import LOCAL_EMAIL

pytestmark = pytest.mark.anyio


async def test_a_set_up_link_is_made_only_until_somebody_has_a_password(
    settings: Settings,
) -> None:
    first, second = await set_up_token(settings), await set_up_token(settings)
    assert first
    assert second
    async with build.platform(settings) as platform:
        with pytest.raises(accounts.BadLink):  # a later link ends the one before
            await accounts.reset_password(platform.db, first, "a quiet river at dawn")
        await accounts.reset_password(platform.db, second, "a quiet river at dawn")
        who = await accounts.sign_in(
            platform.db, LOCAL_EMAIL, "a quiet river at dawn", address="192.0.2.1"
        )
        assert who.user_id == platform.owner.user_id
    assert await set_up_token(settings) is None
    async with app_database.database(settings, discovery.discover(settings.pack_dirs)) as opened:
        assert operator.listed(opened.admin_url)[0].has_password


def test_it_will_not_listen_for_others_without_accounts() -> None:
    from whence.cli.app import app

    result = CliRunner().invoke(app, ["serve", "--host", "0.0.0.0"])
    assert isinstance(result.exception, Misconfigured)
    assert "whence account create you@example.org" in result.exception.message
