"""The rule data itself: sourced, dated, and only facts that a request can have."""

from __future__ import annotations

import re

import pytest

from whence.packs.leave.eligibility.book import BASES, Basis, Dated, checked_words
from whence.packs.leave.eligibility.editions import editions, rule_book
from whence.packs.leave.eligibility.facts import facts_of
from whence.packs.leave.eligibility.words import FIELDS
from whence.packs.leave.records import Law, LeaveRequest

BOOK = rule_book()
RULES = [rule for law in Law for rule in BOOK.rules(law)]
SECTION = re.compile(r"29 CFR 825\.\d{3}|2 CCR 110\d\d|Gov\. Code (12945|6700)|5 U\.S\.C\. 6103")
HOSTS = ("www.ecfr.gov", "www.law.cornell.edu", "leginfo.legislature.ca.gov")


@pytest.mark.parametrize("one", editions().everything, ids=lambda one: f"{one.id}-{one.since}")
def test_each_names_its_section_and_where_to_read_it(one: Dated) -> None:
    assert SECTION.search(one.section)
    assert one.url.startswith(tuple(f"https://{host}/" for host in HOSTS))


@pytest.mark.parametrize("one", editions().everything, ids=lambda one: f"{one.id}-{one.since}")
def test_each_says_what_it_was_checked_against_or_that_it_was_not(one: Dated) -> None:
    words = checked_words(one)
    assert words.startswith(BASES[one.basis].capitalize())
    assert (one.source is None) == (one.basis is Basis.NOT_CHECKED)
    if one.source is None or one.source.kind is Basis.SECONDARY:
        assert BASES[one.basis] in one.cited
    else:
        assert one.cited == one.section


def test_every_source_is_used_and_can_be_looked_up() -> None:
    used = {one.source.id for one in editions().everything if one.source}
    assert used == editions().sources.keys()
    assert all(one.url.startswith(("https://", "http://")) for one in editions().sources.values())


def test_every_id_stands_once() -> None:
    ids = [rule.id for rule in RULES]
    assert len(ids) == len(set(ids))
    assert all(rule.id.startswith(f"{rule.law.value}.") for rule in RULES)


def test_each_rule_looks_at_a_fact_that_a_request_has() -> None:
    facts = facts_of(LeaveRequest(title="Any"))
    for rule in RULES:
        assert rule.fact in facts
        assert set(facts[rule.fact].missing) <= FIELDS.keys()


def test_every_law_is_dated() -> None:
    for statute in BOOK.statutes.values():
        assert statute.effective < statute.checked
        assert statute.version


def test_no_field_of_a_request_holds_a_diagnosis() -> None:
    asking = re.compile(r"diagnos|illness|symptom|treatment|disease|medication")
    assert not [name for name in LeaveRequest.model_fields if asking.search(name)]


def test_the_figures_are_those_of_the_laws() -> None:
    values = {rule.id: (rule.test, rule.value) for rule in RULES if rule.value is not None}
    assert values == {
        "fmla.employer": ("at_least", 50),
        "fmla.weeks": ("at_least", 20),
        "fmla.worksite": ("at_least", 50),
        "fmla.tenure": ("at_least", 12),
        "fmla.hours": ("at_least", 1250),
        "cfra.employer": ("at_least", 5),
        "cfra.tenure": ("more_than", 12),
        "cfra.crew_tenure": ("at_least", 12),
        "cfra.hours": ("at_least", 1250),
        "pdl.employer": ("at_least", 5),
    }
    weeks = {one.id: one.weeks for one in BOOK.provisions.values() if one.weeks}
    assert weeks == {
        "fmla.amount": 12,
        "fmla.caregiver_amount": 26,
        "cfra.amount": 12,
        "pdl.amount": pytest.approx(17 + 1 / 3),
    }
