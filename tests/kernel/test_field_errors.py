"""Errors of input name the field and, for one that does not exist, the fields that do."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field, ValidationError, field_validator

from whence.kernel.field_errors import faults_of, sentence
from whence.kernel.wire import Wire


class Size(Wire):
    width_cm: int = 0
    depth: int = 0


class Weight(Wire):
    grams: int = 0


class Parcel(Wire):
    title: str = Field(default="", max_length=5)
    sizes: tuple[Size, ...] = ()
    either: Size | Weight | None = None
    by_name: dict[str, Weight] = Field(default_factory=dict)

    @field_validator("title")
    @classmethod
    def _is_plain(cls, value: str) -> str:
        if value == "!":
            raise ValueError("write words")
        return value


def faults(values: Any, model: type[BaseModel] = Parcel, **names: str) -> list[str]:
    with pytest.raises(ValidationError) as refused:
        model.model_validate(values)
    return [str(fault) for fault in faults_of(refused.value, model, **names)]


@pytest.mark.parametrize(
    ("values", "fault"),
    [
        ({"titel": 1}, "titel: there is no such field; there are byName, either, sizes, title"),
        ({"sizes": [{}, {"m": 1}]}, "sizes.1.m: there is no such field; there are depth, widthCm"),
        ({"byName": {"a": {"kg": 1}}}, "byName.a.kg: there is no such field; there are grams"),
        ({"title": "!"}, "title: write words"),
        ({"title": "abcdef"}, "title: Enter at most 5 characters"),
    ],
)  # fmt: skip
def test_a_fault_names_its_field(values: Any, fault: str) -> None:
    assert faults(values) == [fault]


def test_a_field_that_neither_of_two_models_has_is_answered_with_those_of_both() -> None:
    unknown = "there is no such field; there are depth, grams, widthCm"
    assert faults({"either": {"kg": 1}}) == [
        f"either.{model}.kg: {unknown}" for model in ("Size", "Weight")
    ]


def test_the_input_as_a_whole_has_the_name_that_its_reader_knows() -> None:
    assert faults({"kg": 1}, Weight, within="payload")[0].startswith("payload.kg: ")
    assert faults([], Weight, whole="payload")[0].startswith("payload: ")


def test_a_sentence_has_the_first_faults_and_counts_the_others() -> None:
    with pytest.raises(ValidationError) as refused:
        Weight.model_validate({"a": 1, "b": 2, "c": 3, "d": 4})
    words = sentence(faults_of(refused.value, Weight))
    assert words.startswith("a: there is no such field; there are grams; b: ")
    assert words.endswith(" (and 1 more)")


class Order(Wire):
    on: date = Field(default=date(2026, 1, 1), ge=date(1950, 1, 1))
    count: int = Field(default=1, ge=1, le=9)
    price: Decimal = Field(default=Decimal(1), gt=0)
    size: Literal["small", "large"] = "small"
    currency: str = Field(default="USD", pattern="^[A-Z]{3}$")
    name: str = Field(default="a", min_length=1)
    needed: str


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"on": "1926-03-02"}, "on: Enter a value of at least January 1, 1950"),
        ({"on": "soon"}, "on: Enter a valid date, such as 2026-03-02"),
        ({"count": 10}, "count: Enter a value of at most 9"),
        ({"count": "many"}, "count: Enter a whole number"),
        ({"price": "0"}, "price: Enter a value greater than 0"),
        ({"price": "dear"}, "price: Enter a number"),
        ({"size": "huge"}, "size: Choose one of 'small' or 'large'"),
        ({"currency": "dollars"}, "currency: Enter 3 capital letters"),
        ({"name": ""}, "name: Enter at least 1 character"),
        ({"needed": None}, "needed: Enter text"),
    ],
)
def test_common_faults_are_told_in_plain_words(values: Any, words: str) -> None:
    assert faults({"needed": "yes", **values}, Order) == [words]
    assert faults({}, Order) == ["needed: This field is required"]
