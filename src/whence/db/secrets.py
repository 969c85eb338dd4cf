"""The password of the application's login role, generated once and readable by its user only."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from whence.db.app_role import APP_ROLE


def app_password(folder: Path) -> str:
    """The app role's password for the embedded server in `folder`; generated if there is none."""
    path = folder / f"{APP_ROLE}.password"
    draft = path.with_suffix(f".{os.getpid()}.{secrets.token_hex(4)}")
    if not path.exists():
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(32))
        try:
            path.hardlink_to(draft)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text(encoding="utf-8")
