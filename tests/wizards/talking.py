"""One conversation with a wizard in it, over a real socket or over REST."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

import httpx
import socketio

from whence.kernel.ids import new_id

Message = dict[str, Any]
RUNS = "/api/wizards/sample_pack.write/runs"
ABOUT = {"inputStepId": "about", "inputResponses": {"title": "Tea", "length": "short"}}
WORDS = {"inputStepId": "words", "inputResponses": {"text": "It is ready."}}
REVIEW = {"inputStepId": "review"}


@dataclass
class Talker:
    """Somebody in a conversation about a record; each way of talking has its own class."""

    url: str
    token: str
    record: str
    """As `notes/<id>`."""
    session_id: str = ""
    _stack: contextlib.AsyncExitStack = field(default_factory=contextlib.AsyncExitStack)

    async def __aenter__(self) -> Any:
        headers = {"Authorization": f"Bearer {self.token}"}
        client = httpx.AsyncClient(base_url=self.url, headers=headers, timeout=30)
        self.rest = await self._stack.enter_async_context(client)
        if not self.session_id:
            made = await self.rest.post(f"/api/{self.record}/chat/sessions")
            self.session_id = made.raise_for_status().json()["sessionId"]
        await self.open()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._stack.aclose()

    async def open(self) -> None:
        """What talking needs beside the client."""

    async def send(self, **body: Any) -> dict[str, Any]:
        """Send, and how it was acknowledged."""
        raise NotImplementedError

    async def answer(self, answer_id: str) -> Message:
        """The answer once it is whole."""
        raise NotImplementedError

    async def say(self, content: str) -> Message:
        sent = await self.send(content=content, clientMessageId=str(new_id()))
        return await self.answer(sent["answerId"])

    async def wizard(self, action: str, /, **fields: Any) -> Message:
        """Input for a wizard, and the whole answer to it."""
        sent = await self.send(
            clientMessageId=str(new_id()), wizardInput={"action": action, **fields}
        )
        return await self.answer(sent["answerId"])

    async def standalone(self, run: str, step: str | None = None) -> dict[str, Any]:
        """The run as the API has it that knows of no conversation."""
        query = {} if step is None else {"step": step}
        return (await self.rest.get(f"{RUNS}/{run}", params=query)).raise_for_status().json()


@dataclass
class SocketTalker(Talker):
    """Over Socket.IO, as a browser does."""

    messages: dict[str, Message] = field(default_factory=dict)

    async def open(self) -> None:
        self.socket = socketio.AsyncClient(reconnection=False)
        self.socket.on("message", self._on_message, namespace="/chat")
        auth = {"token": self.token}
        await self.socket.connect(self.url, auth=auth, namespaces=["/chat"], wait_timeout=20)
        self._stack.push_async_callback(self._leave)
        joined = await self._call("join_session")
        assert joined == {"ok": True}

    async def _leave(self) -> None:
        with contextlib.suppress(AttributeError):
            await self.socket.shutdown()

    async def _on_message(self, data: dict[str, Any]) -> None:
        self.messages[data["id"]] = data

    async def _call(self, event: str, **payload: Any) -> dict[str, Any]:
        payload["sessionId"] = self.session_id
        return await self.socket.call(event, payload, namespace="/chat", timeout=20)

    async def send(self, **body: Any) -> dict[str, Any]:
        return await self._call("send_message", **body)

    async def answer(self, answer_id: str) -> Message:
        async with asyncio.timeout(90):
            while self.messages.get(answer_id, {}).get("status", "streaming") == "streaming":
                await asyncio.sleep(0.01)
        return self.messages[answer_id]


@dataclass
class RestTalker(Talker):
    """Over REST alone."""

    async def send(self, **body: Any) -> dict[str, Any]:
        path = f"/api/{self.record}/chat/sessions/{self.session_id}/messages"
        return (await self.rest.post(path, json=body)).json()

    async def answer(self, answer_id: str) -> Message:
        path = f"/api/chat/sessions/{self.session_id}/messages"
        async with asyncio.timeout(90):
            while True:
                rows = (await self.rest.get(path, params={"limit": 5})).json()["items"]
                result = next((row for row in rows if row["id"] == answer_id), None)
                if result and result["status"] != "streaming":
                    return result
                await asyncio.sleep(0.02)


WAYS: dict[str, type[Talker]] = {"socket": SocketTalker, "rest": RestTalker}
