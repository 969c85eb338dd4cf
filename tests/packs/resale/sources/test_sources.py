"""All outside sources together, and the pure rules of reading rows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import settings as limited
from hypothesis import strategies as st
from pydantic import BaseModel, JsonValue, ValidationError
from stdnum import ean

from whence.kernel.errors import Invalid
from whence.kernel.fetch import AddressRefused
from whence.packs.resale.records import MAX_AMOUNT
from whence.packs.resale.settings import BaseUrl, ResaleSettings
from whence.packs.resale.sources.base import CompQuery, Offer
from whence.packs.resale.sources.ebay import Ebay
from whence.packs.resale.sources.registry import sources
from whence.packs.resale.sources.rows import Amount, Words, gtin14, printed_code

pytestmark = pytest.mark.anyio

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)


class Row(BaseModel):
    amount: Amount
    words: Words = None


async def test_nothing_is_on_until_it_is_set(fetcher):
    for source in sources(ResaleSettings(), fetcher):
        availability = source.availability()
        assert not availability.available
        assert availability.setting is not None
        assert availability.setting.startswith("WHENCE_RESALE_")
        assert availability.setting in availability.note


async def test_together_they_offer_everything(settings, fetcher):
    listed = sources(settings(), fetcher)
    assert [source.id for source in listed] == ["ebay", "amazon", "upcitemdb", "openfacts"]
    assert frozenset[Offer]().union(*(source.offers for source in listed)) == set(Offer)
    assert all(source.availability().available for source in listed)


async def test_secrets_do_not_print(settings):
    assert "s3cret" not in repr(settings())


async def test_a_base_url_that_is_no_address_is_refused_at_the_start(settings):
    with pytest.raises(ValidationError, match="ebay_base_url"):
        settings(ebay_base_url="api.ebay.com")


class ShippedWithALocalAddress(ResaleSettings):
    ebay_base_url: BaseUrl = "http://127.0.0.1:1"


async def test_only_a_base_url_that_the_operator_set_may_be_private(settings, fetcher):
    settings(ebay_base_url=None)
    with pytest.raises(AddressRefused):
        await Ebay(ShippedWithALocalAddress(), fetcher).search(CompQuery(text="x"), Offer.ACTIVE, 1)


def test_a_query_needs_something():
    with pytest.raises(Invalid):
        CompQuery(text="  ")


@limited(deadline=None)
@given(_JSON)
def test_whatever_comes_an_amount_is_between_0_and_the_maximum_or_refused(value: JsonValue):
    try:
        row = Row.model_validate({"amount": value, "words": value})
    except ValidationError:
        return
    assert 0 <= row.amount < MAX_AMOUNT


@limited(deadline=None)
@given(st.sampled_from([7, 11, 12, 13]), st.data())
def test_a_printed_code_reads_back_as_the_same_gtin(length: int, data: st.DataObject):
    digits = data.draw(st.text("0123456789", min_size=length, max_size=length))
    code = digits + ean.calc_check_digit(digits)
    gtin = gtin14(code)
    if gtin is None:
        assert not digits.strip("0")
    else:
        assert gtin14(printed_code(gtin)) == gtin


@pytest.mark.parametrize("code", [None, "", "012345678906", "1234", "00000000", "٠١٢٣٤٥٦٧٨٩٠٥"])
def test_what_is_no_gtin_is_none(code):
    assert gtin14(code) is None
