"""A mark or generation after a model's code is part of the model."""

from __future__ import annotations

import pytest

from whence.packs.resale.identification.records import ProductLook
from whence.packs.resale.identification.rules import identify


@pytest.mark.parametrize(
    ("title", "model"),
    [
        ("Sony Walkman WM-F10 II", "WM-F10 II"),
        ("Sony WM-F10 II cassette player", "WM-F10 II"),
        ("Fennmark K2-90 Mk 2 kettle", "K2-90 Mk 2"),
        ("Fennmark K2-90 MkII", "K2-90 MkII"),
        ("Fennmark K2-90 Mark II, boxed", "K2-90 Mark II"),
        ("Fennmark K2-90 2nd gen", "K2-90 2nd gen"),
        ("Fennmark K2-90 (2nd Generation) black", "K2-90 2nd Generation"),
        ("Fennmark K2-90 Gen 3", "K2-90 Gen 3"),
        ("Fennmark K2-90 v2", "K2-90 v2"),
        ("Fennmark K2-90 III", "K2-90 III"),
    ],
)
def test_a_mark_belongs_to_the_model(title: str, model: str) -> None:
    assert identify(ProductLook(title=title)).model == model


@pytest.mark.parametrize(
    "title",
    [
        "Fennmark K2-90 kettle",
        "Fennmark K2-90 I bought it in May",
        "Fennmark K2-90 v good condition",
        "Fennmark K2-90 x 2",
        "Fennmark K2-90 X 2 pieces",
        "Fennmark K2-90 2nd owner",
        "Fennmark K2-90 vintage",
        "Fennmark K2-90, 3 pieces, market find",
        "Fennmark K2-90 V-shaped",
        "Fennmark K2-90 v1.2 firmware",
    ],
)
def test_other_words_after_a_model_are_no_mark(title: str) -> None:
    assert identify(ProductLook(title=title)).model == "K2-90"


def test_a_model_that_the_owner_wrote_stays_as_it_is() -> None:
    look = ProductLook(title="Sony WM-F10 II", brand="Sony", model="WM-F10")
    assert identify(look).model == "WM-F10"
