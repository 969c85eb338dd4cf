"""`whence account`, `organization`, `keys`: what an operator does without a mail server."""

from __future__ import annotations

import subprocess
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from whence.tenancy import accounts, sessions, tokens
from whence.tenancy.accounts import WrongCredentials
from whence.tenancy.principal import Role
from whence.tenancy.tokens import BadToken

pytestmark = pytest.mark.anyio
EMAIL = "ada@example.org"
PASSWORD = "a herring in the attic"


def ok(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def secret_of(link: str) -> str:
    return parse_qs(urlsplit(link).query)["token"][0]


def pipe(shell: Any, text: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*shell_words(), *words],
        env=shell.env,
        input=text,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def shell_words() -> list[str]:
    import shutil
    import sys
    from pathlib import Path

    return [shutil.which("whence", path=str(Path(sys.executable).parent)) or "whence"]


async def test_an_account_from_its_making_to_its_removal(shell: Any, platform: Any) -> None:
    db, here = platform.db, "192.0.2.1"
    link = ok(
        shell.run(
            "account", "create", EMAIL, "--name", "Ada", WHENCE_PUBLIC_URL="https://w.example/"
        )
    )
    assert link.startswith("https://w.example/reset?token=whp_")
    await accounts.reset_password(db, secret_of(link), PASSWORD)
    who = await accounts.sign_in(db, EMAIL, PASSWORD, address=here)
    assert (who.org_id, who.role) == (platform.owner.org_id, Role.MEMBER)
    started = await sessions.start(db, who, label="test", settings=platform.settings)

    ok(shell.run("account", "role", EMAIL, "viewer"))
    assert (await sessions.authenticate(db, started.access)).role is Role.VIEWER
    ok(shell.run("keys", "rotate"))
    assert await sessions.authenticate(db, started.access) == who.__class__(
        who.org_id, who.user_id, Role.VIEWER, frozenset({"read"})
    )
    ok(shell.run("keys", "rotate", "--at-once"))
    with pytest.raises(BadToken):
        await sessions.authenticate(db, started.access)
    again = await sessions.refresh(db, started.refresh, settings=platform.settings)
    await sessions.authenticate(db, again.access)

    token = ok(shell.run("token", "create", "script", "--user", EMAIL))
    assert await tokens.authenticate(db, token, ("api",)) == who.__class__(
        who.org_id, who.user_id, Role.VIEWER, frozenset({"read"})
    )
    assert EMAIL in ok(shell.run("token", "list"))
    assert (
        "1 sessions ended, 1 tokens revoked"
        in shell.run("account", "sign-out", EMAIL, "--tokens").stderr
    )
    for given in (
        sessions.authenticate(db, again.access),
        tokens.authenticate(db, token, ("api",)),
    ):
        with pytest.raises(BadToken):
            await given

    link = ok(shell.run("account", "reset", EMAIL))
    await accounts.reset_password(db, secret_of(link), "another quiet heron")
    await accounts.sign_in(db, EMAIL, "another quiet heron", address=here)
    listed = ok(shell.run("account", "list"))
    assert EMAIL in listed
    assert "viewer" in listed
    ok(shell.run("account", "remove", EMAIL))
    with pytest.raises(WrongCredentials):
        await accounts.sign_in(db, EMAIL, "another quiet heron", address=here)


async def test_a_password_from_stdin_needs_no_link(shell: Any, platform: Any) -> None:
    done = pipe(shell, f"{PASSWORD}\n", "account", "create", EMAIL, "--password-stdin")
    assert ok(done) == ""
    await accounts.sign_in(platform.db, EMAIL, PASSWORD, address="192.0.2.1")
    ok(pipe(shell, "another quiet heron\n", "account", "reset", EMAIL, "--password-stdin"))
    await accounts.sign_in(platform.db, EMAIL, "another quiet heron", address="192.0.2.1")
    weak = pipe(shell, "short\n", "account", "reset", EMAIL, "--password-stdin")
    assert (weak.returncode, "10 to 200" in weak.stderr) == (2, True)


async def test_a_second_organization_has_to_be_named(shell: Any, platform: Any) -> None:
    org = ok(shell.run("organization", "create", "Second"))
    assert org in ok(shell.run("organization", "list"))
    unclear = shell.run("account", "create", EMAIL)
    assert (unclear.returncode, "--organization" in unclear.stderr) == (2, True)
    first = ok(shell.run("account", "create", EMAIL, "--organization", "second", "--role", "owner"))
    assert secret_of(first)
    joined = shell.run("account", "create", EMAIL, "--organization", "My organization")
    assert (ok(joined), "joined" in joined.stderr) == ("", True)
    last = shell.run("account", "remove", EMAIL, "--organization", org)
    assert (last.returncode, "needs an owner" in last.stderr) == (1, True)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("account", "reset", "nobody@example.org"), 2, "There is no account"),
        (("account", "create", "no-address"), 2, "no e-mail address"),
        (("account", "create", "owner@localhost"), 2, "a member already"),
        (("account", "role", "owner@localhost", "viewer"), 1, "needs an owner"),
        (("account", "remove", "owner@localhost", "--organization", "x"), 2, "no organization 'x'"),
        (("organization", "create", " "), 2, "needs a name"),
        (("organization", "create", "my organization"), 2, "There is an organization"),
        (("token", "create", "t", "--organization", "x"), 2, "--user"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_an_exit_code(
    shell: Any, words: tuple[str, ...], code: int, said: str
) -> None:
    done = shell.run(*words)
    assert (done.returncode, done.stdout) == (code, "")
    [line] = done.stderr.splitlines()
    assert line.startswith("whence: ")
    assert said in line
