"""The weight of an item, and what it means for the cost of sending it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from whence.packs.resale.flows.priced import costs_of
from whence.packs.resale.pricing.params import band_params
from whence.packs.resale.records import Item
from whence.packs.resale.weights import kilograms


@pytest.mark.parametrize(
    ("attributes", "weight"),
    [
        ({"Weight": "13 kg"}, 13.0),
        ({"Item weight": "13,5kg"}, 13.5),
        ({"Weight (lb)": "28"}, 12.7),
        ({"weight": "450 g"}, 0.45),
        ({"Shipping Weight": "12 oz"}, 0.34),
        ({"Gewicht": "2.5 kg"}, 2.5),
        ({"Weight": "heavy"}, None),
        ({"Weight": "13"}, None),
        ({"Lightweight frame": "13 kg"}, None),
        ({"Capacity": "5 kg"}, None),
    ],
)
def test_a_weight_is_read_with_its_unit(attributes: dict[str, str], weight: float | None) -> None:
    assert kilograms(attributes) == (None if weight is None else pytest.approx(weight, rel=0.01))


def test_no_small_parcel_is_assumed_for_a_heavy_thing() -> None:
    params = band_params(datetime(2025, 6, 1, tzinfo=UTC), condition=None, currency="USD")
    light, heavy = Item(title="Lamp"), Item(title="Lamp", attributes={"Weight": "13 kg"})
    assert costs_of(light, params).typical_shipping == params.shipping_typical
    assert costs_of(heavy, params).typical_shipping is None
    stated = heavy.model_copy(update={"shipping_cost": 24.0})
    assert costs_of(stated, params).sending == 24.0
