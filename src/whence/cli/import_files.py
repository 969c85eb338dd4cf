"""What `whence import` imports: a file, or the files of a folder, and what it leaves out there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from whence.kernel.errors import Invalid
from whence.kernel.text import one_line

SUBFOLDER, HIDDEN, NOT_A_FILE, BROKEN = "subfolder", "hidden", "not a file", "broken link"
NAMED = 10
"""Names of what was left out that are shown; `--json` has them all."""


@dataclass(frozen=True)
class LeftOut:
    """Something in a folder that is not imported."""

    name: str
    reason: str
    """`subfolder`, `hidden`, `broken link` or `not a file`."""


@dataclass(frozen=True)
class Files:
    """The files to import, in order of name."""

    paths: Sequence[Path]
    left_out: Sequence[LeftOut] = ()
    is_folder: bool = False

    @property
    def left_out_in_words(self) -> str | None:
        """What was left out, in one sentence; None where everything is imported."""
        if not self.left_out:
            return None
        names = ", ".join(one_line(each.name) for each in self.left_out[:NAMED])
        more = f" and {len(self.left_out) - NAMED} more" if len(self.left_out) > NAMED else ""
        folders = sum(each.reason == SUBFOLDER for each in self.left_out)
        counts = [
            f"{count} {word if count == 1 else word + 's'}"
            for count, word in (
                (folders, "subfolder"),
                (sum(each.reason == HIDDEN for each in self.left_out), "hidden file"),
                (sum(each.reason == BROKEN for each in self.left_out), "broken link"),
                (sum(each.reason == NOT_A_FILE for each in self.left_out), "device or pipe"),
            )
            if count
        ]
        fix = " Import a subfolder by its own path." if folders else ""
        return f"Left out: {', '.join(counts)} ({names}{more}).{fix}"


def files_at(path: Path) -> Files:
    """A file by itself, or those that lie in a folder.  Raises Invalid where there is none."""
    if path.is_file():
        return Files([path])
    if not path.is_dir():
        raise Invalid(f"There is no file '{path}'.")
    entries = [(each, _reason(each)) for each in sorted(path.iterdir())]
    files = Files(
        [each for each, reason in entries if reason is None],
        [LeftOut(each.name, reason) for each, reason in entries if reason is not None],
        is_folder=True,
    )
    if not files.paths:
        why = f" {words}" if (words := files.left_out_in_words) else ""
        raise Invalid(f"There is no file in the folder '{path}'.{why}")
    return files


def _reason(path: Path) -> str | None:
    """Why an entry of a folder is not imported."""
    if path.is_symlink() and not path.exists():
        return BROKEN
    if path.is_dir():
        return SUBFOLDER
    if not path.is_file():
        return NOT_A_FILE
    return HIDDEN if path.name.startswith(".") else None
