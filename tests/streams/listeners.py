"""Real clients that follow one run and come back by themselves, over a line that can break."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from typing import Any
from urllib.parse import urlsplit

import httpx
import socketio

NAMESPACE = "/research"
ReceivedEvent = tuple[str, dict[str, Any]]


class Listener:
    """What one client heard, in order; `cursor` is what it sends when it comes back."""

    def __init__(self, url: str, token: str, job_id: str, after: int = 0) -> None:
        self.url, self.token, self.job_id = url, token, job_id
        self.events: list[ReceivedEvent] = []
        self.cursor = after
        self.connects = 0
        self.cuts = 0
        """How often the connection ended by itself, or could not serve it."""
        self.refusals: list[Any] = []

    @property
    def seqs(self) -> list[int]:
        return [data["seq"] for _, data in self.events if "seq" in data]

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.events]

    def receive(self, name: str, data: dict[str, Any]) -> None:
        if name == "job_status" and self.events and self.events[-1][0] == "gap":
            self.cursor = data["lastSeq"]
        self.events.append((name, data))
        self.cursor = data.get("seq", self.cursor)

    async def until(self, last: int | str, seconds: float = 150) -> None:
        """Wait until it has heard this `seq`, or this kind of message."""
        async with asyncio.timeout(seconds):
            while (last not in self.seqs) if isinstance(last, int) else (last not in self.names):
                await asyncio.sleep(0.01)

    async def start(self) -> None:
        raise NotImplementedError

    async def stop(self) -> None:
        raise NotImplementedError


class SseListener(Listener):
    """As a browser's EventSource: comes back with `Last-Event-ID` until it is told not to."""

    async def start(self) -> None:
        # Its size of a read is the kernel's buffer: a small one makes a slow client felt soon.
        self._task = asyncio.create_task(self._follow())

    async def stop(self) -> None:
        self._task.cancel()
        await asyncio.wait([self._task])

    async def _follow(self) -> None:
        headers = {"Authorization": f"Bearer {self.token}"}
        async with httpx.AsyncClient(base_url=self.url, headers=headers, timeout=60) as client:
            while True:
                with contextlib.suppress(httpx.TransportError):
                    if not await self._connection(client):
                        return
                self.cuts += 1
                await asyncio.sleep(0.02)

    async def _connection(self, client: httpx.AsyncClient) -> bool:
        path = f"/api/runs/{self.job_id}/events"
        headers = {"Last-Event-ID": str(self.cursor)} if self.cursor else {}
        async with client.stream("GET", path, headers=headers) as answer:
            if answer.status_code >= 500:
                return True  # it passes: come back
            if answer.status_code != 200:
                self.refusals.append(answer.status_code)
                return False
            self.connects += 1
            fields: dict[str, str] = {}
            async for line in answer.aiter_lines():
                if line:
                    name, _, value = line.partition(": ")
                    fields[name] = value
                elif "event" in fields:
                    self.receive(fields["event"], json.loads(fields["data"]))
                    if "id" in fields:
                        self.cursor = int(fields["id"])
                    fields = {}
        return True


class SocketListener(Listener):
    """A Socket.IO client that subscribes each time it is connected."""

    async def start(self) -> None:
        self._client = socketio.AsyncClient(
            reconnection_delay=0.02, reconnection_delay_max=0.1, randomization_factor=0
        )
        self._client.on("*", self._on_event, namespace=NAMESPACE)
        self._client.on("connect", self._connected, namespace=NAMESPACE)
        self._client.on("connect_error", self._refused, namespace=NAMESPACE)
        self._client.on("disconnect", self._cut, namespace=NAMESPACE)
        await self._client.connect(
            self.url,
            namespaces=[NAMESPACE],
            auth={"token": self.token},
            transports=["websocket"],
            wait_timeout=60,
            retry=True,
        )

    async def stop(self) -> None:
        # python-socketio's own slip: a task that is to reconnect and has not begun yet.
        with contextlib.suppress(AttributeError):
            await self._client.shutdown()

    @property
    def is_connected(self) -> bool:
        return NAMESPACE in self._client.namespaces

    async def _connected(self) -> None:
        self.connects += 1
        await self._subscribe()

    async def _cut(self, reason: Any = None) -> None:
        self.cuts += 1

    async def _subscribe(self) -> None:
        wanted = {"jobId": self.job_id, "after": self.cursor}
        await self._client.emit("subscribe_job", wanted, NAMESPACE, self._answered)

    async def _refused(self, problem: Any) -> None:
        self.refusals.append(problem)

    async def _answered(self, answer: dict[str, Any]) -> None:
        if not answer["ok"] and answer["error"]["status"] >= 500:
            await asyncio.sleep(0.05)  # it passes: ask again
            if self.is_connected:
                await self._subscribe()
        elif not answer["ok"]:
            self.refusals.append(answer["error"])

    async def _on_event(self, name: str, data: dict[str, Any]) -> None:
        self.receive(name, data)


TRANSPORTS: dict[str, type[Listener]] = {"sse": SseListener, "socket": SocketListener}


class Line:
    """A TCP forwarder from clients to a server: it can break, stand still, and lead elsewhere."""

    def __init__(self, url: str) -> None:
        self.lead_to(url)
        self._open: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._flowing = asyncio.Event()
        self._flowing.set()
        self.accepted = 0

    def lead_to(self, url: str) -> None:
        """The server from now on."""
        self._port = urlsplit(url).port

    async def open(self) -> str:
        """Accept; the address for clients."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def close(self) -> None:
        self._server.close()
        self.cut()
        for task in tuple(self._tasks):
            task.cancel()

    def cut(self) -> None:
        """Break every connection, as a lost network does."""
        for writer in tuple(self._open):
            writer.transport.abort()

    def hold(self) -> None:
        """Pass nothing more from the server to the clients, and read no more from it."""
        self._flowing.clear()

    def release(self) -> None:
        self._flowing.set()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        upstream = socket.socket()
        upstream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        upstream.setblocking(False)
        try:
            await asyncio.get_running_loop().sock_connect(upstream, ("127.0.0.1", self._port))
        except OSError:
            upstream.close()
            writer.transport.abort()
            return
        self.accepted += 1
        from_server, to_server = await asyncio.open_connection(sock=upstream, limit=1024)
        self._open |= {writer, to_server}
        for one, other, gate in (
            (reader, to_server, None),
            (from_server, writer, self._flowing),
        ):
            task = asyncio.create_task(self._pass(one, other, gate))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pass(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        gate: asyncio.Event | None,
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(16384):
                if gate:
                    await gate.wait()
                writer.write(data)
                await writer.drain()
        self._open.discard(writer)
        writer.close()
