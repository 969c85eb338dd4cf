"""How single cells are read."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whence.packs.resale.imports.dates import moment
from whence.packs.resale.imports.money import Money, money
from whence.packs.resale.imports.values import gtin, name
from whence.packs.resale.imports.vocabulary import condition, lifecycle_status, listing_status
from whence.packs.resale.records import MAX_AMOUNT, Condition, LifecycleStatus, ListingStatus
from whence.sdk.tabular import BadValue, days_ago, link, slash_order, whole, yes_or_no

AT = datetime(2025, 6, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("written", "amount", "currency"),
    [
        ("12", 12, None),
        ("12.99", 12.99, None),
        ("$1,234.50", 1234.5, None),
        ("US $1,234.50", 1234.5, "USD"),
        ("C $12.00", 12, "CAD"),
        ("AU $5", 5, "AUD"),
        ("1.234,50 €", 1234.5, "EUR"),
        ("€1.234,50", 1234.5, "EUR"),
        ("GBP 12", 12, "GBP"),
        ("12.99 USD", 12.99, "USD"),
        ("£ 1 234,50", 1234.5, "GBP"),
        ("CHF 1'234.50", 1234.5, "CHF"),
        ("1,234", 1234, None),
        ("1,234,567", 1234567, None),
        ("1.234.567", 1234567, None),
        ("12,5", 12.5, None),
        ("12,50", 12.5, None),
        ("0,125", 0.125, None),
        ("1.234 €", 1234, "EUR"),
        ("12.345", 12.345, None),
        (".99", 0.99, None),
        ("5.", 5, None),
        ("1e3", 1000, None),
        ("+$4.99 shipping", 4.99, None),
        ("Free shipping", 0, None),
        ("FREE", 0, None),
        ("$ 12.50 each", 12.5, None),
        (12.5, 12.5, None),
        (7, 7, None),
        ({"value": "12.50", "currency": "eur"}, 12.5, "EUR"),
    ],
)
def test_money_is_read(written: object, amount: float, currency: str | None) -> None:
    parsed = money(written)
    assert (parsed.amount, parsed.currency) == (pytest.approx(amount), currency)


@pytest.mark.parametrize(
    "written",
    [
        "-5", "($5.00)", "$-5", "- 5", "5-", "nan", "-inf", "Infinity", "1e9999", "1e400 USD",
        "10000000", "$10 - $20", "10 to 20", "ask", "12 or so", "1,23,4.5", "1.2.3,4,5", "12..5",
        "12 34", True, ["5"], {}, {"value": None}, -1, -0.01, "1" * 400, "(" * 5000,
    ],
)  # fmt: skip
def test_what_is_no_price_is_refused(written: object) -> None:
    with pytest.raises(BadValue):
        money(written)


def test_a_dot_before_three_digits_is_marked_as_doubtful() -> None:
    assert money("12.345").doubtful
    assert money("1.234 €").doubtful
    assert not money("1,234").doubtful


def test_the_currency_of_the_row_counts_where_the_cell_names_none() -> None:
    assert money("$5", "CAD") == Money(5, "CAD")
    assert money("5 EUR", "CAD") == Money(5, "EUR")


@given(st.integers(0, MAX_AMOUNT * 100 - 1))
def test_every_amount_survives_american_and_european_writing(cents: int) -> None:
    amount = cents / 100
    american = f"{amount:,.2f}"
    european = american.translate(str.maketrans(",.", ".,"))
    assert money(f"${american}").amount == amount
    assert money(f"{european} €").amount == amount
    assert money(f"{amount:.2f}").amount == amount


@given(st.one_of(st.text(max_size=80), st.floats(), st.integers()))
def test_money_is_in_range_or_refused(written: object) -> None:
    try:
        parsed = money(written)
    except BadValue:
        return
    assert 0 <= parsed.amount < MAX_AMOUNT
    assert parsed.currency is None or (len(parsed.currency) == 3 and parsed.currency.isupper())


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2025-03-04", "2025-03-04"),
        ("2025-03-04T10:20:30Z", "2025-03-04T10:20:30"),
        ("2025-03-04 10:20:30+02:00", "2025-03-04T08:20:30"),
        ("2025/03/04", "2025-03-04"),
        ("20250304", "2025-03-04"),
        ("03/04/2025", "2025-03-04"),
        ("3/4/25", "2025-03-04"),
        ("25/03/2025", "2025-03-25"),
        ("04.03.2025", "2025-03-04"),
        ("04-03-2025", "2025-03-04"),
        ("Mar-04-25 10:20:30 PST", "2025-03-04T18:20:30"),
        ("Mar 4, 2025", "2025-03-04"),
        ("4 March 2025", "2025-03-04"),
        ("04-Mar-2025", "2025-03-04"),
        ("March 4th, 2025 1:05 pm", "2025-03-04T13:05:00"),
        (1741046400, "2025-03-04"),
        ("1741046400000", "2025-03-04"),
        ("45720", "2025-03-04"),
    ],
)
def test_dates_are_read(written: object, expected: str) -> None:
    assert moment(written, AT) == datetime.fromisoformat(expected).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    "written",
    ["soon", "2025-13-01", "31/31/2025", "30 Feb 2025", "1970-01-01", "2025-06-04", "9" * 13, "12",
     "Mar 4, 2025 late", "0001-01-01T00:00:00+05:00", "9999-12-31T23:59:59-05:00"],
)  # fmt: skip
def test_what_is_no_date_is_refused(written: str) -> None:
    with pytest.raises(BadValue):
        moment(written, AT)


def test_slashed_dates_are_read_day_first_when_the_file_says_so() -> None:
    assert moment("03/04/2025", AT, day_first=True) == datetime(2025, 4, 3, tzinfo=UTC)
    assert [slash_order(text) for text in ("25/03/2025", "03/25/2025", "03/04/2025", 5)] == [
        "day", "month", None, None,
    ]  # fmt: skip


@given(st.timedeltas(timedelta(0), timedelta(days=30 * 365)))
def test_dates_survive_every_way_of_writing(age: timedelta) -> None:
    when = AT - age
    assert moment(when.isoformat(), AT) == when
    assert moment(when.strftime("%d %b %Y"), AT).date() == when.date()
    assert moment(when.strftime("%m/%d/%Y"), AT).date() == when.date()


def test_days_ago_count_from_now() -> None:
    assert days_ago("1.5", AT) == AT - timedelta(days=1.5)
    assert days_ago(0, AT) == AT
    for bad in ("-1", "36501", "two", "1e3"):
        with pytest.raises(BadValue):
            days_ago(bad, AT)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("036000291452", "00036000291452"),
        ("36000291452", "00036000291452"),
        (36000291452, "00036000291452"),
        (4006381333931.0, "04006381333931"),
        ("4006381333931", "04006381333931"),
        ("4 006381-333931", "04006381333931"),
        ("96385074", "00000096385074"),
        ("0-306-40615-2", "09780306406157"),
        ("155860832X", "09781558608320"),
        ("'4006381333931", "04006381333931"),
        ("Does not apply", None),
    ],
)
def test_identifiers_become_gtin_14(written: object, expected: str | None) -> None:
    assert gtin(written) == expected


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("4006381333932", "check digit"),
        ("12345", "digits"),
        ("4.00638E+12", "spreadsheet"),
        ("0000000000000", "zeros"),
        ("B00ABCDEF1", "digits only"),
        ("４00638133393٣", "digits"),
    ],
)
def test_a_wrong_identifier_says_why(written: str, reason: str) -> None:
    with pytest.raises(BadValue, match=reason):
        gtin(written)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("New", Condition.NEW),
        ("Brand New", Condition.NEW),
        ("1000", Condition.NEW),
        (3000, Condition.GOOD),
        ("Used", Condition.GOOD),
        ("Pre-Owned", Condition.GOOD),
        ("Used - Like New", Condition.LIKE_NEW),
        ("Pre-owned - Good", Condition.GOOD),
        ("like_new", Condition.LIKE_NEW),
        ("New (other)", Condition.LIKE_NEW),
        ("Open box", Condition.LIKE_NEW),
        ("Acceptable", Condition.FAIR),
        ("For parts or not working", Condition.FOR_PARTS),
        ("for_parts", Condition.FOR_PARTS),
    ],
)
def test_conditions_of_marketplaces(written: object, expected: Condition) -> None:
    assert condition(written) is expected


def test_our_own_words_are_understood() -> None:
    assert [condition(word.value) for word in Condition] == list(Condition)
    assert [listing_status(word.value) for word in ListingStatus] == list(ListingStatus)
    assert [lifecycle_status(word.value) for word in LifecycleStatus] == list(LifecycleStatus)


@pytest.mark.parametrize("written", ["well loved", "5 stars", "?", "使用済み"])
def test_unknown_conditions_are_refused(written: str) -> None:
    with pytest.raises(BadValue):
        condition(written)


def test_completed_does_not_mean_sold() -> None:
    with pytest.raises(BadValue, match="sold from unsold"):
        listing_status("Completed")


def test_quantities_names_and_links() -> None:
    assert [whole(text) for text in ("3", "1,000", "2.0", 4)] == [3, 1000, 2, 4]
    assert name("Unbranded") is None
    assert (yes_or_no("Yes"), yes_or_no("0")) == (True, False)
    assert link("https://example.org/a?b=c") == "https://example.org/a?b=c"
    for bad in ("javascript:alert(1)", "//example.org", "file:///etc/passwd", "http://"):
        with pytest.raises(BadValue):
            link(bad)
