"""The employer, the worksite, and the employee's service and hours."""

from __future__ import annotations

from whence.sdk.wizards import Hint, Step

from . import answers as models
from . import paths
from .hints import yes_no
from .outcome import rules_on

WORK_STEPS = (
    Step(
        id="place",
        title="Does the employee work in California?",
        model=models.WorkPlace,
        why="CFRA and pregnancy disability leave are California law.",
        derived=rules_on("works_in_california"),
        hints={"works_in_california": yes_no("Works in California")},
    ),
    Step(
        id="employer",
        title="How large is the employer?",
        model=models.Employer,
        why="The FMLA applies from 50 employees, California's laws from 5.",
        derived=rules_on("employees", "public_employer"),
        hints={
            "public_employer": Hint(
                label="A public agency",
                help="For example the state, a county, a city or a district.",
            ),
            "employees": Hint(label="Employees in all", help="All places together."),
        },
    ),
    Step(
        id="site",
        title="How many employees are near the worksite?",
        model=models.WorkSite,
        why="The FMLA needs 50 within 75 miles; CFRA has no such test.",
        show_if=paths.near_worksite,
        warn=paths.odd_site,
        derived=rules_on("employees_within_75_miles"),
        hints={"employees_within_75_miles": Hint(label="Employees within 75 miles")},
    ),
    Step(
        id="service",
        title="When was the employee hired?",
        model=models.ServiceTime,
        wanted=("hired_on",),
        why="The FMLA needs at least 12 months, CFRA more than 12; pregnancy disability leave "
        "needs none.",
        show_if=paths.for_service,
        derived=rules_on("hired_on"),
        hints={
            "hired_on": Hint(label="Day of hire", widget="date"),
            "earlier_service_months": Hint(
                label="Earlier employment with the same employer",
                help="Whole months, mostly of the last seven years.",
                unit="months",
            ),
        },
    ),
    Step(
        id="hours",
        title="How much does the employee work?",
        model=models.WorkedHours,
        wanted=("hours_last_12_months", "weekly_hours"),
        why="The FMLA and CFRA need 1,250 hours worked in the 12 months before. The normal week "
        "turns weeks of leave into hours.",
        show_if=paths.any_open,
        derived=rules_on("hours_last_12_months"),
        hints={
            "hours_last_12_months": Hint(
                label="Hours worked in the 12 months before the leave",
                help="Without vacation, sick days and other time off.",
                unit="hours",
            ),
            "weekly_hours": Hint(label="Normal weekly hours", unit="hours"),
        },
    ),
)
