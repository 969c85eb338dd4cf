"""`langgraph.json`: the flows of the packs and of chat open in the LangGraph development server."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

from whence import packs
from whence.app import discovery
from whence.research.flow import name_of

REPOSITORY = Path(__file__).parents[2]
CONFIG = REPOSITORY / "langgraph.json"
LANGGRAPH = REPOSITORY / ".tools" / "studio" / "bin" / "langgraph"
CONVERSATIONS = {"chat": ["answer_question"], "wizard": ["wizard_step", "answer_question"]}
"""The graphs that run there, with their nodes."""
TURN = [
    "route_input",
    "load_context",
    "route_intent",
    "answer_query",
    "handle_action",
    "start_research",
    "run_wizard",
    "respond",
]
SECONDS = 90


def flows() -> dict[str, list[str]]:
    """The graphs that there ought to be, with their nodes: whatever packs of the tree declare."""
    result = {"chat_turn": TURN, **CONVERSATIONS}
    tree = Path(packs.__file__).parent
    for pack in (each for each in discovery.discover([]) if each.folder.parent == tree):
        for flow in pack.flows:
            result[f"{pack.id}_{flow.id}"] = [name_of(node) for node in flow.nodes]
    return result


def named() -> dict[str, str]:
    return json.loads(CONFIG.read_text(encoding="utf-8"))["graphs"]


def inner(nodes: Mapping[str, Any] | list[str]) -> list[str]:
    return [name for name in nodes if not re.fullmatch(r"__\w+__", name)]


def test_every_flow_is_named_and_its_graph_has_the_nodes_that_run() -> None:
    opened: dict[str, list[str]] = {}
    for graph, place in named().items():
        path, factory = place.rsplit(":", 1)
        spec = importlib.util.spec_from_file_location("opened_flows", REPOSITORY / path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module  # its types are looked up there
        spec.loader.exec_module(module)
        opened[graph] = inner(getattr(module, factory)().get_graph().nodes)

    assert opened == flows()


@pytest.fixture
def studio(tmp_path: Path, database_url: str) -> Iterator[httpx.Client]:
    """A development server on the repository's `langgraph.json`; what it keeps goes elsewhere."""
    if not LANGGRAPH.exists():
        why = "the LangGraph development server is not installed; `make studio` does it"
        pytest.fail(why) if os.environ.get("CI") else pytest.skip(why)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    for name in ("langgraph.json", "scripts"):
        (tmp_path / name).symlink_to(REPOSITORY / name)
    log = tmp_path / "log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [LANGGRAPH, "dev", "--no-browser", "--no-reload", "--port", str(port)],
            cwd=tmp_path,
            env=os.environ
            | {
                "LANGGRAPH_CLI_NO_ANALYTICS": "1",
                "PYTHONDONTWRITEBYTECODE": "1",
                "WHENCE_HOME": str(tmp_path / "home"),
                "WHENCE_DATABASE_URL": database_url,
            },
            stdout=out,
            stderr=out,
        )
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
            end = time.monotonic() + SECONDS
            while not is_up(client):
                assert process.poll() is None, log.read_text()
                assert time.monotonic() < end, log.read_text()
                time.sleep(0.2)
            yield client
    finally:
        process.terminate()
        process.wait(30)


def is_up(client: httpx.Client) -> bool:
    try:
        return client.get("/ok").status_code == 200
    except httpx.TransportError:
        return False


def test_the_development_server_opens_every_flow_and_holds_conversations(
    studio: httpx.Client,
) -> None:
    shown: dict[str, list[str]] = {}
    for each in studio.post("/assistants/search", json={}).json():
        graph = studio.get(f"/assistants/{each['assistant_id']}/graph").json()
        shown[each["graph_id"]] = inner([node["id"] for node in graph["nodes"]])
    started = {"assistant_id": "leave_research", "input": {"subject_id": "LR-001"}}
    refused = studio.post("/runs/wait", json=started).json()["__error__"]

    assert shown == flows()
    assert refused["error"] == "OnlyShown"
    # init, a question in between, resume, "What does CFRA mean?", completion
    trials = [sys.executable, REPOSITORY / "scripts" / "try_leave_wizard.py", str(studio.base_url)]
    tried = subprocess.run(trials, capture_output=True, text=True, timeout=300, check=False)
    assert tried.returncode == 0, tried.stderr
    assert len(tried.stdout.splitlines()) == 5
