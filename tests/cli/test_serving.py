"""What `whence serve` hands out on start, and where it will not listen."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from whence.app import build, discovery
from whence.app import database as app_database
from whence.cli.serve import with_accounts
from whence.kernel.errors import Misconfigured
from whence.kernel.settings import Settings
from whence.tenancy import accounts, operator, sessions, tokens
from whence.tenancy.access import SessionEnded
from whence.tenancy.local import LOCAL_EMAIL
from whence.tenancy.principal import Role

pytestmark = pytest.mark.anyio


async def set_up_token(settings: Settings) -> str:
    """The secret of the link that sets the first password."""
    return str(await with_accounts(settings)).partition("token=")[2]


async def test_a_set_up_link_is_made_only_until_somebody_has_a_password(
    settings: Settings,
) -> None:
    first, second = await set_up_token(settings), await set_up_token(settings)
    async with build.platform(settings) as platform:
        with pytest.raises(accounts.BadLink):  # a later link ends the one before
            await accounts.reset_password(platform.db, first, "a quiet river at dawn")
        await accounts.reset_password(platform.db, second, "a quiet river at dawn")
        who = await accounts.sign_in(
            platform.db, LOCAL_EMAIL, "a quiet river at dawn", address="192.0.2.1"
        )
        assert who.user_id == platform.owner.user_id
    assert await with_accounts(settings) is None
    async with app_database.database(settings, discovery.discover(settings.pack_dirs)) as opened:
        assert operator.listed(opened.admin_url)[0].has_password


async def test_with_accounts_what_a_sign_in_link_began_is_over(settings: Settings) -> None:
    async with build.platform(settings) as platform:
        who, db = platform.owner, platform.db
        started = await sessions.start(db, who, label="test", settings=settings)
        unused = await tokens.issue(db, who, "link", kind="sign_in")
        assert await sessions.authenticate(db, started.access) == who
        await with_accounts(settings)
        with pytest.raises(SessionEnded):
            await sessions.authenticate(db, started.access)
        with pytest.raises(SessionEnded):
            await sessions.refresh(db, started.refresh, settings=settings)
        with pytest.raises(tokens.BadToken):
            await tokens.spend_link(db, unused)


async def test_one_owner_is_named_and_a_link_that_was_made_stays_valid(settings: Settings) -> None:
    async with app_database.database(settings, discovery.discover(settings.pack_dirs)) as opened:
        link = operator.create(opened.admin_url, "ada@example.org", role=Role.OWNER)
    said = str(await with_accounts(settings))
    assert "whence account reset ada@example.org" in said
    assert LOCAL_EMAIL not in said
    async with build.platform(settings) as platform:
        await accounts.reset_password(platform.db, str(link), "a quiet river at dawn")


def test_it_will_not_listen_for_others_without_accounts() -> None:
    from whence.cli.app import app

    result = CliRunner().invoke(app, ["serve", "--host", "0.0.0.0"])
    assert isinstance(result.exception, Misconfigured)
    assert "whence account create you@example.org" in result.exception.message
