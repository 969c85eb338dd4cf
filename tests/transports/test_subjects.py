"""Records over HTTP: adding, finding, changing by version, importing, and the OpenAPI document."""

from __future__ import annotations

import json
from urllib.parse import quote

import httpx
import psycopg
import pytest

pytestmark = pytest.mark.anyio


async def add(owner: httpx.AsyncClient, title: str, text: str = "") -> dict[str, object]:
    made = await owner.post("/api/notes", json={"title": title, "text": text})
    assert made.status_code == 201
    assert made.headers["location"] == f"/api/notes/{made.json()['id']}"
    return made.json()


async def test_a_record_is_answered_in_camel_case_with_its_version_as_etag(
    owner: httpx.AsyncClient,
) -> None:
    made = await add(owner, "A")
    read = await owner.get(f"/api/notes/{made['id']}")
    assert read.json() == made
    assert read.headers["etag"] == '"1"'
    assert set(made) == {
        "id",
        "externalId",
        "version",
        "createdAt",
        "updatedAt",
        "notValid",
        "title",
        "text",
    }


async def test_a_change_based_on_an_older_version_is_a_conflict(owner: httpx.AsyncClient) -> None:
    path = f"/api/notes/{(await add(owner, 'A'))['id']}"
    first = await owner.patch(path, json={"title": "B"}, headers={"If-Match": '"1"'})
    assert (first.status_code, first.headers["etag"]) == (200, '"2"')
    late = await owner.patch(path, json={"title": "C"}, headers={"If-Match": '"1"'})
    assert (late.status_code, late.json()["type"]) == (409, "/problems/conflict")
    assert "version 2" in late.json()["detail"]
    anyway = await owner.patch(path, json={"title": "C"}, headers={"If-Match": "*"})
    assert anyway.json()["title"] == "C"
    garbage = await owner.patch(path, json={"title": "D"}, headers={"If-Match": "latest"})
    assert garbage.status_code == 422


async def test_fields_that_a_patch_leaves_out_stay(owner: httpx.AsyncClient) -> None:
    made = await add(owner, "A", "the text")
    changed = await owner.patch(f"/api/notes/{made['id']}", json={"title": "B"})
    assert (changed.json()["title"], changed.json()["text"]) == ("B", "the text")


async def test_a_deleted_record_is_gone_from_every_answer(owner: httpx.AsyncClient) -> None:
    path = f"/api/notes/{(await add(owner, 'A'))['id']}"
    assert (await owner.delete(path)).status_code == 204
    assert (await owner.get("/api/notes")).json() == {"items": [], "nextCursor": None}
    for answer in (
        await owner.get(path),
        await owner.delete(path),
        await owner.patch(path, json={}),
    ):
        assert answer.status_code == 404


async def test_a_record_that_there_is_not_is_told_with_the_call_that_lists_them(
    owner: httpx.AsyncClient,
) -> None:
    answer = await owner.get("/api/notes/none")
    assert answer.json()["detail"] == "There is no note 'none'; `GET /api/notes` lists them."


async def test_a_list_pages_through_every_record_once_newest_first(
    owner: httpx.AsyncClient,
) -> None:
    made = [(await add(owner, f"Note {number}"))["id"] for number in range(7)]
    ids: list[str] = []
    query: dict[str, str | int] = {"limit": 3}
    while True:
        page = (await owner.get("/api/notes", params=query)).json()
        ids += [row["id"] for row in page["items"]]
        if page["nextCursor"] is None:
            break
        query["cursor"] = page["nextCursor"]
    assert ids == made[::-1]


async def test_a_search_finds_records_that_hold_every_word(owner: httpx.AsyncClient) -> None:
    await add(owner, "Canon camera", "black, 50% off")
    await add(owner, "Canon printer")
    for words, result in (("canon", 2), ("CAMERA black", 1), ("50%", 1), ("%", 0), ("nikon", 0)):
        page = (await owner.get("/api/notes", params={"search": words})).json()
        assert len(page["items"]) == result, words


async def test_a_list_is_narrowed_by_the_fields_that_the_kind_names(
    owner: httpx.AsyncClient,
) -> None:
    await add(owner, "A", "x")
    await add(owner, "B", "x")
    page = (await owner.get("/api/notes", params={"title": "B", "search": "x"})).json()
    assert [row["title"] for row in page["items"]] == ["B"]
    assert (await owner.get("/api/notes", params={"text": "x"})).status_code == 422


async def test_an_uploaded_file_is_imported_and_its_ids_name_its_records(
    owner: httpx.AsyncClient,
) -> None:
    sent = '{"id": "n/1", "title": "One"}\n{"id": "n2", "title": "Two", "text": "deux"}\n'
    path = "/api/imports/sample_pack.notes"
    imported = await owner.post(path, content=sent.encode(), params={"filename": "notes.jsonl"})
    assert (imported.status_code, imported.json()["added"], imported.json()["refused"]) == (
        200,
        2,
        [],
    )
    assert (await owner.get("/api/notes/n2")).json()["title"] == "Two"
    request = await owner.post("/api/notes/n2/research")
    assert request.status_code == 202
    assert (await owner.post("/api/imports/no.such", params={"filename": "a"})).status_code == 422


async def test_tools_are_listed_with_their_schemas_and_called_with_their_arguments(
    owner: httpx.AsyncClient,
) -> None:
    [tool] = [row for row in (await owner.get("/api/tools")).json() if row["name"] == "count_words"]
    assert tool["arguments"]["properties"]["text"]["type"] == "string"
    called = await owner.post("/api/tools/count_words", json={"text": "a b c"})
    assert called.json() == {"words": 3}
    assert (await owner.post("/api/tools/nothing", json={})).status_code == 404
    assert (await owner.post("/api/tools/count_words", json={"txt": ""})).status_code == 422


async def test_the_openapi_document_has_the_exact_types_of_each_kind(
    anonymous: httpx.AsyncClient,
) -> None:
    document = (await anonymous.get("/openapi.json")).json()
    schemas = document["components"]["schemas"]
    assert schemas["Note"]["properties"]["title"] == {
        "type": "string",
        "minLength": 1,
        "maxLength": 200,
        "title": "Title",
    }
    assert schemas["Note"]["required"] == ["title"]
    assert "required" not in schemas["NotePatch"]
    assert {"id", "version", "createdAt", "title", "text"} <= set(schemas["NoteView"]["required"])
    assert "noteId" in schemas["NoteJob"]["required"]
    body = document["paths"]["/api/notes"]["post"]["requestBody"]["content"]["application/json"]
    assert body["schema"] == {"$ref": "#/components/schemas/Note"}
    for calls in document["paths"].values():
        for call in calls.values():
            assert call["responses"]["4XX"]["content"].keys() == {"application/problem+json"}


async def test_an_imported_id_with_a_slash_is_reached_by_its_encoded_form(
    owner: httpx.AsyncClient,
) -> None:
    ids = ("n/1", "a/b/c", "/", "50%2F", "ü/ö", "x/research/latest")
    sent = "".join(json.dumps({"id": one, "title": one}) + "\n" for one in ids)
    path = "/api/imports/sample_pack.notes"
    await owner.post(path, content=sent.encode(), params={"filename": "notes.jsonl"})
    for one in ids:
        address = f"/api/notes/{quote(one, safe='')}"
        assert (await owner.get(address)).json()["title"] == one, one
        assert (await owner.get(f"{address}/research/latest")).json() is None, one
        assert (await owner.patch(address, json={"text": "found"})).json()["text"] == "found"
    assert (await owner.get("/api/notes/n/1")).status_code == 404


async def test_a_title_of_spaces_is_no_title(owner: httpx.AsyncClient) -> None:
    for title in ("", " ", " \t\n\u00a0\u3000"):
        refused = await owner.post("/api/notes", json={"title": title})
        assert refused.status_code == 422, title
        assert [error["field"] for error in refused.json()["errors"]] == ["title"]
    assert (await add(owner, "  A  "))["title"] == "A"


async def test_a_record_of_older_rules_is_shown_and_says_what_is_wrong(
    owner: httpx.AsyncClient, database_url: str
) -> None:
    good, old = (await add(owner, "A"))["id"], (await add(owner, "B"))["id"]
    with psycopg.connect(database_url) as connection:
        connection.execute("UPDATE sample_pack.notes SET title = '   ' WHERE id = %s", (old,))
    listed = (await owner.get("/api/notes")).json()["items"]
    assert [row["id"] for row in listed] == [old, good]
    assert [row["title"] for row in listed] == ["   ", "A"]
    assert listed[1]["notValid"] is None
    [wrong] = listed[0]["notValid"]
    assert wrong.startswith("title: ")
    assert (await owner.get(f"/api/notes/{old}")).json() == listed[0]
    request = await owner.post(f"/api/notes/{old}/research")
    assert (request.status_code, request.json()["type"]) == (422, "/problems/not-ready")
    assert "title" in request.json()["detail"]
    assert (await owner.patch(f"/api/notes/{old}", json={"text": "x"})).status_code == 422
    mended = await owner.patch(f"/api/notes/{old}", json={"title": "C"})
    assert (mended.status_code, mended.json()["notValid"]) == (200, None)
