"""The trial of backup and restore that an operator may run, on a busy installation."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]


@pytest.mark.long
def test_the_script_brings_a_busy_installation_to_a_new_home(short_home: Path) -> None:
    script = REPOSITORY / "scripts" / "try_backup.sh"
    process = subprocess.run(
        ["bash", str(script), str(short_home)],
        capture_output=True,
        text=True,
        timeout=700,
        check=False,
    )
    assert process.returncode == 0, process.stdout + process.stderr
    body = json.loads(process.stdout.splitlines()[-1])
    assert body["runsBefore"] == body["runsAfter"] == body["finished"] > 0
