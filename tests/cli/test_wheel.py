"""The wheel alone: into an empty environment, without Node, and it serves the web application."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from whence.transports.edge.web_app import built_app

ROOT = Path(__file__).resolve().parents[2]
UV = shutil.which("uv") or shutil.which(str(ROOT / ".tools" / "bin" / "uv"))
ASSET = re.compile(r'(?:src|href)="(/[^"]+)"')


@pytest.mark.long
@pytest.mark.timeout(1200)
@pytest.mark.skipif(UV is None, reason="needs uv, to build and install the wheel")
@pytest.mark.skipif(built_app(None) is None, reason="the web application is not built: `make web`")
def test_an_installed_wheel_serves_the_application_without_node(tmp_path: Path) -> None:
    assert UV is not None
    _run([UV, "build", "--wheel", "--out-dir", str(tmp_path), str(ROOT)])
    [wheel] = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "whence/web_dist/index.html" in names
    assert not [name for name in names if name.endswith(".map")]

    venv = tmp_path / "venv"
    _run([UV, "venv", "--python", sys.executable, str(venv)])
    _run([UV, "pip", "install", "--python", str(venv / "bin" / "python"), str(wheel)])
    with _served(venv, tmp_path / "home") as url, httpx.Client(base_url=url) as client:
        first = client.get("/")
        assert first.status_code == 200
        assert first.headers["content-type"].startswith("text/html")
        assets = ASSET.findall(first.text)
        assert len(assets) >= 2
        for path in assets:
            answer = client.get(path, headers={"Accept-Encoding": "gzip"})
            assert (answer.status_code, path) == (200, path)
            if path.startswith("/assets/") and path.endswith((".js", ".css")):
                assert answer.headers["content-encoding"] == "gzip"
                assert "immutable" in answer.headers["cache-control"]
        assert client.get("/records/items").text == first.text


def test_without_node_make_says_that_the_page_needs_it(tmp_path: Path) -> None:
    for name in ("sh", "find", "make", "cat", "expr"):
        (tmp_path / name).symlink_to(shutil.which(name) or pytest.skip(f"no {name} here"))
    environment = {"PATH": str(tmp_path), "SHELL": str(tmp_path / "sh")}
    # As `make up` does it; -B, because it may be built here.
    command = ["make", "-B", "-C", str(ROOT), "web"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "needs Node 20.19 or newer" in done.stdout
    assert "whence serves the API" in done.stdout


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]


@contextmanager
def _served(venv: Path, home: Path) -> Iterator[str]:
    """The address of `whence serve` from this environment, which finds no Node."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("WHENCE_")
    }
    environment |= {"WHENCE_HOME": str(home), "PATH": str(venv / "bin")}
    command = [str(venv / "bin" / "whence"), "serve", "--port", "0"]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        for line in process.stderr:
            if match := re.search(r"listening on (http://\S+)", line):
                yield match[1]
                return
        raise AssertionError("whence serve ended before it listened")
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)
