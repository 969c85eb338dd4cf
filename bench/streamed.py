"""Answers of a played model, streamed to who asked: the first token, how late each is, and whether
any was lost or doubled.

The model takes 1.0 s to the first token and writes 50 a second.  50 conversations at once, in three
ways: `paced` (people who read an answer for 1 to 3 s before they go on), `overlapping` (each begins
at some moment, and goes on as soon as its answer is complete, so that 50 answers are written at
every moment), and `at once` (50 messages in the same instant).
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from bench.figures import Figure, median, p95
from bench.played_model import text_of
from bench.server import Server
from bench.talking import SECONDS, client_of, cpu_of, opened, talk

CONVERSATIONS = 50
MESSAGES = 2
"""Of each conversation, in each way."""
FIRST_MS, LATE_MS = 1300.0, 100.0


@contextmanager
def played() -> Iterator[str]:
    """The address of a played model in a process of its own."""
    command_line = [sys.executable, "-m", "bench.played_model"]
    with subprocess.Popen(command_line, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


def settings_of(model: str) -> dict[str, str]:
    """What lets a server ask it."""
    return {
        "WHENCE_MODEL": "openai:played",
        "WHENCE_MODEL_BASE_URL": f"{model}/v1",
        "OPENAI_API_KEY": "played",
    }


def figures(server: Server, client: httpx.Client, model: str, items: list[str]) -> Iterator[Figure]:
    """Of all ways, each beside a bare pipe from the model in the same minute."""
    for key in opened(client, items, 1):
        talk(server, "at once", {key: ["Hello? [first]"]})  # loads the client of the model
    for shape in ("paced", "overlapping", "at once"):
        sessions = opened(client, items, CONVERSATIONS)
        questions = {
            session: [f"Tell me of it [{shape[0]}{n}-{turn}]" for turn in range(MESSAGES)]
            for n, session in enumerate(sessions)
        }
        used = cpu_of(server)
        turns = talk(server, shape, questions)
        used = (cpu_of(server) - used) * 1000 / len(turns)
        first = [(turn["tokens"][0][0] - turn["sent"]) * 1000 for turn in turns]
        late = [ms for turn in turns for ms in _late(model, turn)]
        wrong = sum(not _is_whole(turn) for turn in turns) + _not_kept(server, sessions, questions)
        bare_first, bare_late = _bare(model, shape[0])
        of = f"{CONVERSATIONS} conversations {shape}"
        name = f"first token, {of}, p95 of {len(first)} (median {median(first):.0f})"
        yield Figure(name, p95(first), "ms", "a bare pipe, p95", p95(bare_first), FIRST_MS)
        name = f"token after it was sent, {of}, p95 of {len(late)} (median {median(late):.0f})"
        yield Figure(name, p95(late), "ms", "a bare pipe, p95", p95(bare_late), LATE_MS)
        yield Figure("answers with a lost, doubled or changed token", wrong, "", target=0)
        yield Figure("  processor time of the server, a turn", used, "ms")


def _key(content: str) -> str:
    return content.partition("[")[2][:-1]


def _late(model: str, turn: dict[str, Any]) -> list[float]:
    """Milliseconds from the sending of each token to the piece of text that has its last sign."""
    key = _key(turn["content"])
    sent: list[float] = httpx.get(f"{model}/log?{key}").json()
    ends: list[int] = []
    at = 0
    for number, word in enumerate(text_of(key).split(" ")):
        at += len(word) + (number > 0)
        ends.append(at)
    late: list[float] = []
    shown = 0
    for moment, piece in turn["tokens"]:
        shown += len(piece)
        while len(late) < len(ends) and ends[len(late)] <= shown:
            late.append((moment - sent[len(late)]) * 1000)
    return late


def _is_whole(turn: dict[str, Any]) -> bool:
    """Whether the pieces and the answer are, letter for letter, what the model sent."""
    text = text_of(_key(turn["content"]))
    return ("".join(piece for _, piece in turn["tokens"]), turn["answer"]) == (text, text)


def _not_kept(server: Server, sessions: dict[str, str], questions: dict[str, list[str]]) -> int:
    """How many answers are not stored as the model sent them."""
    wrong = 0
    with client_of(server) as client:
        for session, item in sessions.items():
            page = client.get(f"/api/items/{item}/chat/sessions/{session}/messages?limit=50")
            stored = {each["content"] for each in page.raise_for_status().json()["items"]}
            wrong += sum(text_of(_key(text)) not in stored for text in questions[session])
    return wrong


def _bare(model: str, prefix: str) -> tuple[list[float], list[float]]:
    """Milliseconds to the first token, and how late each is, without whence in between."""
    keys = [f"bare-{prefix}{number}" for number in range(CONVERSATIONS)]
    done = subprocess.run(
        [sys.executable, "-m", "bench.pipe", model, *keys],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=SECONDS,
    )
    first: list[float] = []
    late: list[float] = []
    readings: Iterable[tuple[str, tuple[float, list[float]]]] = json.loads(done.stdout).items()
    for key, (began, arrivals) in readings:
        sent = httpx.get(f"{model}/log?{key}").json()
        first.append((arrivals[0] - began) * 1000)
        late += [(at - since) * 1000 for at, since in zip(arrivals, sent, strict=True)]
    return first, late
