"""Tries the leave wizard in the LangGraph development server: five trials, each told in a line.

    make studio                          # in another terminal
    python scripts/try_leave_wizard.py [http://127.0.0.1:2024]

Init, a question in between, resume, "What does CFRA mean?", completion.  The exit code is 1 where a
trial does not hold.  The request for leave that it completes stays in the data of `WHENCE_HOME`.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import httpx

URL = "http://127.0.0.1:2024"
SECONDS = 180.0
ANSWERS: dict[str, dict[str, Any]] = {
    "reason": {"reason": "family_care"},
    "who": {"relation": "sibling"},
    "need": {"medicalNeed": "yes"},
    "dates": {"startsOn": "2027-03-01", "endsOn": "2027-04-09"},
    "pattern": {"pattern": "continuous"},
    "place": {"worksInCalifornia": "yes"},
    "employer": {"publicEmployer": False, "employees": 300},
    "service": {"hiredOn": "2020-01-01"},
    "hours": {"hoursLast12Months": 1500, "weeklyHours": 40},
    "year": {"yearMethod": "rolling"},
    "before": {"wasTaken": False},
    "notice": {"foreseeable": "yes", "noticeGivenOn": "2027-01-20"},
    "certification": {"certification": "not_asked"},
    "review": {},
}
"""An answer for each step that caring for a sibling asks."""
MAX_STEPS = 40


class NotAsExpected(Exception):
    """A trial did not hold."""


@dataclass(frozen=True)
class Thread:
    """One conversation with a graph of the development server."""

    client: httpx.Client
    graph: str
    id: str

    @classmethod
    def new(cls, client: httpx.Client, graph: str) -> Thread:
        made = client.post("/threads", json={})
        return cls(client, graph, made.raise_for_status().json()["thread_id"])

    def send(self, **given: Any) -> dict[str, Any]:
        """Run the graph on this input; the state after it."""
        body = {"assistant_id": self.graph, "input": given}
        state = self.client.post(f"/threads/{self.id}/runs/wait", json=body)
        result = state.raise_for_status().json()
        if "__error__" in result:
            raise NotAsExpected(f"the graph failed: {result['__error__']}")
        return result

    def ask(self, question: str) -> str:
        """Ask the chat; its answer."""
        state = self.send(messages=[{"role": "user", "content": question}])
        return state["messages"][-1]["content"]


def expect(holds: bool, why: object) -> None:
    """Raise NotAsExpected unless it holds."""
    if not holds:
        raise NotAsExpected(str(why))


def trials(client: httpx.Client) -> None:
    """All five, in one conversation; the chat graph is asked as well."""
    thread = Thread.new(client, "wizard")

    first = thread.send(action="init")["wizard"]
    expect(first["step"]["id"] == "reason", first["step"])
    print(f"init: {first['step']['title']}")

    second = thread.send(
        action="respond",
        inputStepId="reason",
        inputResponses=[{"questionId": "reason", "value": "family_care"}],
    )["wizard"]
    expect(second["step"]["id"] == "who", second["step"])
    answer = thread.ask("What is FMLA?")
    expect("Family and Medical Leave Act" in answer and "[1]" in answer, answer)
    print(f"question in between: {_first_line(answer)}")

    resumed = thread.send(action="resume")["wizard"]
    expect(resumed == second, resumed)
    print(f"resume: {resumed['step']['title']}")

    for each in (thread, Thread.new(client, "chat")):
        answer = each.ask("What does CFRA mean?")
        expect("California Family Rights Act" in answer and "12945.2" in answer, answer)
    print(f"What does CFRA mean? {_first_line(answer)}")

    step = resumed
    for _ in range(MAX_STEPS):
        if step["progress"]["status"] == "completed":
            break
        name = step["step"]["id"]
        expect(name in ANSWERS, f"no answer for the step '{name}'")
        step = thread.send(action="respond", inputStepId=name, inputResponses=ANSWERS[name])[
            "wizard"
        ]
        expect(not step["errors"], step["errors"])
    expect(step["progress"]["status"] == "completed", step["progress"])
    expect(step["ui"]["record"]["kind"] == "leave-requests", step["ui"])
    print(f"completion: {step['step']['title']} ({step['ui']['record']['id']})")


def _first_line(text: str) -> str:
    return text.strip().splitlines()[0]


def main(url: str = URL) -> int:
    """Run the trials; 0 if all hold."""
    with httpx.Client(base_url=url, timeout=SECONDS) as client:
        try:
            trials(client)
        except NotAsExpected as error:
            print(f"not as expected: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
