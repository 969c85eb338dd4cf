"""What may be sent for a step: every type of field in every wrong way, and no bodies at all."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import date
from enum import StrEnum
from typing import Annotated, Any, Literal

import httpx
import pytest
from pydantic import Field, StringConstraints

from whence.app.platform import Platform
from whence.kernel.wire import Wire
from whence.wizards.definition import Step, StepKind, Wizard, WizardOutcome
from wizards.serving import Form, client_of, serving

pytestmark = pytest.mark.anyio


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Every(Wire):
    """A field of every type that a step may have."""

    some_text: Annotated[str, StringConstraints(min_length=2, max_length=1_000)]
    whole: Annotated[int, Field(ge=0, le=100)]
    real: Annotated[float, Field(gt=0)]
    is_so: bool
    on_day: date
    colour: Colour
    size: Literal["s", "m"]
    colours: Annotated[list[Colour], Field(min_length=1, max_length=2)]
    words: list[str] = Field(default_factory=list)
    may_be: int | None = None


RIGHT: dict[str, Any] = {
    "someText": "tea",
    "whole": 7,
    "real": 1.5,
    "isSo": False,
    "onDay": "2026-02-28",
    "colour": "red",
    "size": "m",
    "colours": ["red", "blue"],
    "words": [],
    "mayBe": None,
}
EVERY = Wizard(
    id="sample_pack.every",
    version="1",
    title="Every type",
    steps=[
        Step("every", "Every type", Every),
        Step("review", "Is this right?", kind=StepKind.REVIEW),
        Step("end", "The end", kind=StepKind.OUTCOME),
    ],
    outcome=lambda _: WizardOutcome("The end", ""),
)
WRONG: list[tuple[str, list[Any]]] = [
    ("someText", [None, "", "a", "a" * 1_001, 5, True, ["tea"], {"a": 1}]),
    ("whole", [None, "", "seven", -1, 101, 1.5, True, [7], {}, 9_000_000_000_000_000_000]),
    ("real", [None, "", "much", 0, -1, True, [1.5]]),
    ("isSo", [None, "", "perhaps", 2, [True]]),
    ("onDay", [None, "", "2026-02-30", "30.02.2026", "soon", 20260228, True, ["2026-02-28"]]),
    ("colour", [None, "", "green", "RED", 1, ["red"]]),
    ("size", [None, "", "l", 1, ["s"]]),
    ("colours", [None, "", "red", [], ["red", "green"], ["red", "blue", "red"], [["red"]], {}]),
    ("words", ["tea", [1], [None], [["tea"]]]),
    ("mayBe", ["many", 1.5, [1]]),
]


@pytest.fixture
async def form(platform: Platform) -> AsyncIterator[Form]:
    async with serving(platform, [EVERY]) as url, client_of(platform, url) as client:
        made = Form(client, EVERY.id)
        await made.begin()
        yield made


@pytest.mark.parametrize(("field", "values"), WRONG, ids=[field for field, _ in WRONG])
async def test_a_wrong_value_is_told_at_its_field_and_nothing_is_kept(
    form: Form, field: str, values: list[Any]
) -> None:
    for value in values:
        again = await form.answer("every", {**RIGHT, field: value}, 0)
        assert {error["field"] for error in again["errors"]} == {field}, value
        assert all(error["code"] and error["message"] for error in again["errors"])
        assert (again["step"]["id"], again["revision"]) == ("every", 0)
        assert again["values"] == {**RIGHT, field: value}
    assert (await form.read())["values"] == {}


@pytest.mark.parametrize(
    ("field", "sent", "expected"),
    [
        ("someText", "Tee 茶 🍵 שלום é\n", "Tee 茶 🍵 שלום é\n"),
        ("whole", "7", 7),
        ("whole", 7.0, 7),
        ("real", 2, 2.0),
        ("isSo", "true", True),
        ("colours", ["blue"], ["blue"]),
        ("words", ["", "\u0645\u0631\u062d\u0628\u0627"], ["", "\u0645\u0631\u062d\u0628\u0627"]),
        ("words", None, []),
        ("mayBe", "", None),
        ("mayBe", 0, 0),
    ],
)
async def test_a_right_value_is_kept_and_read_again(
    form: Form, field: str, sent: Any, expected: Any
) -> None:
    review = await form.answer("every", {**RIGHT, field: sent}, 0)

    assert review["step"]["id"] == "review"
    assert (await form.read(step="every"))["values"] == {**RIGHT, field: expected}
    [line] = [line for line in review["summary"] if line["field"] == field]
    assert line["value"] == expected


async def test_what_may_be_left_out_is_and_everything_else_is_asked_for(form: Form) -> None:
    missing = await form.answer("every", {}, 0)
    assert [error["field"] for error in missing["errors"]] == list(RIGHT)[:8]
    assert {error["message"] for error in missing["errors"]} == {"This field is required."}
    required = {name: value for name, value in RIGHT.items() if name not in ("words", "mayBe")}
    assert (await form.answer("every", required, 0))["errors"] == []


async def test_a_field_that_the_step_does_not_have_is_an_error_and_is_not_sent_back(
    form: Form,
) -> None:
    for extra in ("price", "some_Text", "__class__", "\u202e"):
        again = await form.answer("every", {**RIGHT, extra: "x" * 1_000}, 0)
        assert [(error["field"], error["code"]) for error in again["errors"]] == [
            (extra, "extra_forbidden")
        ]
        assert (again["values"], again["revision"]) == (RIGHT, 0)
    own_names = {"some_text": "tea", **{k: v for k, v in RIGHT.items() if k != "someText"}}
    assert (await form.answer("every", own_names, 0))["errors"] == []


async def test_an_answer_of_thousands_of_fields_is_told_in_few_words(form: Form) -> None:
    again = await form.answer("every", {f"f{number}": 1 for number in range(4_000)}, 0)

    assert len(again["errors"]) == 50
    assert again["values"] == {}


async def test_more_than_an_answer_is_refused(form: Form) -> None:
    long = {**RIGHT, "words": ["x" * 1_000] * 60}
    refused = await form.refused("invalid", "every", long, 0)
    assert "50,000 bytes" in refused["detail"]
    huge = await form.post(stepId="every", responses={"words": ["x" * 1_000] * 2_000})
    assert huge.status_code == 413
    assert (await form.read())["revision"] == 0
    fits = {**RIGHT, "words": ["x" * 1_000] * 40}
    assert (await form.answer("every", fits, 0))["revision"] == 1


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"stepId": "every", "responses": [1]}, "responses"),
        ({"stepId": "every", "responses": "x"}, "responses"),
        ({"stepId": "every", "revision": -1}, "revision"),
        ({"stepId": "every", "revision": "now"}, "revision"),
        ({"stepId": "every", "revision": 1.5}, "revision"),
        ({"stepId": ""}, "stepId"),
        ({"stepId": "x" * 101}, "stepId"),
        ({"stepId": 5}, "stepId"),
        ({}, "stepId"),
        ({"action": "change"}, "stepId"),
        ({"action": "finish"}, "action"),
        ({"action": None}, "action"),
        ({"stepId": "every", "colour": "red"}, "colour"),
    ],
)
async def test_a_body_that_is_none_of_an_action_is_refused_naming_the_field(
    form: Form, body: dict[str, Any], field: str
) -> None:
    answer = await form.post(**body)

    assert (answer.status_code, answer.json()["type"]) == (422, "/problems/invalid")
    assert [error["field"] for error in answer.json()["errors"]] == [field]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"null",
        b"[]",
        b"{",
        b'{"stepId": "every", "responses": {"real": NaN}}',
        b'{"stepId": "every", "responses": {"real": 1e999}}',
        b'{"stepId": "every", "responses": {"someText": "a\\u0000b"}}',
        b'{"stepId": "every", "responses": {"someText": "\\ud800"}}',
        b'{"stepId": "every", "responses": {"words": ' + b"[" * 500 + b"]" * 500 + b"}}",
    ],
)
async def test_what_is_no_json_that_can_be_kept_is_refused(form: Form, content: bytes) -> None:
    sent = await form.client.post(
        form.path, content=content, headers={"Content-Type": "application/json"}
    )
    assert (sent.status_code, sent.json()["type"]) == (422, "/problems/invalid")
    assert (await form.read())["revision"] == 0


async def test_a_run_is_begun_with_ids_alone(form: Form) -> None:
    for body in ({"runId": "x"}, {"subjectId": 5}, {"wizard": "y"}, {"runId": None, "a": None}):
        answer: httpx.Response = await form.client.post(form.runs, json=body)
        assert answer.status_code == 422, body
    about = await form.client.post(
        form.runs, json={"subjectId": "01a2022d-c778-7281-b276-42de09d84706"}
    )
    assert about.json()["detail"] == f"'{EVERY.id}' is not about a record; start it without one."
    assert (await form.client.post(form.runs)).status_code == 201
    assert (await form.client.post(form.runs, json={"runId": None})).status_code == 201
