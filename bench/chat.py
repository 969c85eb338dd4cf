"""Talk about researched records over Socket.IO: by rules, and with a model that is played.

By rules: 20 people, each in a conversation of their own; milliseconds from sending a message to
its complete answer.  With a model of 1.0 s to the first token and 50 tokens a second: 50
conversations at once; the first token, and how late each token is at the client after the model
sent it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psutil

from bench.figures import Figure, median, p95
from bench.played_model import text_of
from bench.search import listings
from bench.server import Server, command, serving

RECORDS = 20
LISTINGS = 3_000
PEOPLE = 20
PACED_MESSAGES = 8
BURSTS = 10
CONVERSATIONS = 50
MODEL_BURSTS = 2
RESEARCH_SECONDS = 60
SECONDS = 100
"""For the people of one shape."""
NO_LIMIT = {"WHENCE_REQUESTS_PER_MINUTE": "1000000"}
ASKED = (
    "What is it worth?",
    "How did you work out the price?",
    "Is it in good condition?",
    "How quickly does it sell?",
    "What information is missing?",
    "Which comparables did you use?",
    "When was it researched?",
    "Why did you leave some listings out?",
)
ANSWERED_MS, FIRST_MS, LATE_MS = 300.0, 1300.0, 100.0


def _researched(server: Server, client: httpx.Client, home: Path) -> list[str]:
    """Ids of items whose research has ended."""
    made = listings(LISTINGS)
    path = home.parent / "listings.jsonl"
    path.write_text("\n".join(row.model_dump_json(by_alias=True) for row in made), "utf-8")
    command(home, "import", "resale.listings", str(path))
    items: list[str] = []
    jobs: list[str] = []
    for row in made[:: LISTINGS // RECORDS][:RECORDS]:
        item = client.post("/api/items", json={"title": row.title}).raise_for_status().json()
        asked = client.post(f"/api/items/{item['id']}/research", json={}).raise_for_status()
        items.append(item["id"])
        jobs.append(f"/api/items/{item['id']}/research/jobs/{asked.json()['jobId']}")
    latest = time.monotonic() + RESEARCH_SECONDS
    for job in jobs:
        while client.get(job).raise_for_status().json()["status"] != "success":
            if time.monotonic() > latest:
                raise RuntimeError(f"the research of {server.url}{job} does not end")
            time.sleep(0.2)
    return items


def _opened(client: httpx.Client, items: list[str], count: int) -> dict[str, str]:
    """So many new conversations about these items: their ids, each with its item."""
    opened: dict[str, str] = {}
    for number in range(count):
        item = items[number % len(items)]
        made = client.post(f"/api/items/{item}/chat/sessions").raise_for_status().json()
        opened[made["sessionId"]] = item
    return opened


def _client(server: Server) -> httpx.Client:
    headers = {"Authorization": f"Bearer {server.token}"}
    return httpx.Client(base_url=server.url, headers=headers, timeout=30)


def _talk(server: Server, shape: str, said: Mapping[str, list[str]]) -> list[dict[str, Any]]:
    plan = {"url": server.url, "token": server.token, "shape": shape, "said": said}
    done = subprocess.run(
        [sys.executable, "-m", "bench.people"],
        input=json.dumps(plan),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=SECONDS,
    )
    return json.loads(done.stdout)


def _cpu(server: Server) -> float:
    """Seconds of a processor that the serving process has used."""
    used = psutil.Process(server.pid).cpu_times()
    return used.user + used.system


def _ms(turns: Iterable[dict[str, Any]], until: str) -> list[float]:
    return [(turn[until] - turn["sent"]) * 1000 for turn in turns]


def _by_rules(server: Server, client: httpx.Client, items: list[str]) -> Iterator[Figure]:
    alone = _talk(server, "at once", {key: list(ASKED) for key in _opened(client, items, 1)})
    base, base_name = median(_ms(alone, "ended")), "one person alone, median"
    for shape, count, name in (
        ("paced", PACED_MESSAGES, f"{PEOPLE} people, each reading 1 to 3 s between"),
        ("at once", BURSTS, f"{PEOPLE} people in the same instant"),
    ):
        asked = {
            key: [ASKED[(number + turn) % len(ASKED)] for turn in range(count)]
            for number, key in enumerate(_opened(client, items, PEOPLE))
        }
        used = _cpu(server)
        turns = _talk(server, shape, asked)
        used = (_cpu(server) - used) * 1000 / len(turns)
        if odd := [turn for turn in turns if turn["status"] != "complete" or not turn["answer"]]:
            raise RuntimeError(f"{len(odd)} answers are not complete: {odd[0]}")
        took = _ms(turns, "ended")
        shown = f"answer by rules, {name}, p95 of {len(took)} (median {median(took):.0f})"
        yield Figure(shown, p95(took), "ms", base_name, base, ANSWERED_MS)
        yield Figure("  processor time of the server, a turn", used, "ms", base_name, base)


@contextmanager
def _played_model() -> Iterator[str]:
    command_line = [sys.executable, "-m", "bench.played_model"]
    with subprocess.Popen(command_line, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


def _late(heard: Iterable[tuple[float, str]], sent: list[float], text: str) -> list[float]:
    """Milliseconds from the sending of each token to the piece of text that has its last sign."""
    ends: list[int] = []
    at = 0
    for number, word in enumerate(text.split(" ")):
        at += len(word) + (number > 0)
        ends.append(at)
    late: list[float] = []
    shown = 0
    for moment, piece in heard:
        shown += len(piece)
        while len(late) < len(ends) and ends[len(late)] <= shown:
            late.append((moment - sent[len(late)]) * 1000)
    return late


def _by_model(
    server: Server, client: httpx.Client, model: str, items: list[str]
) -> Iterator[Figure]:
    opened = _opened(client, items, CONVERSATIONS)
    asked = {
        session: [f"Tell me of it [k{number}-{turn}]" for turn in range(MODEL_BURSTS)]
        for number, session in enumerate(opened)
    }
    first_of = {session: [f"[w{number}]"] for number, session in enumerate(opened)}
    _talk(server, "at once", dict(list(first_of.items())[:1]))  # loads the model's client
    used = _cpu(server)
    turns = _talk(server, "at once", asked)
    used = (_cpu(server) - used) * 1000 / len(turns)
    late: list[float] = []
    wrong = 0
    for turn in turns:
        key = turn["content"].partition("[")[2][:-1]
        text, sent = text_of(key), httpx.get(f"{model}/log?{key}").json()
        heard = "".join(piece for _, piece in turn["tokens"])
        wrong += (heard, turn["answer"]) != (text, text)
        late += _late(turn["tokens"], sent, text)
    for session, item in opened.items():
        page = client.get(f"/api/items/{item}/chat/sessions/{session}/messages?limit=50")
        stored = [each for each in page.json()["items"] if each["role"] == "assistant"]
        kept = {each["content"] for each in stored}
        wrong += sum(text_of(said.partition("[")[2][:-1]) not in kept for said in asked[session])
    first = [(turn["tokens"][0][0] - turn["sent"]) * 1000 for turn in turns]
    bare_first, bare_late = _bare(model)
    of = f"{CONVERSATIONS} conversations"
    bare = f"a bare pipe from the model, p95 of {len(bare_late)}"
    yield Figure(
        f"first token, {of}, p95 of {len(first)} (median {median(first):.0f})",
        p95(first),
        "ms",
        bare,
        p95(bare_first),
        FIRST_MS,
    )
    yield Figure(
        f"token after it was sent, {of}, p95 of {len(late)} (median {median(late):.0f})",
        p95(late),
        "ms",
        bare,
        p95(bare_late),
        LATE_MS,
    )
    yield Figure("answers with a lost, doubled or changed token", wrong, "", "(none)", 0, 0)
    yield Figure("  processor time of the server, a turn", used, "ms", "(none)", 0)


def _bare(model: str) -> tuple[list[float], list[float]]:
    """Milliseconds to the first token, and how late each is, without whence in between."""
    keys = [f"b{number}" for number in range(CONVERSATIONS)]
    done = subprocess.run(
        [sys.executable, "-m", "bench.pipe", model, *keys],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=SECONDS,
    )
    first: list[float] = []
    late: list[float] = []
    for key, (began, heard) in json.loads(done.stdout).items():
        sent = httpx.get(f"{model}/log?{key}").json()
        first.append((heard[0] - began) * 1000)
        late += [(at - since) * 1000 for at, since in zip(heard, sent, strict=True)]
    return first, late


def measure(home: Path) -> Iterator[Figure]:
    """The figures, each as it is known."""
    with serving(home, **NO_LIMIT) as server, _client(server) as client:
        items = _researched(server, client, home)
        yield from _by_rules(server, client, items)
    with _played_model() as model:
        played = {
            "WHENCE_MODEL": "openai:played",
            "WHENCE_MODEL_BASE_URL": f"{model}/v1",
            "OPENAI_API_KEY": "played",
        }
        with serving(home, **NO_LIMIT, **played) as server, _client(server) as client:
            yield from _by_model(server, client, model, items)
