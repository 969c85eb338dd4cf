"""Create our own folders, and refuse those of others.

Nothing outside `HOME/postgres` (and the short socket folder) is changed; existing parent folders
keep their mode and owner.
"""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

from whence.db.embedded.account import Account, user_name
from whence.db.embedded.errors import HomeNotWritable, HomeOfAnotherUser, naming_the_fix
from whence.db.embedded.layout import Layout


def prepare_home(layout: Layout) -> None:
    """Create the home and our folder in it.

    For root, both get mode 0711, so that the server's account can enter them. Raises
    HomeOfAnotherUser, HomeNotWritable or DiskFull.
    """
    mode = 0o711 if os.geteuid() == 0 else 0o700
    with naming_the_fix(layout.folder):
        _require_own(layout)
        for folder in reversed([p for p in layout.home.parents if not _exists(p)]):
            _make(folder, 0o755)
        _make(layout.home, mode)
        _make(layout.folder, mode)
        _require_own(layout)


def prepare_server_folders(layout: Layout, account: Account | None) -> None:
    """Create the folders that the server writes to; its account owns them.

    Raises HomeNotWritable if another user has created the short socket folder.
    """
    with naming_the_fix(layout.folder):
        make_for(account, layout.tmp)
        make_for(account, layout.socket_dir)
    status = layout.socket_dir.lstat()
    owner = account.uid if account else os.geteuid()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != owner or status.st_mode & 0o077:
        raise HomeNotWritable(
            f"{layout.socket_dir}, which the database needs for its socket, belongs to another "
            f"user ({user_name(status.st_uid)}) or is open to others. Remove it, or set "
            "WHENCE_HOME to a shorter path."
        )


def make_for(account: Account | None, folder: Path) -> None:
    """Create `folder` (mode 0700) for the server's account; an existing one is not changed."""
    if _make(folder, 0o700) and account:
        os.chown(folder, account.uid, account.gid, follow_symlinks=False)


def remove_short_socket_dir(layout: Layout) -> None:
    """Remove the socket folder if it is outside the home and belongs to the server."""
    if layout.socket_dir.parent == layout.folder:
        return
    try:
        own = layout.socket_dir.lstat().st_uid == layout.data.lstat().st_uid
    except OSError:
        return
    if own:
        shutil.rmtree(layout.socket_dir, ignore_errors=True)


def _require_own(layout: Layout) -> None:
    me = os.geteuid()
    for folder in (layout.home, layout.folder):
        try:
            status = folder.lstat()
        except FileNotFoundError:
            return
        except PermissionError:
            closed = next(p for p in (folder, *folder.parents) if _exists(p))
            raise _foreign(closed, closed.stat().st_uid) from None
        ours = folder == layout.folder
        if status.st_uid != me and (ours or not os.access(folder, os.W_OK | os.X_OK)):
            raise _foreign(folder, status.st_uid)
        if ours and not stat.S_ISDIR(status.st_mode):
            raise HomeNotWritable(f"{folder} is not a folder. Move it away, or set WHENCE_HOME.")


def _foreign(folder: Path, owner: int) -> HomeOfAnotherUser:
    return HomeOfAnotherUser(
        f"{folder} belongs to {user_name(owner)}, and you are {user_name(os.geteuid())}. "
        "Set WHENCE_HOME to a folder of your own, or run whence as that user."
    )


def _exists(path: Path) -> bool:
    try:
        path.lstat()
    except (FileNotFoundError, PermissionError):
        return False
    return True


def _make(folder: Path, mode: int) -> bool:
    try:
        folder.mkdir(mode=mode)
    except FileExistsError:
        return False
    folder.chmod(mode)  # the umask may have removed rights that the server's account needs
    return True
