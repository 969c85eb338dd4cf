"""Whatever is sent, the answer is a problem document that helps, never a failure of the server."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable
from typing import Any

import httpx
import pytest

from transports.documented import document
from transports.expected_access import general
from whence.app.platform import Platform
from whence.transports.edge.receiving import MAX_JSON_BYTES, MAX_UPLOAD_BYTES

pytestmark = pytest.mark.anyio
PARTS = 4
"""So that the workers of the tests share them."""
ONE_OF = 3
"""Of the garbage, a route gets every third on each day: its neighbours get the rest."""
Call = tuple[str, str, dict[str, Any]]
NASTY = [
    "%00",
    "%ff%fe",
    "..%2f..%2fetc%2fpasswd",
    "%F0%9F%92%A9",
    "'; DROP TABLE whence.runs; --",
    "0",
    "-1",
    "9" * 400,
    "x" * 5000,
    "00000000-0000-0000-0000-000000000000",
    "{ffffffff-ffff-ffff-ffff-ffffffffffff}",
    "NaN",
    "null",
    "%25s%25n",
]
BODIES: list[bytes] = [
    b"",
    b"null",
    b"[]",
    b'"text"',
    b"{",
    b"NaN",
    b'{"title": NaN}',
    b'{"title": "A", "text": 1e9999}',
    b'{"title": "\\u0000"}',
    b'{"title": "\\ud800"}',
    b'{"\\u0000": 1}',
    b'{"title": ' + b"9" * 5000 + b"}",
    b"[" * 100_000,
    b'{"a": ' * 50_000,
    b"\xff\xfe\x00",
    b'{"title": {"a": [1, {"b": null}]}, "priority": [], "type": {}, "name": 5, "text": []}',
    b'{"title": "A", "orgId": "x", "org_id": "x", "version": 9, "__proto__": {}}',
]


def is_helpful(answer: httpx.Response) -> bool:
    if answer.status_code < 400:
        return True
    problem = answer.json()
    return (
        answer.status_code < 500
        and answer.headers["content-type"] == "application/problem+json"
        and problem["type"].startswith("/problems/")
        and problem["status"] == answer.status_code
        and "Traceback" not in answer.text
    )


def one_of_each(calls: Iterable[Call], kinds: Iterable[str]) -> list[Call]:
    """The calls of one kind of records: the same code answers those of the other kinds."""
    return list(
        {general(method, path, kinds): (method, path, of) for method, path, of in calls}.values()
    )


@pytest.mark.parametrize(
    ("which", "part"),
    [
        *(("one kind", part) for part in range(PARTS)),
        pytest.param("all", 0, marks=pytest.mark.long),
    ],
)
async def test_no_route_fails_for_any_garbage_in_its_address_query_headers_or_body(
    owner: httpx.AsyncClient, platform: Platform, which: str, part: int
) -> None:
    api = await document(owner)
    operations = [
        (method, path, call)
        for path, calls in api["paths"].items()
        for method, call in calls.items()
    ]
    if which == "one kind":
        operations = one_of_each(operations, platform.kinds)[part::PARTS]
    note = (await owner.post("/api/notes", json={"title": "A", "text": "b"})).json()["id"]
    garbage = list(itertools.zip_longest(NASTY, BODIES, fillvalue=None))
    one_of = ONE_OF if which == "one kind" else 1
    count = 0
    for place, (method, path, call) in enumerate(operations):
        names = [p["name"] for p in call.get("parameters", ()) if p["in"] == "query"]
        for nasty, body in garbage[place % one_of :: one_of]:
            word, content = nasty or "x", body or b""
            address = path.replace("{id}", word if count % 2 else note)
            for name in ("{jobId}", "{name}"):
                address = address.replace(name, word)
            query = "&".join(f"{name}={word}" for name in [*names[:3], "no_such_parameter"])
            headers = {
                "Content-Type": "application/json",
                "If-Match": word[:200],
                "Last-Event-ID": word[:200],
            }
            answer = await owner.request(
                method.upper(), f"{address}?{query}", content=content, headers=headers
            )
            count += 1
            assert is_helpful(answer), (method, address, query[:80], content[:80], answer.text)
    assert count > 400 // one_of


UNKEEPABLE: list[tuple[bytes, str | None]] = [
    (b'{"title": "A", "text": NaN}', None),
    (b'{"title": "A", "text": -Infinity}', None),
    (b'{"title": "A", "text": 1e9999}', None),
    (b'{"title": "a\\u0000b"}', "title"),
    (b'{"title": "a\\ud800b"}', "title"),
    (b'{"title": "A", "text": ["\\u0000"]}', "text.0"),
    (b'{"title": ""}', "title"),
    (b'{"text": "no title"}', "title"),
    (b'{"title": "A", "colour": "red"}', "colour"),
    (b'{"title": 5}', "title"),
]


async def test_a_record_that_cannot_be_kept_is_refused_by_the_name_of_its_field(
    owner: httpx.AsyncClient,
) -> None:
    headers = {"Content-Type": "application/json"}
    for sent, field in UNKEEPABLE:
        refused = await owner.post("/api/notes", content=sent, headers=headers)
        assert (refused.status_code, refused.json()["type"]) == (422, "/problems/invalid"), sent
        named = [error["field"] for error in refused.json().get("errors", [])]
        assert named == [field] * bool(field), sent
    assert (await owner.get("/api/notes")).json()["items"] == []


async def test_a_patch_is_checked_as_a_whole_record(owner: httpx.AsyncClient) -> None:
    made = (await owner.post("/api/notes", json={"title": "A"})).json()
    for changes in ({"title": ""}, {"title": None}, {"id": made["id"]}, {"version": 7}):
        refused = await owner.patch(f"/api/notes/{made['id']}", json=changes)
        assert refused.status_code == 422, changes
        assert [error["field"] for error in refused.json()["errors"]] == list(changes)
    assert (await owner.get(f"/api/notes/{made['id']}")).json() == made


async def test_an_import_of_garbage_says_what_is_wrong_with_it(owner: httpx.AsyncClient) -> None:
    path = "/api/imports/sample_pack.notes?filename=..%2f..%2fetc%2fpasswd"
    for content in BODIES:
        answer = await owner.post(path, content=content)
        assert is_helpful(answer), answer.text
    assert (await owner.get("/api/notes")).json()["items"] == []


@pytest.mark.parametrize("announced", [True, False])
async def test_a_body_that_is_too_large_is_refused(
    owner: httpx.AsyncClient, announced: bool
) -> None:
    async def parts(size: int) -> Any:
        for _ in range(size // 100_000 + 1):
            yield b"a" * 100_000

    small = b'"' + b"a" * MAX_JSON_BYTES + b'"' if announced else parts(MAX_JSON_BYTES)
    large = b"a" * (MAX_UPLOAD_BYTES + 1) if announced else parts(MAX_UPLOAD_BYTES)
    upload = "/api/imports/sample_pack.notes?filename=a.jsonl"
    headers = {"Content-Type": "application/json"}
    for path, content in (("/api/notes", small), (upload, large)):
        refused = await owner.post(path, content=content, headers=headers)
        assert (refused.status_code, refused.json()["type"]) == (413, "/problems/too-large")
    assert "larger than 25 MB" in refused.json()["detail"]
    assert "`POST /api/imports/{name}/files" in refused.json()["detail"]


async def test_an_unknown_field_is_named_with_those_there_are(owner: httpx.AsyncClient) -> None:
    made = (await owner.post("/api/notes", json={"title": "A"})).json()
    address = f"/api/notes/{made['id']}"
    for refused in (
        await owner.post("/api/notes", json={"title": "A", "colour": "red"}),
        await owner.patch(address, json={"colour": "red"}),
    ):
        [error] = refused.json()["errors"]
        assert error["field"] == "colour"
        assert "there is no such field; there are " in error["message"]
        assert " text, title" in error["message"]
    refused = await owner.post(f"{address}/research", json={"parameters": {"colour": "red"}})
    assert refused.json()["errors"] == [
        {"field": "parameters.colour", "message": "there is no such field"}
    ]


async def test_an_unknown_filter_is_named_with_those_there_are(owner: httpx.AsyncClient) -> None:
    for address in ("/api/notes?colour=red", "/api/notes/counts?colour=red"):
        refused = (await owner.get(address)).json()
        [error] = refused["errors"]
        assert error["field"] == "colour"
        assert "no such parameter; there are " in error["message"]
        assert " title," in error["message"]
        assert "createdAt.min" in error["message"]


async def test_a_page_is_asked_for_with_a_cursor_of_ours_and_a_sensible_limit(
    owner: httpx.AsyncClient,
) -> None:
    for query in (
        "limit=0",
        "limit=101",
        "limit=many",
        "cursor=zzz",
        "cursor=%C3%A9",
        "colour=red",
    ):
        refused = await owner.get(f"/api/notes?{query}")
        assert (refused.status_code, refused.json()["type"]) == (422, "/problems/invalid"), query


async def test_a_form_is_told_how_to_send_the_file(owner: httpx.AsyncClient) -> None:
    path = "/api/imports/sample_pack.notes?filename=notes.jsonl"
    refused = await owner.post(path, files={"file": b'{"id": "a", "title": "A"}'})
    assert refused.status_code == 422
    assert "--data-binary" in refused.json()["detail"]


async def test_a_method_that_an_address_does_not_take(owner: httpx.AsyncClient) -> None:
    refused = await owner.put("/api/notes", json={})
    assert (refused.status_code, refused.json()["type"]) == (405, "/problems/method-not-allowed")
    assert "GET" in refused.headers["allow"]


async def test_json_is_only_read_where_it_says_that_it_is_json(owner: httpx.AsyncClient) -> None:
    sent = json.dumps({"title": "A"}).encode()
    for kind in ("text/plain", "application/x-www-form-urlencoded"):
        refused = await owner.post("/api/notes", content=sent, headers={"Content-Type": kind})
        assert refused.status_code == 422


async def test_a_record_whose_own_id_ends_like_an_upload_is_held_to_the_same(
    owner: httpx.AsyncClient,
) -> None:
    """`…/a%2Ffiles` is the record `a/files`, and no place for a file."""
    content = '{"title": "a\\u0000b"}'
    headers = {"Content-Type": "application/json"}
    answer = await owner.patch("/api/notes/a%2Ffiles", content=content, headers=headers)
    assert answer.status_code == 422
    assert "cannot be stored" in answer.json()["detail"]


async def test_what_is_wrong_with_a_whole_body_is_told_in_our_own_words(
    owner: httpx.AsyncClient,
) -> None:
    reported = (await owner.post("/api/agent/chat", json={"message": "a"})).json()
    assert reported["errors"] == [
        {"field": "body", "message": "`context` is needed to begin a conversation"}
    ]


@pytest.mark.parametrize("deep", [b"[" * 100 + b"]" * 100, b"[" * 100_000])
async def test_a_body_that_is_too_deep_is_told_so_however_deep(
    owner: httpx.AsyncClient, deep: bytes
) -> None:
    headers = {"Content-Type": "application/json"}
    refused = await owner.post("/api/notes", content=deep, headers=headers)
    assert "more than 64 lists and objects" in refused.json()["detail"]
