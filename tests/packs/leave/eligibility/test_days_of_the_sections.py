"""The days that each section gives, written down by hand from the sections themselves."""

from __future__ import annotations

import pytest

from whence.packs.leave.eligibility.editions import rule_book

DAYS = {
    "notice.fmla": 30,  # 29 CFR 825.302(a): at least 30 days before the leave
    "late.fmla": 30,  # 29 CFR 825.304: delayed until 30 days after the notice
    "notice.cfra": 30,  # 2 CCR 11091(a)
    "notice.pdl": 30,  # 2 CCR 11050(a)
    "response.fmla": 5,  # 29 CFR 825.300(b): five business days
    "response.cfra": 5,  # 2 CCR 11091(a)(6): five business days
    "response.pdl": 10,  # 2 CCR 11050: ten calendar days
    "designation.fmla": 5,  # 29 CFR 825.300(d): five business days
    "cure.fmla": 7,  # 29 CFR 825.305(c): seven calendar days
    "recertification.fmla": 15,  # 29 CFR 825.308(d): at least 15 calendar days
    "exigency.rest": 15,  # 29 CFR 825.126(b)(6): 15 calendar days
    "exigency.short": 7,  # 29 CFR 825.126(b)(1)(ii): seven calendar days
    "certification.fmla": 15,  # 29 CFR 825.305(b): 15 calendar days
    "certification.cfra": 15,  # 2 CCR 11091(b)
    "certification.pdl": 15,  # 2 CCR 11050(b)
    "certification.military": 15,  # 29 CFR 825.309, 825.310
}
WORDS = {5: ("five", "5"), 7: ("seven",), 10: ("ten", "10"), 15: ("15",), 30: ("30",)}


def test_each_provision_gives_the_days_of_its_section() -> None:
    days = {one.id: one.days for one in rule_book().provisions.values() if one.days is not None}
    assert days == DAYS


@pytest.mark.parametrize("provision", sorted(DAYS.keys() - {"certification.military"}))
def test_what_is_told_names_the_days_that_are_counted(provision: str) -> None:
    text = rule_book().provisions[provision].text.lower()
    assert any(word in text for word in WORDS[DAYS[provision]])
