"""People with what few requests have: a second friend, a death in the family, a job that ends."""

from __future__ import annotations

from packs.leave.wizard.people import CALIFORNIA, LAST, NONE_BEFORE, PRIVATE, WHOLE, Persona

KIM = Persona(
    "Kim names a second friend within a year",
    {
        "reason": {"reason": "family_care"},
        "who": {"relation": "designated_person"},
        "designated": {"designatedPersonNamed": "yes"},
        "need": {"medicalNeed": "yes"},
        "dates": {"startsOn": "2026-03-02", "endsOn": "2026-03-06"},
        "pattern": WHOLE,
        "place": CALIFORNIA,
        "employer": {**PRIVATE, "employees": 9},
        "service": {"hiredOn": "2024-01-08"},
        "hours": {"hoursLast12Months": 1400, "weeklyHours": 32},
        "year": {"yearMethod": "rolling"},
        "before": NONE_BEFORE,
        **LAST,
    },
    "Cannot be determined yet for CFRA",
    ("whether the employer limits designated persons to one in 12 months",),
    never=("The employee appears eligible",),
)
LEO = Persona(
    "Leo's mother died",
    {
        "reason": {"reason": "other"},
        "other_reason": {"otherReason": "bereavement"},
        "dates": {"startsOn": "2026-09-07", "endsOn": "2026-09-11"},
        "pattern": WHOLE,
        "place": CALIFORNIA,
        "employer": {**PRIVATE, "employees": 140},
    },
    "Does not appear eligible under these laws. Bereavement leave is under Gov. Code 12945.7 in "
    "California",
    ("which these rules do not cover", "Ask California's Civil Rights Department"),
    warns=1,
)
MIA = Persona(
    "Mia's plant is shut over Christmas, and her job ends in January",
    {
        "reason": {"reason": "own_health"},
        "need": {"medicalNeed": "yes"},
        "dates": {
            "startsOn": "2026-12-07",
            "endsOn": "2027-01-29",
            "closedFrom": "2026-12-21",
            "closedUntil": "2027-01-01",
        },
        "pattern": WHOLE,
        "place": CALIFORNIA,
        "employer": {**PRIVATE, "employees": 140},
        "site": {"employeesWithin75Miles": 140},
        "service": {"hiredOn": "2023-02-06", "jobEndsOn": "2027-01-15"},
        "hours": {"hoursLast12Months": 1890, "weeklyHours": 40},
        "year": {"yearMethod": "rolling"},
        "before": NONE_BEFORE,
        **LAST,
    },
    "Appears eligible under FMLA and CFRA",
    (
        "The business is closed from December 21, 2026 to January 1, 2027: these days do not count",
        "FMLA covers it up to January 15, 2027",
        "The job ends on January 15, 2027 without the leave too",
        "The employer has to show that the employment would have ended",
        "so there is no day of return",
    ),
    never=("The first working day after the leave",),
)
UNUSUAL = (KIM, LEO, MIA)
