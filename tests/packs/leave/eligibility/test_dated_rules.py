"""Rules are dated: a leave is held against the rules of the day on which it starts."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from whence.packs.leave.eligibility.assessing import assess
from whence.packs.leave.eligibility.editions import RULES, book_for, read_editions, rule_book
from whence.packs.leave.eligibility.overview import overview
from whence.packs.leave.records import Law, LeaveRequest
from whence.sdk.errors import Misconfigured

NewRequest = Callable[..., LeaveRequest]


@pytest.fixture
def changed(tmp_path: Path) -> Path:
    """The shipped rules, with a CFRA of three employees from 2027 on (made up)."""
    folder = tmp_path / "rules"
    shutil.copytree(RULES, folder)
    path = folder / "cfra.toml"
    first, rule, rest = _around(path.read_text(encoding="utf-8"), 'id = "cfra.employer"')
    old = rule.replace('id = "cfra.employer"', 'id = "cfra.employer"\nuntil = 2027-01-01')
    new = rule.replace('id = "cfra.employer"', 'id = "cfra.employer"\nsince = 2027-01-01')
    path.write_text(f"{first}{old}{new.replace('value = 5', 'value = 3')}{rest}", encoding="utf-8")
    return folder


def test_a_request_dated_before_a_change_is_held_against_the_old_rule(
    changed: Path, a_request: NewRequest
) -> None:
    parsed = read_editions(changed)
    for starts_on, result in ((date(2026, 12, 31), "not_met"), (date(2027, 1, 1), "met")):
        request = a_request(starts_on=starts_on, ends_on=None, employees=4)
        assessed = assess(request, parsed.book(starts_on))
        rules = {one.rule.id: one.result for law in assessed for one in law.results}
        assert rules["cfra.employer"] == result


def test_a_law_tells_since_when_it_has_been_as_it_was_applied(changed: Path) -> None:
    parsed = read_editions(changed)
    assert parsed.book(date(2026, 12, 31)).statutes[Law.CFRA].effective == date(2023, 1, 1)
    assert parsed.book(date(2027, 1, 1)).statutes[Law.CFRA].effective == date(2027, 1, 1)
    assert parsed.book(date(2020, 6, 1)).statutes[Law.CFRA].effective == date(2021, 1, 1)


def test_without_a_first_day_the_newest_rules_are_told(changed: Path) -> None:
    [rule] = [one for one in read_editions(changed).book(None).rules(Law.CFRA) if one.value == 3]
    assert rule.id == "cfra.employer"


@pytest.mark.parametrize(
    ("relation", "starts_on", "result"),
    [
        ("parent_in_law", date(2021, 12, 31), "not_met"),
        ("parent_in_law", date(2022, 1, 1), "met"),
        ("designated_person", date(2022, 12, 31), "not_met"),
        ("designated_person", date(2023, 1, 1), "met"),
        ("grandparent", date(2021, 1, 1), "met"),
    ],
)
def test_the_family_of_cfra_grew_in_2022_and_2023(
    relation: str, starts_on: date, result: str, a_request: NewRequest
) -> None:
    request = a_request(
        reason="family_care",
        relation=relation,
        starts_on=starts_on,
        ends_on=None,
        hired_on=date(2019, 1, 1),
    )
    cfra = next(one for one in assess(request) if one.law is Law.CFRA)
    [family] = [one for one in cfra.results if one.rule.id == "cfra.family"]
    assert family.result == result


def test_each_day_has_exactly_one_entry_of_each_rule() -> None:
    newest = {rule.id for law in Law for rule in rule_book().rules(law)}
    for day in (None, date(2021, 1, 1), date(2021, 12, 31), date(2022, 6, 1), date(2026, 3, 2)):
        ids = [rule.id for law in Law for rule in rule_book(day).rules(law)]
        assert len(ids) == len(set(ids))
        assert set(ids) == newest


def test_a_leave_before_the_data_begins_is_told(a_request: NewRequest) -> None:
    request = a_request(starts_on=date(2020, 12, 31), ends_on=None, hired_on=date(2015, 1, 1))
    assert any("begin with January 1, 2021" in one for one in overview(request).warnings)
    assert book_for(request).rules(Law.CFRA)
    on_the_day = a_request(starts_on=date(2021, 1, 1), ends_on=None, hired_on=date(2015, 1, 1))
    assert not overview(on_the_day).warnings


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        ("until = 2027-01-01", "until = 2026-12-01"),
        ("until = 2027-01-01", "until = 2027-02-01"),
        ("since = 2027-01-01", "since = 2027-01-01\nuntil = 2028-01-01"),
    ],
)
def test_dates_that_leave_a_gap_overlap_or_end_are_refused(
    changed: Path, was: str, becomes: str
) -> None:
    path = changed / "cfra.toml"
    path.write_text(path.read_text(encoding="utf-8").replace(was, becomes), encoding="utf-8")
    with pytest.raises(Misconfigured, match=r"cfra\.employer"):
        read_editions(changed)


def test_a_source_that_is_not_listed_is_refused(changed: Path) -> None:
    path = changed / "pdl.toml"
    text = path.read_text(encoding="utf-8").replace('"gov-12945"', '"nowhere"')
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Misconfigured, match=r"pdl\.toml"):
        read_editions(changed)


def _around(text: str, mark: str) -> tuple[str, str, str]:
    """What is before, of and after the entry with this mark."""
    start = text.rindex("[[rule]]", 0, text.index(mark))
    end = text.index("[[rule]]", text.index(mark))
    return text[:start], text[start:end], text[end:]
