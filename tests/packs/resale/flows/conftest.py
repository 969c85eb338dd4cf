"""The sample, researched once for every test that reads it; servers that play the outside."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml
from aiohttp import web
from pydantic import SecretStr

from databases import cloned
from whence.kernel.settings import Settings
from whence.packs.resale import pack

SAMPLE = pack.FOLDER / "sample"


@pytest.fixture(scope="session")
def expected() -> Mapping[str, Any]:
    """What the sample promises: `sample/expect.yml`."""
    return yaml.safe_load((SAMPLE / "expect.yml").read_text(encoding="utf-8"))


@dataclass
class Outside:
    """Answers by path; one that is a list is used up, the last one stays."""

    base: str = ""
    routes: dict[str, list[web.Response]] = field(default_factory=dict)
    requests: list[tuple[str, dict[str, str], dict[str, Any]]] = field(default_factory=list)

    def answer(self, path: str, body: object, status: int = 200, kind: str = "json") -> None:
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        content = {"json": "application/json", "jpeg": "image/jpeg"}[kind]
        result = web.Response(status=status, body=raw, content_type=content)
        self.routes.setdefault(path, []).append(result)

    def bodies(self, path: str) -> list[dict[str, Any]]:
        return [body for request, _, body in self.requests if request == path]

    def queries(self, path: str) -> list[dict[str, str]]:
        return [query for request, query, _ in self.requests if request == path]


@pytest.fixture
async def outside() -> AsyncIterator[Outside]:
    """A local server, by script."""
    played = Outside()

    async def handle(request: web.Request) -> web.Response:
        raw = await request.text()
        body = json.loads(raw) if raw.startswith("{") else {}
        played.requests.append((request.path, dict(request.query), body))
        queue = played.routes.get(request.path)
        if not queue:
            return web.Response(status=418, text=f"nothing planned for {request.path}")
        planned = queue.pop(0) if len(queue) > 1 else queue[0]
        return web.Response(
            status=planned.status, body=planned.body, content_type=planned.content_type
        )

    app = web.Application(client_max_size=50_000_000)
    app.router.add_route("*", "/{path:.*}", handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    played.base = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield played
    await runner.cleanup()


@pytest.fixture(scope="module")
def sample_settings(
    postgres: str, template: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Settings]:
    """Settings of a database that the tests of one module share."""
    with cloned(postgres, template) as url:
        yield Settings(home=tmp_path_factory.mktemp("home"), database_url=SecretStr(url))


@pytest.fixture
def sample_photo() -> bytes:
    """The photograph of the sample that shows the barcode."""
    return (SAMPLE / "photos" / "back.jpg").read_bytes()


@pytest.fixture
def sample_photos() -> Path:
    """The folder of the sample's photographs."""
    return SAMPLE / "photos"


@pytest.fixture
def wanted_gtin(expected: Mapping[str, Any]) -> str:
    return expected["research"]["HP-001"]["gtin"]
