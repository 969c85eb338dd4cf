"""Talk about researched records over Socket.IO: by rules, and with a model that is played.

By rules: 20 people, each in a conversation of their own; milliseconds from sending a message to
its complete answer.  With a model: see `streamed.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx

from bench import streamed
from bench.figures import Figure, median, p95
from bench.server import Server, serving
from bench.talking import client_of, cpu_of, milliseconds, opened, researched, talk

PEOPLE = 20
PACED_MESSAGES = 8
BURSTS = 10
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
ANSWERED_MS = 300.0


def _by_rules(server: Server, client: httpx.Client, items: list[str]) -> Iterator[Figure]:
    alone = talk(server, "at once", {key: list(ASKED) for key in opened(client, items, 1)})
    base, base_name = median(milliseconds(alone, "ended")), "one person alone, median"
    for shape, count, name in (
        ("paced", PACED_MESSAGES, f"{PEOPLE} people, each reading 1 to 3 s between"),
        ("at once", BURSTS, f"{PEOPLE} people in the same instant"),
    ):
        questions = {
            key: [ASKED[(number + turn) % len(ASKED)] for turn in range(count)]
            for number, key in enumerate(opened(client, items, PEOPLE))
        }
        used = cpu_of(server)
        turns = talk(server, shape, questions)
        used = (cpu_of(server) - used) * 1000 / len(turns)
        if odd := [turn for turn in turns if turn["status"] != "complete" or not turn["answer"]]:
            raise RuntimeError(f"{len(odd)} answers are not complete: {odd[0]}")
        took = milliseconds(turns, "ended")
        shown = f"answer by rules, {name}, p95 of {len(took)} (median {median(took):.0f})"
        yield Figure(shown, p95(took), "ms", base_name, base, ANSWERED_MS)
        yield Figure("  processor time of the server, a turn", used, "ms")


def measure(home: Path) -> Iterator[Figure]:
    """The figures, each as soon as it is known."""
    with serving(home, **NO_LIMIT) as server, client_of(server) as client:
        items = researched(server, client, home)
        yield from _by_rules(server, client, items)
    with streamed.played() as model:
        settings = NO_LIMIT | streamed.settings_of(model)
        with serving(home, **settings) as server, client_of(server) as client:
            yield from streamed.figures(server, client, model, items)
