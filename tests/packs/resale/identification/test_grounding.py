"""A model's naming keeps what stands in its input; the rest falls back to the record."""

from __future__ import annotations

import pytest

from whence.packs.resale.identification.grounding import UNGROUNDED, ground
from whence.packs.resale.identification.records import ProductIdentification, ProductLook

TRIPOD = ProductLook(
    title="Carbon travel tripod, black",
    description="Folds to 42 cm. Ball head with one plate.",
    brand="Fennmark",
    attributes={"Color": "black"},
    printed=["FENNMARK CT-3"],
)


def named(**fields: object) -> ProductIdentification:
    values = {"title": TRIPOD.title, "confidence": 0.9, "reason": "as written", **fields}
    return ProductIdentification.model_validate(values)


def test_a_title_that_nothing_names_falls_back_to_the_records() -> None:
    result = ground(named(title="Rolex Submariner", brand="Fennmark"), TRIPOD)
    assert result.title == TRIPOD.title
    assert result.brand == "Fennmark"
    assert result.confidence == UNGROUNDED
    assert result.reason.endswith("(left out, as it stands in no evidence: title)")


def test_one_invented_word_is_enough_to_leave_a_title_out() -> None:
    assert ground(named(title="Fennmark CT-3 titanium tripod"), TRIPOD).title == TRIPOD.title


@pytest.mark.parametrize(
    "title",
    ["Fennmark CT3 carbon travel tripod", "Tripods by Fennmark, with a ball head", "FENNMARK ct-3"],
)
def test_a_title_of_words_from_the_record_and_the_photographs_stays(title: str) -> None:
    result = ground(named(title=title), TRIPOD)
    assert (result.title, result.confidence) == (title, 0.9)


def test_a_variant_that_nothing_states_falls_back_to_the_records() -> None:
    result = ground(named(variant={"Color": "gold", "height": "42 cm", "Edition": "2019"}), TRIPOD)
    assert result.variant == {"height": "42 cm", "Color": "black"}
    assert "variant Color, variant Edition" in result.reason


def test_a_part_of_a_word_is_not_the_word() -> None:
    assert ground(named(title="Rave pod"), TRIPOD).title == TRIPOD.title
