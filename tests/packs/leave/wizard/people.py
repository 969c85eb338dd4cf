"""People who go through leave.request, with what it has to ask and say, worked out by hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Values = dict[str, Any]
CALIFORNIA = {"worksInCalifornia": "yes"}
PRIVATE = {"publicEmployer": False}
WHOLE = {"pattern": "continuous"}
NONE_BEFORE = {"wasTaken": False}
NOT_ASKED = {"certification": "not_asked"}
LAST = {"notice": {"foreseeable": "unknown"}, "certification": NOT_ASKED}


@dataclass(frozen=True)
class Persona:
    who: str
    answers: dict[str, Values]
    """In the order in which it has to ask; nothing else may be asked, and nothing left out."""
    title: str
    says: tuple[str, ...]
    never: tuple[str, ...] = field(default=())
    warns: int = 0


ANA = Persona(
    "Ana expects a child in June; 140 employees",
    {
        "reason": {"reason": "pregnancy_disability"},
        "need": {"medicalNeed": "yes"},
        "arrival": {"childArrivesOn": "2026-06-15"},
        "dates": {"startsOn": "2026-05-18", "endsOn": "2026-07-31"},
        "pattern": WHOLE,
        "place": CALIFORNIA,
        "employer": {**PRIVATE, "employees": 140},
        "site": {"employeesWithin75Miles": 95},
        "service": {"hiredOn": "2023-02-06"},
        "hours": {"hoursLast12Months": 1890, "weeklyHours": 40},
        "year": {"yearMethod": "rolling"},
        "before": NONE_BEFORE,
        "notice": {
            "foreseeable": "yes",
            "needKnownOn": "2025-12-20",
            "noticeGivenOn": "2026-03-02",
        },
        "certification": {"certification": "asked"},
        "certification_days": {"certificationAskedOn": "2026-03-04"},
    },
    "Appears eligible under FMLA and California pregnancy disability leave",
    (
        "FMLA gives up to 12 weeks (480 hours)",
        "17 1/3 weeks (693.33 hours)",
        "FMLA run at the same time",
        "appears eligible for up to 12 weeks for bonding under CFRA",
        "Notice is due by April 18, 2026",
        "within 5 business days: by March 9, 2026",
        "within 10 calendar days: by March 12, 2026",
        "The certification is due by March 19, 2026",
        "first working day after the leave is August 3, 2026",
        "2 CCR 11050 (checked only against reports by others)",
    ),
)
BEN = Persona(
    "Ben cares for his mother-in-law; a restaurant of 12",
    {
        "reason": {"reason": "family_care"},
        "who": {"relation": "parent_in_law"},
        "need": {"medicalNeed": "yes"},
        "dates": {"startsOn": "2026-09-07", "endsOn": "2026-10-16"},
        "pattern": {"pattern": "reduced"},
        "hours_off": {"hoursOffPerWeek": 16},
        "place": CALIFORNIA,
        "employer": {**PRIVATE, "employees": 12},
        "service": {"hiredOn": "2021-05-03"},
        "hours": {"hoursLast12Months": 1620, "weeklyHours": 32},
        "year": {"yearMethod": "calendar"},
        "before": {"wasTaken": True},
        "earlier_1": {"startsOn": "2026-02-02", "endsOn": "2026-02-27", "laws": ["cfra"]},
        "holidays": {"worksHolidays": "no"},
        "notice": {"foreseeable": "no", "noticeGivenOn": "2026-08-28"},
        "certification": NOT_ASKED,
    },
    "Appears eligible under CFRA",
    (
        "under FMLA: covered employer, employees near the worksite and family member",
        "The need could not be foreseen, so no day is set",
        "a public holiday that was not to be worked was not counted",
        "4 weeks used, 8 weeks (256 hours) left",
        "CFRA covers the leave to its last day",
        "The employer responds within 5 business days: by September 4, 2026",
        "Labor Day and Columbus Day",
        "first working day after the leave is October 19, 2026",
    ),
)
CLEO = Persona(
    "Cleo, exactly a year there, does not know much yet",
    {
        "reason": {"reason": "own_health"},
        "need": {"medicalNeed": "unknown"},
        "dates": {"startsOn": "2026-04-01"},
        "pattern": {"pattern": "intermittent"},
        "hours_off": {},
        "place": CALIFORNIA,
        "employer": {**PRIVATE, "employees": 60},
        "near_fifty": {"weeksWith50": 52},
        "site": {},
        "service": {"hiredOn": "2025-04-01"},
        "hours": {"hoursLast12Months": 1250, "weeklyHours": 30},
        "year": {"yearMethod": "unknown"},
        "before": NONE_BEFORE,
        **LAST,
    },
    "Cannot be determined yet for FMLA and CFRA",
    (
        "how many employees work within 75 miles of the worksite",
        "whether a health care provider confirms the need",
        "under CFRA cannot be determined yet: the last day of leave",
    ),
)
DAN = Persona(
    "Dan's child was born; he told his employer late",
    {
        "reason": {"reason": "bonding_birth"},
        "arrival": {"childArrivesOn": "2026-02-10"},
        "dates": {"startsOn": "2026-03-02", "endsOn": "2026-05-22"},
        "pattern": WHOLE,
        "place": CALIFORNIA,
        "employer": {**PRIVATE, "employees": 60},
        "near_fifty": {"weeksWith50": 52},
        "site": {"employeesWithin75Miles": 55},
        "service": {"hiredOn": "2023-01-09"},
        "hours": {"hoursLast12Months": 2000, "weeklyHours": 40},
        "year": {"yearMethod": "forward"},
        "before": NONE_BEFORE,
        "spouse": {"spouseSameEmployer": "yes"},
        "spouse_leave": {"spouseEligible": "yes", "weeksOfBoth": 5},
        "notice": {"foreseeable": "yes", "noticeGivenOn": "2026-02-20"},
    },
    "Appears eligible under FMLA and CFRA",
    (
        "FMLA and CFRA run at the same time, and the leave uses up both",
        "FMLA covers the leave to its last day",
        "Notice is due by January 31, 2026",
        "under the FMLA until March 22, 2026 at most",
        "the right to it remains",
        "bonding can be taken is February 9, 2027",
        "may limit both to 12 weeks of FMLA leave together",
        "Both have taken 5 weeks of it, which leaves 7 weeks for this leave",
        "Under CFRA each parent has the whole leave",
        "there is no medical certification",
    ),
    warns=1,
)
EVE = Persona(
    "Eve cares for her grown son, who is not disabled",
    {
        "reason": {"reason": "family_care"},
        "who": {"relation": "child"},
        "child_age": {"childIsAdult": "yes"},
        "child_care": {"childNeedsCare": "no"},
        "need": {"medicalNeed": "yes"},
        "dates": {"startsOn": "2026-02-02", "endsOn": "2026-02-13"},
        "pattern": WHOLE,
        "place": CALIFORNIA,
        "employer": {**PRIVATE, "employees": 200},
        "service": {"hiredOn": "2019-06-03"},
        "hours": {"hoursLast12Months": 1700, "weeklyHours": 40},
        "year": {"yearMethod": "rolling"},
        "before": NONE_BEFORE,
        **LAST,
    },
    "Appears eligible under CFRA",
    ("does not appear eligible under FMLA: age of the child", "FMLA leave is not used up by it"),
    never=("pregnancy",),
)
FAY = Persona(
    "Fay's husband is deployed; a city with 30 employees",
    {
        "reason": {"reason": "military_exigency"},
        "who": {"relation": "spouse"},
        "active_duty": {"activeDuty": "yes"},
        "exigency": {"exigency": "counseling"},
        "dates": {"startsOn": "2026-03-02", "endsOn": "2026-03-13"},
        "pattern": WHOLE,
        "place": CALIFORNIA,
        "employer": {"publicEmployer": True, "employees": 30},
        "service": {"hiredOn": "2020-03-02"},
        "hours": {"hoursLast12Months": 1900, "weeklyHours": 40},
        "year": {"yearMethod": "rolling"},
        "before": NONE_BEFORE,
        "notice": {"foreseeable": "yes", "needKnownOn": "2026-02-26"},
        "certification": NOT_ASKED,
    },
    "Appears eligible under CFRA",
    ("does not appear eligible under FMLA: employees near the worksite", "as soon as practicable"),
    never=("30 days before the first day",),
)
GUS = Persona(
    "Gus works in Nevada, at a site of 45",
    {
        "reason": {"reason": "own_health"},
        "need": {"medicalNeed": "yes"},
        "dates": {"startsOn": "2026-03-02", "endsOn": "2026-03-27"},
        "pattern": WHOLE,
        "place": {"worksInCalifornia": "no"},
        "employer": {**PRIVATE, "employees": 500},
        "site": {"employeesWithin75Miles": 45},
    },
    "Does not appear eligible under these laws",
    ("5 more employees would meet it", "It would be met by employment in California"),
    never=("gives up to",),
)
HANA = Persona(
    "Hana is next of kin of an injured soldier",
    {
        "reason": {"reason": "military_caregiver"},
        "who": {"relation": "next_of_kin"},
        "veteran": {"veteran": "no"},
        "need": {"medicalNeed": "yes"},
        "line_of_duty": {"lineOfDuty": "yes"},
        "dates": {"startsOn": "2026-03-02", "endsOn": "2026-08-28"},
        "pattern": WHOLE,
        "place": CALIFORNIA,
        "employer": {**PRIVATE, "employees": 120},
        "site": {"employeesWithin75Miles": 80},
        "service": {"hiredOn": "2024-01-15"},
        "hours": {"hoursLast12Months": 1800, "weeklyHours": 40},
        "year": {"yearMethod": "rolling"},
        "before": NONE_BEFORE,
        "spouse": {"spouseSameEmployer": "unknown"},
        **LAST,
    },
    "Appears eligible under FMLA; cannot be determined yet for CFRA",
    (
        "FMLA gives up to 26 weeks (1,040 hours) in the single 12-month period from March 2, 2026",
        "FMLA covers the leave to its last day",
        "how the other person is related to the employee",
        "limit both to 26 weeks of FMLA leave together",
    ),
)
IAN = Persona(
    "Ian's firm has four people",
    {
        "reason": {"reason": "own_health"},
        "need": {"medicalNeed": "yes"},
        "dates": {"startsOn": "2026-03-02"},
        "pattern": WHOLE,
        "place": CALIFORNIA,
        "employer": {**PRIVATE, "employees": 4},
    },
    "Does not appear eligible under these laws",
    ("1 more employee would meet it. It would be met from 5 employees on",),
)
JO = Persona(
    "Jo is pregnant and in her first week; a shop of six",
    {
        "reason": {"reason": "pregnancy_disability"},
        "need": {"medicalNeed": "yes"},
        "arrival": {},
        "dates": {"startsOn": "2026-03-02", "endsOn": "2026-06-26"},
        "pattern": WHOLE,
        "place": CALIFORNIA,
        "employer": {**PRIVATE, "employees": 6},
        "service": {"hiredOn": "2026-02-23"},
        "hours": {"hoursLast12Months": 40, "weeklyHours": 20},
        "before": NONE_BEFORE,
        **LAST,
    },
    "Appears eligible under California pregnancy disability leave",
    (
        "up to 17 1/3 weeks (346.67 hours)",
        "covers the leave to its last day",
        "runs alone; CFRA is not used up",
        "does not appear eligible for up to 12 weeks for bonding under CFRA",
    ),
)
PERSONAS = (ANA, BEN, CLEO, DAN, EVE, FAY, GUS, HANA, IAN, JO)
