"""Takes each protection out of a copy of the tree and sees its tests fail (`make mutants`).

    PYTHONPATH=tests python -m mutants.run [WORD ...] [--jobs N]

A protection whose tests pass without it is none: nobody would notice its loss.  First the same
tests run on the whole code, where all have to pass.  Exit code 1 when a breakage survives, does
not fit the code any more, or could not be tried.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from conftest import FOLDER, SERVER_SETTINGS, new_folder
from mutants.breakage import ROOT, Breakage, Outdated, breakages
from whence.db.embedded import EmbeddedPostgres

COPIED = ("src", "tests", "docs", "scripts", "bench", "pyproject.toml", "README.md", "CHANGELOG.md")
LEFT_OUT = shutil.ignore_patterns("node_modules", ".hypothesis", ".pytest_cache")
LIMIT_SECONDS = 600
TESTS_FAILED = 1
"""pytest's exit code: tests ran, and some failed."""


def copy_of_the_tree(to: Path) -> None:
    """What tests read, without what is installed."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, to / name, ignore=LEFT_OUT)
        elif source.exists():
            shutil.copy2(source, to / name)


def pytest(tree: Path, tests: list[str], folder: Path | None, *more: str) -> tuple[int, str]:
    """Run these tests on that tree; the exit code and what was printed."""
    env = os.environ | {"PYTHONPATH": str(tree / "src")}
    env.pop(FOLDER, None)
    if folder:
        env[FOLDER] = str(folder)
    command = [sys.executable, "-m", "pytest", "-q", "-m", "", "-p", "no:cacheprovider", *more]
    try:
        process = subprocess.run(
            [*command, *tests],
            cwd=tree,
            env=env,
            capture_output=True,
            text=True,
            timeout=LIMIT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return -1, f"no end after {LIMIT_SECONDS} seconds"
    return process.returncode, process.stdout + process.stderr


def attempt(breakage: Breakage, folder: Path) -> str:
    """Try one; why it counts as not caught, or nothing."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="whence-mutant-") as temporary:
        tree = Path(temporary)
        copy_of_the_tree(tree)
        file = tree / breakage.file
        file.write_text(breakage.broken(file.read_text(encoding="utf-8")), encoding="utf-8")
        shared = None if breakage.own_database else folder
        code, printed = pytest(tree, list(breakage.tests), shared, "-x", "--timeout=120")
    seconds = time.monotonic() - began
    if code == TESTS_FAILED:
        failed = re.search(r"^(?:FAILED|ERROR) (\S+)", printed, re.MULTILINE)
        print(
            f"died      {breakage.name}  {seconds:.0f} s  {failed[1] if failed else ''}", flush=True
        )
        return ""
    verdict = "SURVIVED" if code == 0 else "NOT TRIED"
    print(f"{verdict:9} {breakage.name}  {seconds:.0f} s", flush=True)
    if code == 0:
        return f"{breakage.name} survived: '{breakage.protection}' can be lost unnoticed."
    return f"{breakage.name}: pytest ended with {code}:\n{printed[-2000:]}"


def outdated(chosen: list[Breakage]) -> list[str]:
    """What does not fit the code any more."""
    problems: list[str] = []
    for breakage in chosen:
        try:
            breakage.check()
        except Outdated as error:
            problems.append(str(error))
    return problems


def main() -> int:
    """Try all that were asked for; the exit code."""
    words = argparse.ArgumentParser(description="Take protections out and see tests fail.")
    words.add_argument("words", nargs="*", help="only those whose name has one of these words")
    words.add_argument("--jobs", type=int, default=round(1.5 * (os.cpu_count() or 1)))
    request = words.parse_args()
    chosen = breakages(" ".join(request.words))
    if problems := outdated(chosen):
        print("\n".join(problems))
        return 1
    began, folder = time.monotonic(), new_folder()
    try:
        with EmbeddedPostgres(folder, extra_settings=SERVER_SETTINGS):
            tests = sorted({test for breakage in chosen for test in breakage.tests})
            code, printed = pytest(ROOT, tests, folder, "-n", str(request.jobs))
            if code != 0:
                print(f"The tests fail on the whole code already:\n{printed[-4000:]}")
                return 1
            print(f"passed    {len(tests)} tests on the whole code", flush=True)
            with ThreadPoolExecutor(request.jobs) as pool:
                problems = [p for p in pool.map(lambda one: attempt(one, folder), chosen) if p]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{len(chosen)} protections, {len(problems)} not held by a test; "
          f"{time.monotonic() - began:.0f} s")  # fmt: skip
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
