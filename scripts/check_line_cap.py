"""No hand-written file is longer than 300 lines: one story a file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

CAP = 300
FOLDERS = ("src", "tests", "bench", "scripts", "web")
WRITTEN_BY_PROGRAMS = {
    Path("tests/fixtures/database_0017.sql"),  # by scripts/make_old_database.py
    Path("web/src/shared/api/schema.d.ts"),  # by scripts/write_api_types.py
}


def main() -> int:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *FOLDERS],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    long = [
        (len(path.read_text(encoding="utf-8").splitlines()), path)
        for path in map(Path, listed)
        if path.suffix in {".py", ".sql", ".mjs", ".ts", ".tsx", ".css"}
        and path.is_file()
        and path not in WRITTEN_BY_PROGRAMS
    ]
    too_long = sorted((lines, path) for lines, path in long if lines > CAP)
    for lines, path in too_long:
        print(f"{path}: {lines} lines, {CAP} allowed")
    return 1 if too_long else 0


if __name__ == "__main__":
    sys.exit(main())
