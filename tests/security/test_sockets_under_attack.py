"""Socket.IO packets that no client of ours sends: they cost the sender the connection, no more."""

from __future__ import annotations

import asyncio
import json

import pytest
import websockets
from websockets.asyncio.client import ClientConnection

from whence.app.platform import Platform
from whence.tenancy import tokens
from whence.tenancy.principal import Scope

pytestmark = pytest.mark.anyio
ENTER = "40/research,"
PACKETS = [
    '45999999999-/research,["subscribe",{"_placeholder":true,"num":0}]',
    '46999999999-/research,1["subscribe"]',
    "42/research,[]",
    '42/research,{"a":1}',
    "42/research," + "[" * 50_000,
    "49",
    "4",
    "44/research,{}",
]


async def knocked(serve: str) -> ClientConnection:
    """An open WebSocket that has not said yet who it is."""
    url = serve.replace("http", "ws", 1) + "/socket.io/?EIO=4&transport=websocket"
    socket = await websockets.connect(url)
    assert str(await socket.recv()).startswith("0")
    return socket


async def is_cut(socket: ClientConnection) -> bool:
    """Whether the server closes the connection soon; what it says before that is passed over."""
    try:
        async with asyncio.timeout(5):
            while True:
                await socket.recv()
    except websockets.ConnectionClosed:
        return True
    except TimeoutError:
        return False


@pytest.mark.parametrize("packet", PACKETS)
async def test_whoever_sends_what_cannot_be_an_event_is_cut_off(
    platform: Platform, serve: str, packet: str
) -> None:
    secret = await tokens.issue(platform.db, platform.owner, "reads", scopes={Scope.READ})
    socket = await knocked(serve)
    await socket.send(ENTER + json.dumps({"token": secret}))
    assert str(await socket.recv()).startswith(ENTER)
    await socket.send(packet)
    assert await is_cut(socket)


@pytest.mark.parametrize("packet", PACKETS[:2] + PACKETS[4:])
async def test_so_is_whoever_has_not_said_who_it_is(serve: str, packet: str) -> None:
    socket = await knocked(serve)
    await socket.send(packet)
    assert await is_cut(socket)


async def test_binary_parts_are_not_collected(platform: Platform, serve: str) -> None:
    """Announced by a reader, hundreds of megabytes of them would stay in memory."""
    secret = await tokens.issue(platform.db, platform.owner, "reads", scopes={Scope.READ})
    socket = await knocked(serve)
    await socket.send(ENTER + json.dumps({"token": secret}))
    await socket.recv()
    await socket.send(b"\x00" * 1000)
    assert await is_cut(socket)
