"""`whence account`, `organization`, `keys`: what an operator does without a mail server."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from whence.tenancy import accounts, sessions, tokens
from whence.tenancy.principal import Role
from whence.tenancy.tokens import BadToken

pytestmark = pytest.mark.anyio
WHENCE = shutil.which("whence", path=str(Path(sys.executable).parent)) or "whence"
EMAIL, PASSWORD, HERE = "ada@example.org", "a herring in the attic", "192.0.2.1"


def ok(process: subprocess.CompletedProcess[str]) -> str:
    assert process.returncode == 0, process.stderr
    return process.stdout.strip()


def notes_of(process: subprocess.CompletedProcess[str]) -> str:
    """What it told the person, beside its result."""
    assert process.returncode == 0, process.stderr
    return process.stderr


def test_an_import_for_another_organization_names_the_account_and_the_role(
    shell: Any, tmp_path: Path
) -> None:
    file = tmp_path / "notes.csv"
    file.write_text("id,title,text\na,A,x\n")
    ok(shell.run("account", "create", EMAIL))
    ok(shell.run("organization", "create", "North shop"))
    there = ("--organization", "North shop")
    ok(shell.run("account", "create", "vi@example.org", "--role", "viewer", *there))
    command = ("import", "resale.items", str(file), *there)
    alone = shell.run(*command)
    assert alone.returncode == 2
    assert "The local owner is not a member of 'North shop'; name a member of it with --as" in (
        " ".join(alone.stderr.split())
    )
    viewer = shell.run(*command, "--as", "vi@example.org")
    assert viewer.returncode == 2
    assert "'vi@example.org' is a viewer there; only owners and members may import" in (
        " ".join(viewer.stderr.split())
    )

    joined = notes_of(shell.run("account", "create", EMAIL, *there))
    assert f"North shop now includes {EMAIL}, who has an account already." in joined


async def test_an_account_from_its_making_to_its_removal(shell: Any, platform: Any) -> None:
    db = platform.db
    link = ok(shell.run("account", "create", EMAIL, WHENCE_PUBLIC_URL="https://w.example/"))
    assert link.startswith("https://w.example/reset?token=whp_")
    secret = parse_qs(urlsplit(link).query)["token"][0]
    await accounts.reset_password(db, secret, PASSWORD)
    who = await accounts.sign_in(db, EMAIL, PASSWORD, address=HERE)
    assert (who.org_id, who.role) == (platform.owner.org_id, Role.MEMBER)
    started = await sessions.start(db, who, label="test", settings=platform.settings)

    assert f"{EMAIL} is viewer now." in notes_of(shell.run("account", "role", EMAIL, "viewer"))
    assert (await sessions.authenticate(db, started.access)).role is Role.VIEWER
    assert "a new key; the old one ended" in notes_of(shell.run("keys", "rotate", "--at-once"))
    with pytest.raises(BadToken):
        await sessions.authenticate(db, started.access)
    await sessions.refresh(db, started.refresh, settings=platform.settings)

    token = ok(shell.run("token", "create", "script", "--user", EMAIL))
    assert (await tokens.authenticate(db, token, ("api",))).user_id == who.user_id
    assert EMAIL in ok(shell.run("token", "list"))
    ended = notes_of(shell.run("account", "sign-out", EMAIL, "--tokens"))
    assert "1 sessions ended, 1 tokens revoked" in ended
    request = shell.run("account", "reset", EMAIL)
    assert "/reset?token=whp_" in ok(request)
    assert f"API tokens continue; `whence account sign-out {EMAIL} --tokens` ends them" in notes_of(
        request
    )
    assert "viewer" in ok(shell.run("account", "list"))
    assert f"{EMAIL} was taken out" in notes_of(shell.run("account", "remove", EMAIL))
    assert len(await accounts.members(db, platform.owner)) == 1


async def test_a_password_from_stdin_needs_no_link(shell: Any, platform: Any) -> None:
    words = ("account", "create", EMAIL, "--password-stdin")
    process = subprocess.run(
        [WHENCE, *words],
        env=shell.env,
        input=f"{PASSWORD}\n",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ok(process) == ""
    await accounts.sign_in(platform.db, EMAIL, PASSWORD, address=HERE)


def test_organizations_are_made_and_listed(shell: Any) -> None:
    org = ok(shell.run("organization", "create", "Second"))
    assert org in ok(shell.run("organization", "list"))


@pytest.mark.parametrize(
    ("words", "code", "reason"),
    [
        (("account", "reset", "nobody@example.org"), 2, "There is no account"),
        (("account", "remove", "owner@localhost"), 1, "needs an owner"),
        (("token", "create", "t", "--organization", "x"), 2, "--user"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_an_exit_code(
    shell: Any, words: tuple[str, ...], code: int, reason: str
) -> None:
    process = shell.run(*words)
    assert (process.returncode, process.stdout) == (code, "")
    [line] = process.stderr.splitlines()
    assert line.startswith("whence: ")
    assert reason in line
