"""The outbound client: what it retries, what it refuses, and what its errors say."""

from __future__ import annotations

import asyncio
import gzip
import time
import tracemalloc
import zlib

import pytest
from aiohttp import web

from whence.kernel.errors import Invalid, Misconfigured, NotFound, Unavailable
from whence.kernel.fetch import (
    Absent,
    AccessDenied,
    BodyTooLarge,
    CredentialsRefused,
    Fetcher,
    HostUnavailable,
    Limits,
    MalformedBody,
    Reach,
    RequestRefused,
    Throttled,
)
from whence.kernel.retry import RetryPolicy

pytestmark = pytest.mark.anyio
SECRET = "s3cr3t-token"


def ok(body: bytes = b'{"fine": true}', **headers: str):
    return lambda: web.Response(body=body, headers={"Content-Type": "application/json", **headers})


def status(code: int, body: bytes = b"", **headers: str):
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return lambda: web.Response(status=code, body=body, headers=named)


async def test_json_is_read_and_parameters_and_headers_are_sent(outside, fetcher):
    outside.answers(ok())
    answer = await fetcher.get_json(
        f"{outside.base}/things", params={"q": "a b&c"}, headers={"X-Market": "US"}
    )
    assert answer == {"fine": True}
    assert outside.requests[0].query["q"] == "a b&c"
    assert outside.requests[0].headers["X-Market"] == "US"
    assert outside.requests[0].headers["User-Agent"] == "whence"


async def test_bytes_come_with_the_type_the_host_claims(outside, fetcher):
    outside.answers(lambda: web.Response(body=b"\x89PNG", content_type="image/png"))
    answer = await fetcher.get_bytes(f"{outside.base}/photo.png")
    assert (answer.body, answer.content_type) == (b"\x89PNG", "image/png")


async def test_a_failing_host_is_tried_three_times_and_then_unavailable(outside, fetcher):
    outside.answers(status(503))
    with pytest.raises(HostUnavailable, match=r"127\.0\.0\.1 failed \(503\)") as caught:
        await fetcher.get_json(f"{outside.base}/x")
    assert len(outside.requests) == 3
    assert isinstance(caught.value, Unavailable)


async def test_a_failure_that_passes_is_not_seen(outside, fetcher):
    outside.answers(status(500), status(429), ok())
    assert await fetcher.get_json(f"{outside.base}/x") == {"fine": True}


async def test_retry_after_is_waited_for(outside, fetcher):
    outside.answers(status(429, Retry_After="1"), ok())
    start = time.monotonic()
    await fetcher.get_json(f"{outside.base}/x")
    assert time.monotonic() - start >= 1.0


async def test_a_long_retry_after_is_handed_to_the_caller_at_once(outside, fetcher):
    outside.answers(status(429, Retry_After="3600"))
    with pytest.raises(Throttled) as caught:
        await fetcher.get_json(f"{outside.base}/x")
    assert caught.value.retry_after == 3600
    assert len(outside.requests) == 1


async def test_a_403_that_names_a_pause_is_throttling(outside, fetcher):
    outside.answers(status(403, Retry_After="600"))
    with pytest.raises(Throttled):
        await fetcher.get_json(f"{outside.base}/x")


@pytest.mark.parametrize(
    ("code", "kind", "root"),
    [
        (400, RequestRefused, Invalid),
        (401, CredentialsRefused, Misconfigured),
        (403, AccessDenied, Misconfigured),
        (404, Absent, NotFound),
        (422, RequestRefused, Invalid),
    ],
)
async def test_other_refusals_are_typed_and_not_repeated(outside, fetcher, code, kind, root):
    outside.answers(status(code, b'{"why": "because"}'))
    with pytest.raises(kind) as caught:
        await fetcher.get_json(f"{outside.base}/x")
    assert isinstance(caught.value, root)
    assert (caught.value.status, caught.value.body) == (code, b'{"why": "because"}')
    assert len(outside.requests) == 1


async def test_no_error_ever_names_a_secret(outside, fetcher):
    for response in (status(401), status(500), status(404), ok(b"no json")):
        outside.answers(response)
        with pytest.raises((Misconfigured, Unavailable, NotFound, Invalid)) as caught:
            await fetcher.get_json(
                f"{outside.base}/x",
                params={"api_key": SECRET},
                headers={"Authorization": f"Bearer {SECRET}"},
            )
        assert SECRET not in caught.value.message + repr(caught.value.context)


async def test_a_silent_host_is_unavailable(outside, fetcher):
    async def handler(_: web.Request) -> web.StreamResponse:
        await asyncio.sleep(60)
        return web.Response()

    outside.handler = handler
    with pytest.raises(HostUnavailable, match="in time"):
        await fetcher.get_json(f"{outside.base}/x")


async def test_a_host_that_drips_is_cut_off_by_the_total_time(outside, tls):
    async def handler(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        for _ in range(100):
            await response.write(b" ")
            await asyncio.sleep(0.05)
        return response

    outside.handler = handler
    reach = Reach.only(outside.base, allow_private=True)
    async with Fetcher(
        reach, limits=Limits(read=0.3, total=0.4, retry=RetryPolicy(max_attempts=1)), tls=tls
    ) as fetcher:
        with pytest.raises(HostUnavailable, match=r"within 0\.4 s"):
            await fetcher.get_json(f"{outside.base}/x")


async def test_a_closed_port_is_unavailable(quick, tls):
    reach = Reach.only("http://127.0.0.1:9", allow_private=True)
    async with Fetcher(reach, limits=quick, tls=tls) as f:
        with pytest.raises(HostUnavailable, match="could not be reached"):
            await f.get_json("http://127.0.0.1:9/x")


async def test_a_huge_body_is_cut(outside, fetcher):
    outside.answers(ok(b"[" + b"1," * 40_000 + b"1]"))
    with pytest.raises(BodyTooLarge, match="50,000 bytes"):
        await fetcher.get_json(f"{outside.base}/x")
    assert len(outside.requests) == 1


async def test_a_compression_bomb_is_counted_after_unpacking(outside, fetcher):
    bomb = gzip.compress(b" " * 20_000_000)
    assert len(bomb) < 50_000
    outside.answers(ok(bomb, **{"Content-Encoding": "gzip"}))
    tracemalloc.start()
    with pytest.raises(BodyTooLarge):
        await fetcher.get_json(f"{outside.base}/x")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2_000_000


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", gzip.compress(b'{"fine": true}', mtime=0)),
        ("deflate", zlib.compress(b'{"fine": true}')),
    ],
)
async def test_compressed_answers_are_read(outside, fetcher, encoding, body):
    outside.answers(ok(body, **{"Content-Encoding": encoding}))
    assert await fetcher.get_json(f"{outside.base}/x") == {"fine": True}


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (b"<html>maintenance</html>", ""),
        (b"", ""),
        (b'{"a": ', ""),
        (b"\xff\xfe{}", ""),
        (b"[" * 40_000, ""),
        (b"not gzip", "gzip"),
        (gzip.compress(b'{"fine": true}' * 9, mtime=0)[:-12], "gzip"),
        (b"{}", "br"),
    ],
)
async def test_a_body_that_cannot_be_read_is_a_typed_error(outside, fetcher, body, encoding):
    outside.answers(ok(body, **({"Content-Encoding": encoding} if encoding else {})))
    with pytest.raises(MalformedBody, match=r"127\.0\.0\.1"):
        await fetcher.get_json(f"{outside.base}/x")


async def test_a_body_that_breaks_off_is_tried_again(outside, fetcher):
    async def handler(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Length": "100"})
        await response.prepare(request)
        await response.write(b'{"a"')
        assert request.transport is not None
        request.transport.close()
        return response

    outside.handler = handler
    with pytest.raises(HostUnavailable):
        await fetcher.get_json(f"{outside.base}/x")
    assert len(outside.requests) == 3


async def test_forms_and_json_are_posted(outside, fetcher):
    bodies: list[str] = []

    async def handler(request: web.Request) -> web.StreamResponse:
        bodies.append(await request.text())
        return web.json_response({"ok": 1})

    outside.handler = handler
    await fetcher.post_form(f"{outside.base}/token", {"grant_type": "a b"})
    await fetcher.post_json(f"{outside.base}/batch", {"n": [1, 2]})
    assert bodies == ["grant_type=a+b", '{"n":[1,2]}']
