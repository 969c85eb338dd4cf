"""Net proceeds from the shipped fee table and from an edited one."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whence.packs.resale.pricing.assumptions import SHIPPED, read_assumptions
from whence.packs.resale.pricing.fee_table import read_fees
from whence.packs.resale.pricing.fees import SellerCosts, net_proceeds, sale_fee
from whence.sdk.errors import Misconfigured


@pytest.mark.parametrize(
    ("marketplace", "category", "price", "fee"),
    [
        ("ebay", "electronics", 100.0, 14.00),
        ("ebay", "electronics", 8.0, 1.388),
        ("ebay", "cars", 10_000.0, 7500 * 0.136 + 2500 * 0.0235 + 0.40),
        ("ebay", "books", 20.0, 3.46),
        ("amazon", "office products", 100.0, 15.99),
        ("amazon", "digital cameras", 100.0, 8.99),
        ("amazon", "phone accessories", 150.0, 15 + 4 + 0.99),
        ("amazon", "office products", 1.0, 1.0),
        ("amazon", "clothing", 100.0, 17.99),
        ("amazon", "power tools", 100.0, 12.99),
        ("amazon", "compact appliances", 400.0, 45 + 8 + 0.99),
        ("mercari", None, 50.0, 5.0),
        ("facebook", None, 5.0, 0.80),
    ],
)
def test_fees_are_those_of_the_dated_table(
    marketplace: str, category: str | None, price: float, fee: float
) -> None:
    rows = {row.marketplace: row for row in net_proceeds(price, read_fees(), category=category)}
    assert rows[marketplace].fee == pytest.approx(fee)
    assert rows[marketplace].effective.year >= 2024
    assert rows[marketplace].source


def test_poshmark_takes_no_share_of_the_buyers_label_and_is_for_fashion_only() -> None:
    rows = {r.marketplace: r for r in net_proceeds(58.27, read_fees(), category="shoes")}
    assert rows["poshmark"].fee == pytest.approx(10)
    assert rows["poshmark"].net == pytest.approx(40)
    other = {r.marketplace: r for r in net_proceeds(58.27, read_fees(), category="cameras")}
    assert not other["poshmark"].recommended
    assert other["poshmark"].reason.startswith("Not for this kind of item")


def test_what_is_kept_is_the_price_less_what_the_reason_names() -> None:
    rows = {row.marketplace: row for row in net_proceeds(100, read_fees(), category="handbags")}
    row = rows["poshmark"]
    assert row.net == pytest.approx(row.price - row.fee - row.shipping)
    assert f"fees take USD {row.fee:.2f} of USD 100.00" in row.reason
    assert f"its shipping label takes USD {row.shipping:.2f}" in row.reason


def test_the_best_is_recommended_with_those_close_to_it_and_every_row_says_why() -> None:
    rows = net_proceeds(100, read_fees(), category="digital cameras", costs=SellerCosts(shipping=6))
    assert [row.net for row in rows] == sorted((row.net for row in rows), reverse=True)
    assert rows[0].recommended
    assert rows[0].reason.startswith("The best")
    ebay = next(row for row in rows if row.marketplace == "ebay")
    assert not ebay.recommended
    assert "less than the best" in ebay.reason
    assert ebay.net == pytest.approx(100 - 14 - 6)


def test_unknown_shipping_is_not_counted_and_said_so() -> None:
    assert "unknown and not included" in net_proceeds(100, read_fees())[0].reason


def test_unknown_shipping_is_assumed_so_that_marketplaces_do_not_tie_by_leaving_it_out() -> None:
    typical = SellerCosts(typical_shipping=6)
    rows = {row.marketplace: row for row in net_proceeds(100, read_fees(), costs=typical)}
    assert rows["mercari"].net == pytest.approx(100 - 10 - 6)
    assert "sending it is assumed to take USD 6.00" in rows["mercari"].reason
    known = net_proceeds(100, read_fees(), costs=SellerCosts(shipping=9, typical_shipping=6))
    assert {row.shipping for row in known} == {9.0, 8.27}


def test_what_the_seller_paid_is_part_of_the_net_and_of_the_break_even() -> None:
    costs = SellerCosts(shipping=5, cost=45)
    rows = {row.marketplace: row for row in net_proceeds(100, read_fees(), costs=costs)}
    row = rows["mercari"]
    assert row.net == pytest.approx(100 - 10 - 5 - 45)
    assert row.break_even == pytest.approx(50 / 0.9, abs=0.01)
    assert "you paid USD 45.00 for it" in row.reason
    at_the_edge = net_proceeds(row.break_even, read_fees(), costs=costs)
    assert next(r.net for r in at_the_edge if r.marketplace == "mercari") >= 0


def test_of_equal_proceeds_those_with_confirmed_fees_come_first() -> None:
    first, second = net_proceeds(100, read_fees(), category="headphones")[:2]
    assert first.net == second.net
    assert (first.marketplace, second.marketplace) == ("mercari", "facebook")


def test_fees_that_nobody_confirmed_say_so() -> None:
    rows = {row.marketplace: row for row in net_proceeds(100, read_fees())}
    assert "not confirmed" in rows["facebook"].reason
    assert "not confirmed" not in rows["ebay"].reason


def test_nothing_is_recommended_where_nothing_is_left() -> None:
    rows = net_proceeds(3, read_fees(), costs=SellerCosts(shipping=9))
    assert not any(row.recommended for row in rows)
    assert any("Nothing is left" in row.reason for row in rows)


def test_marketplaces_of_another_currency_are_not_listed() -> None:
    assert net_proceeds(100, read_fees(), currency="EUR") == []


@given(st.floats(0, 1_000_000))
def test_a_fee_is_never_negative_and_never_above_the_price(price: float) -> None:
    for place in read_fees().values():
        assert 0 <= sale_fee(price, place) <= price


def own(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "fees.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_an_own_table_replaces_key_by_key_switches_off_and_adds(tmp_path: Path) -> None:
    fees = read_fees(
        own(
            tmp_path,
            """
            [ebay]
            effective = 2026-01-01
            source = "our store contract"
            rates = [{ percent = 9 }]

            [amazon]
            enabled = false

            [vinted]
            name = "Vinted"
            currency = "EUR"
            effective = 2026-01-01
            source = "Vinted: fees"
            rates = [{ percent = 0 }]
            """,
        )
    )
    assert sale_fee(100, fees["ebay"]) == pytest.approx(9.40)
    assert "amazon" not in fees
    assert fees["vinted"].currency == "EUR"
    assert sale_fee(100, fees["mercari"]) == pytest.approx(10)


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("[ebay]\nfixed = 1\nrates = [{ percent = 'x' }]\n", "line 3: ebay.rates.0.percent"),
        ("[ebay]\nfixd = 1\n", "line 2: ebay.fixd: Extra inputs are not permitted; remove it"),
        ("[etsy]\nname = 'Etsy'\n", "line 1: etsy.currency: Field required; add it"),
        ("[ebay]\nfixed = -1\n", "line 2: ebay.fixed"),
        ("[ebay]\nrates = [{ percent = 3, up_to = 5 }]\n", "the last has none"),
        ("[ebay\n", "not valid TOML"),
        ("fixed = 3\n", "put it under a heading"),
    ],
)
def test_a_mistake_in_an_own_table_names_the_line_the_key_and_the_fix(
    tmp_path: Path, text: str, mistake: str
) -> None:
    with pytest.raises(Misconfigured) as caught:
        read_fees(own(tmp_path, text))
    assert mistake in caught.value.message
    assert "fees.toml" in caught.value.message or "fixed" in caught.value.message


def test_a_table_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match=r"cannot be read"):
        read_fees(tmp_path / "none.toml")


def test_assumptions_lacking_a_condition_name_it(tmp_path: Path) -> None:
    text = SHIPPED.read_text(encoding="utf-8").replace("fair = 0.52\n", "")
    with pytest.raises(Misconfigured, match=r"\[condition\] lacks fair"):
        read_assumptions(own(tmp_path, text))


def test_a_factor_that_cannot_be_names_its_line(tmp_path: Path) -> None:
    text = SHIPPED.read_text(encoding="utf-8").replace("good = 0.70", "good = 70")
    with pytest.raises(Misconfigured, match=r"line \d+: condition.good: .*it is 70 now"):
        read_assumptions(own(tmp_path, text))
