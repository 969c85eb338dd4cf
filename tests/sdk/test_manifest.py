"""`GET /api/packs` tells a client all that it needs to draw a pack it has never seen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal

import httpx
import pytest
from pydantic import Field

from whence.app.kind_view import fields_of
from whence.app.ui import BadUi, read_ui
from whence.kernel.errors import Misconfigured
from whence.sdk.records import Display, SubjectKind, SubjectRow, Unit
from whence.sdk.values import Wire
from whence.tenancy import tokens

pytestmark = pytest.mark.anyio


@pytest.fixture
async def packs(serve: str, platform: Any) -> Any:
    secret = await tokens.issue(platform.db, platform.owner, "test")
    headers = {"Authorization": f"Bearer {secret}"}
    async with httpx.AsyncClient(base_url=serve, headers=headers, timeout=20) as client:
        answer = await client.get("/api/packs")
        anonymous = await client.get("/api/packs", headers={"Authorization": ""})
    assert anonymous.status_code == 401
    return {pack["id"]: pack for pack in answer.json()}


async def test_a_pack_is_described_from_its_manifest(packs: Any) -> None:
    assert {"resale", "leave", "sample_pack"} <= packs.keys()
    pack = packs["sample_pack"]
    [kind] = [kind for kind in pack["kinds"] if kind["kind"] == "notes"]
    assert kind["display"] == {
        "title": "title",
        "subtitle": "text",
        "picture": None,
        "state": None,
        "tones": {},
        "figures": [],
        "conclusions": [{"path": "words", "label": "Words"}],
    }
    [remarks] = [kind for kind in pack["kinds"] if kind["kind"] == "remarks"]
    assert (remarks["display"]["state"], remarks["display"]["figures"]) == ("mood", ["stars"])
    assert remarks["display"]["tones"] == {"praise": "success", "doubt": "waiting"}
    assert remarks["record"]["properties"]["mood"]["x-labels"] == {"praise": "Liked it"}
    fields = {field["name"]: field for field in kind["fields"]}
    assert (fields["title"]["label"], fields["title"]["canFilter"]) == ("Title", True)
    assert kind["record"]["properties"]["title"]["maxLength"] == 200
    assert kind["flows"][0]["dossier"]["properties"].keys() == {"words", "opening"}
    titles = [node["title"] for node in kind["flows"][0]["nodes"]]
    assert titles == ["Read note", "Count", "Save the conclusions"], (
        "declared, or the name in words"
    )
    assert kind["chat"]["topics"][0]["example"] == "How long is it?"
    assert "sample_pack.write" in [wizard["id"] for wizard in pack["wizards"]]
    assert "sample_pack.notes" in [item["name"] for item in pack["imports"]]
    assert pack["ui"] == {"pages": ["lengths"], "labels": {"en": {"lengths": "Lengths"}}}
    route = next(route for route in pack["routes"] if route["name"] == "length")
    assert route["path"] == "/api/sample_pack/lengths/{noteId}"
    assert (route["method"], route["access"]) == ("GET", "read")
    assert route["answer"]["properties"].keys() == {"noteId", "words", "isTooLong"}


async def test_a_list_is_described_with_what_narrows_sorts_and_relates_it(packs: Any) -> None:
    kinds = {kind["kind"]: kind for kind in packs["sample_pack"]["kinds"]}
    notes, remarks = kinds["notes"], kinds["remarks"]
    assert {"createdAt", "updatedAt"} <= set(remarks["sorts"])
    [relation] = [each for each in remarks["relations"] if each["name"] == "note"]
    assert (relation["field"], relation["kind"]) == ("noteId", "notes")
    assert (relation["isRequired"], relation["onDelete"]) == (True, "cascade")
    assert {"name": "remarks", "kind": "remarks", "relation": "note"} in notes["nested"]
    by_name = {each["parameter"]: each for each in remarks["filters"]}
    over = by_name["note.title"]
    assert (over["field"], over["operator"], over["relation"]) == ("title", "oneOf", "note")
    assert over["value"]["type"] == "string"
    assert by_name["createdAt.min"]["value"]["format"] == "date-time"


async def test_a_list_takes_every_filter_and_order_that_it_is_described_with(
    packs: Any, serve: str, platform: Any
) -> None:
    secret = await tokens.issue(platform.db, platform.owner, "test")
    headers = {"Authorization": f"Bearer {secret}"}
    async with httpx.AsyncClient(base_url=serve, headers=headers, timeout=20) as client:
        document = (await client.get("/openapi.json")).json()
        for kind in [kind for pack in packs.values() for kind in pack["kinds"]]:
            path = f"/api/{kind['kind']}"
            parameters = {each["name"] for each in document["paths"][path]["get"]["parameters"]}
            assert {each["parameter"] for each in kind["filters"]} <= parameters
            for sort in kind["sorts"]:
                answer = await client.get(path, params={"sort": f"-{sort}"})
                assert answer.status_code == 200


async def test_a_job_is_described_with_its_payload(packs: Any) -> None:
    [job] = packs["sample_pack"]["jobs"]
    assert job["name"] == "sample_pack.recount"
    assert job["payload"]["type"] == "object"


async def test_an_item_shows_its_picture_and_its_dossiers_schema(packs: Any) -> None:
    [kind] = packs["resale"]["kinds"]
    assert kind["display"]["picture"] == "media"
    assert kind["takesFiles"]
    assert "price" in json.dumps(kind["flows"][0]["dossier"])


class Parcel(Wire):
    name: str
    weight: Annotated[float, Field(title="Gross weight", description="With its box"), Unit("kg")]
    price: Annotated[float, Unit(field="currency")]
    currency: str = "USD"
    size: Literal["small", "large"] = "small"


def test_labels_and_units_come_from_the_model() -> None:
    kind = SubjectKind(kind="parcels", title="Parcel", record=Parcel, row=SubjectRow)
    name, weight, price, currency, _ = fields_of(kind)
    assert (name.label, name.is_required, currency.is_required) == ("Name", True, False)
    assert (weight.label, weight.unit, weight.description) == ("Gross weight", "kg", "With its box")
    assert (price.unit, price.unit_field) == ("", "currency")


@pytest.mark.parametrize(
    "display",
    [
        Display(state="size", tones={"huge": "failed"}),
        Display(choices={"size": {"huge": "Huge"}}),
        Display(tones={"small": "success"}),
    ],
)
def test_a_tone_or_a_label_of_no_choice_is_refused(display: Display) -> None:
    with pytest.raises(Misconfigured, match="which is no choice of"):
        SubjectKind(kind="parcels", title="Parcel", record=Parcel, row=SubjectRow, display=display)


def test_a_display_that_names_no_field_is_refused() -> None:
    with pytest.raises(Misconfigured, match="'colour', which is no field"):
        SubjectKind(
            kind="parcels",
            title="Parcel",
            record=Parcel,
            row=SubjectRow,
            display=Display(figures=("colour",)),
        )


def test_a_ui_may_consist_of_modules(tmp_path: Path) -> None:
    for name in ("index.tsx", "prices.ts", "parts/card.tsx", "pages/one.tsx"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    assert read_ui(tmp_path).pages == ("one",)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("pages/Upper.tsx", "", "lower case"),
        ("pages/deep/one.tsx", "", "neither"),
        ("labels/english.json", "{}", "after its language"),
        ("labels/en.json", '{"a": 1}', "flat object of strings"),
        ("labels/en.json", "{", "not JSON"),
        ("script.js", "", "neither"),
    ],
)
def test_a_ui_of_another_shape_is_refused_by_file(
    tmp_path: Path, name: str, content: str, words: str
) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    with pytest.raises(BadUi, match=words) as refused:
        read_ui(tmp_path)
    assert str(path) in refused.value.message
