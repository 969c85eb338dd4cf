"""The log of a busy server: JSON lines with ids, no secret that was used, no record."""

from __future__ import annotations

import json
import signal
import time
from typing import Any

import httpx
import pytest

TITLE = "Grandmothers amethyst brooch"
OPENAI = "sk-proj-abcdefghijklmnop0123456789"
BEARER = "whence_" + "Zz9_-aB3" * 6


def address(process: Any) -> tuple[str, str]:
    """Its URL and the one-time token, from the two lines that it prints for people."""
    url = link = ""
    while not link:
        line = process.stderr.readline()
        assert line, "the server ended"
        if "listening on" in line:
            url = line.split()[-1]
        if "sign-in?token=" in line:
            link = line.strip().partition("token=")[2]
    return url, link


def until_ended(client: httpx.Client, path: str) -> str:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        status = client.get(path).json()["status"]
        if status in ("success", "error"):
            return status
        time.sleep(0.2)
    raise AssertionError("the research did not end")


@pytest.mark.long
def test_a_busy_servers_log_holds_ids_and_no_secret_and_no_record(shell: Any) -> None:
    token = shell.run("token", "create", "busy").stdout.strip()
    secrets = {token, OPENAI, BEARER, "wrong-password-4711", "metrics-secret-4711"}
    process = shell.start(
        "serve",
        "--port",
        "0",
        WHENCE_LOG_LEVEL="info",
        WHENCE_METRICS_TOKEN="metrics-secret-4711",
        WHENCE_MODEL="openai:gpt-4.1",
        # Nobody listens there: every call of a model fails, in the provider's own words.
        WHENCE_MODEL_BASE_URL=f"http://somebody:{BEARER}@127.0.0.1:9/v1",
        OPENAI_API_KEY=OPENAI,
    )
    try:
        url, link = address(process)
        secrets.add(link)
        with httpx.Client(base_url=url, headers={"authorization": f"Bearer {token}"}) as client:
            item = client.post("/api/items", json={"title": TITLE}).json()["id"]
            path = f"/api/items/{item}/research"
            job = client.post(path, headers={"x-request-id": "busy-4711"}).json()["jobId"]
            assert until_ended(client, f"{path}/jobs/{job}") == "success"
            client.get("/api/items", params={"search": TITLE, "token": BEARER})
            client.post("/api/items", json={"title": TITLE, "price": "NaN", "nothing": BEARER})
            client.get("/metrics", headers={"authorization": "Bearer metrics-secret-4711"})
        with httpx.Client(base_url=url) as stranger:
            stranger.get("/api/items", headers={"authorization": f"Bearer {BEARER}"})
            stranger.get("/api/items", headers={"cookie": f"whence_access={BEARER}"})
            stranger.get("/sign-in", params={"token": link})
            login = {"email": "a@b.org", "password": "wrong-password-4711"}
            stranger.post("/api/auth/sign-in", json=login)
    finally:
        process.send_signal(signal.SIGTERM)
        _, reported = process.communicate(timeout=60)
    for secret in secrets:
        assert secret not in reported
    assert TITLE not in reported
    assert "amethyst" not in reported
    lines = [json.loads(line) for line in reported.splitlines() if line.startswith("{")]
    assert len(lines) == len(reported.splitlines()), "a line is no JSON"
    assert all({"event", "level", "timestamp", "source"} <= set(line) for line in lines)
    [question] = [line for line in lines if line.get("request") == "busy-4711"]
    assert (question["route"], question["status"]) == ("/api/items/{id}/research", 202)
    assert {"org", "user"} <= set(question)
