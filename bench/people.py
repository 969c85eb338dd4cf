"""People who talk over Socket.IO, in a process of their own: what each sent, and heard when.

    python -m bench.people < plan.json

The plan: `{"url", "token", "shape", "said": {session: [message, …]}}`.  Shapes: `at once` (all send
in the same instant, and again when all have their answers), `paced` (each by themselves, who reads
an answer for a while before the next message) and `overlapping` (each begins at a moment of the
first seconds, and sends again as soon as the answer is complete).  It prints the turns as JSON;
times are of the machine's monotonic clock.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
import uuid
from dataclasses import asdict, dataclass, field

import socketio

NAMESPACE = "/chat"
CONNECT_AT_ONCE = 10
SECONDS = 60
"""For one turn, and for a connection."""
READING = (1.0, 3.0)
"""Seconds that a person reads an answer."""
BEGINNING_SECONDS = 3.0
"""Over which overlapping conversations begin: about as long as one answer."""
SEED = 11


@dataclass
class Turn:
    """One message and what came of it."""

    session: str
    content: str
    sent: float
    acknowledged: float = 0.0
    tokens: list[tuple[float, str]] = field(default_factory=list)
    answer: str = ""
    """As the last `message` event has it."""
    status: str = ""
    ended: float = 0.0


class Person:
    """One socket that follows one conversation."""

    def __init__(self, url: str, token: str, session: str) -> None:
        self.url, self.token, self.session = url, token, session
        self.turns: list[Turn] = []
        self._over = asyncio.Event()
        self._socket = socketio.AsyncClient(request_timeout=SECONDS, reconnection=False)
        self._socket.on("*", self._on_event, namespace=NAMESPACE)

    async def arrive(self) -> None:
        await self._socket.connect(
            self.url,
            namespaces=[NAMESPACE],
            auth={"token": self.token},
            transports=["websocket"],
            wait_timeout=SECONDS,
        )
        await self._call("join_session", {"sessionId": self.session})

    async def leave(self) -> None:
        await self._socket.disconnect()

    async def say(self, content: str) -> None:
        """Send, and wait until the answer is complete."""
        self._over.clear()
        turn = Turn(self.session, content, time.monotonic())
        self.turns.append(turn)
        message = {
            "sessionId": self.session,
            "content": content,
            "clientMessageId": str(uuid.uuid4()),
        }
        await self._call("send_message", message)
        turn.acknowledged = time.monotonic()
        await asyncio.wait_for(self._over.wait(), SECONDS)

    async def _call(self, event: str, payload: dict[str, str]) -> None:
        answer = await self._socket.call(event, payload, NAMESPACE, SECONDS)
        if not answer["ok"]:
            raise RuntimeError(answer)

    async def _on_event(self, name: str, data: dict) -> None:
        at = time.monotonic()
        if not self.turns:
            return
        turn = self.turns[-1]
        if name == "token":
            turn.tokens.append((at, data["token"]))
        elif name == "message" and data["role"] == "assistant":
            turn.answer, turn.status = data["content"], data["status"]
        elif name == "turn_ended":
            turn.ended = at
            self._over.set()


async def _at_once(people: list[Person], messages: dict[str, list[str]]) -> None:
    for number in range(min(map(len, messages.values()))):
        await asyncio.gather(*[each.say(messages[each.session][number]) for each in people])


async def _paced(people: list[Person], messages: dict[str, list[str]]) -> None:
    draw = random.Random(SEED)

    async def talk(person: Person) -> None:
        for content in messages[person.session]:
            await asyncio.sleep(draw.uniform(*READING))
            await person.say(content)

    await asyncio.gather(*map(talk, people))


async def _overlapping(people: list[Person], messages: dict[str, list[str]]) -> None:
    async def talk(number: int, person: Person) -> None:
        await asyncio.sleep(number / len(people) * BEGINNING_SECONDS)
        for content in messages[person.session]:
            await person.say(content)

    await asyncio.gather(*[talk(number, each) for number, each in enumerate(people)])


SHAPES = {"at once": _at_once, "paced": _paced, "overlapping": _overlapping}


async def main() -> None:
    plan = json.load(sys.stdin)
    people = [Person(plan["url"], plan["token"], session) for session in plan["said"]]
    for some in range(0, len(people), CONNECT_AT_ONCE):
        await asyncio.gather(*[each.arrive() for each in people[some : some + CONNECT_AT_ONCE]])
    await SHAPES[plan["shape"]](people, plan["said"])
    await asyncio.gather(*[each.leave() for each in people])
    print(json.dumps([asdict(turn) for each in people for turn in each.turns]), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
