"""The employer, the worksite, and the employee's service and hours."""

from __future__ import annotations

from whence.packs.leave.eligibility.words import choice_labels
from whence.packs.leave.records import Weekday
from whence.sdk.wizards import Hint, Step

from . import answers as models
from . import paths, special_paths
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
            "kinds": Hint(
                label="Special kind of employer",
                help="Special rules hold for them; leave it empty if it is none.",
                labels={
                    "school": "An elementary or secondary school, or a school board",
                    "federal_employer": "The federal government",
                    "joint_employer": "An employer that shares control with another, such as a "
                    "staffing agency",
                },
            ),
        },
    ),
    Step(
        id="federal",
        title="Which law binds the federal employer?",
        model=models.FederalLaw,
        why="Most federal employees are under other rules; the Postal Service and a few others are "
        "under Title I of the FMLA (29 CFR 825.109).",
        show_if=special_paths.for_federal,
        derived=rules_on("federal_title_one"),
        hints={"federal_title_one": yes_no("Under Title I of the FMLA")},
    ),
    Step(
        id="joint",
        title="How many employees are there with those employed jointly?",
        model=models.JointStaff,
        wanted=("joint_employees",),
        why="Both employers count those who are employed jointly (29 CFR 825.106(d)).",
        show_if=special_paths.for_joint,
        hints={
            "joint_employees": Hint(
                label="Employees with those employed jointly", help="Within 75 miles."
            )
        },
    ),
    Step(
        id="teaching",
        title="Does the employee teach?",
        model=models.Teaching,
        why="Teachers have rules of their own on leave in parts and near the end of a term "
        "(29 CFR 825.600-825.603).",
        show_if=special_paths.for_teaching,
        hints={
            "teacher": yes_no("Teaching is the principal work"),
            "term_ends_on": Hint(label="Last day of the term", widget="date"),
        },
    ),
    Step(
        id="near_fifty",
        title="When were there, or will there be, 50 employees?",
        model=models.NearFifty,
        wanted=("weeks_with_50", "fifty_employees_on"),
        why="A private employer is covered by 50 employees in 20 workweeks of this or the last "
        "year; where 50 are reached during the leave, what follows can count.",
        show_if=special_paths.for_near_fifty,
        hints={
            "weeks_with_50": Hint(
                label="Workweeks with 50 or more",
                help="Of this calendar year or the last, the more of both.",
                unit="weeks",
            ),
            "fifty_employees_on": Hint(
                label="Day from which there are 50 within 75 miles",
                help="Only if there are fewer now.",
                widget="date",
            ),
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
        hints={
            "employees_within_75_miles": Hint(
                label="Employees within 75 miles",
                help="Of the worksite. For who works from home or travels it is the office to "
                "which they report and from which work is assigned (29 CFR 825.111(a)(2)).",
            )
        },
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
            "job_ends_on": Hint(
                label="Day on which the job ends anyway",
                help="Only if it ends without the leave too: a layoff, or the end of a project or "
                "of a term of employment (29 CFR 825.216(a)).",
                widget="date",
            ),
        },
    ),
    Step(
        id="service_break",
        title="When did the earlier employment end?",
        model=models.ServiceBreak,
        wanted=("earlier_service_ended_on",),
        why="Under the FMLA, service before a break of seven years or more counts only if the "
        "break was for military service, or a written agreement promised the return "
        "(29 CFR 825.110(b)).",
        show_if=special_paths.for_break,
        hints={
            "earlier_service_ended_on": Hint(label="Its last day", widget="date"),
            "break_excused": yes_no("Military service, or a written agreement"),
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
            "weekly_hours": Hint(
                label="Normal weekly hours",
                help="Where they vary from week to week: the average of the hours scheduled in the "
                "12 months before the leave, with those on leave (29 CFR 825.205(b)(3)).",
                unit="hours",
            ),
            "workdays": Hint(
                label="Working days",
                help="Only if they are not Monday to Friday. A week of leave is the employee's own "
                "working week.",
                labels=choice_labels({one: one.value for one in Weekday}),
            ),
        },
    ),
    Step(
        id="hours_credit",
        title="Is there a reason why the hours are few?",
        model=models.HoursCredit,
        wanted=("military_hours",),
        why="Hours that military service kept from being worked count (29 CFR 825.110(c)(2)), and "
        "airline flight crew needs fewer (29 CFR 825.801).",
        show_if=special_paths.for_credit,
        derived=rules_on("military_hours"),
        hints={
            "military_hours": Hint(
                label="Hours not worked because of military service",
                help="In the 12 months before the leave; 0 if none.",
                unit="hours",
            ),
            "flight_crew": yes_no("Airline flight crew"),
        },
    ),
    Step(
        id="crew",
        title="How much did the crew member work?",
        model=models.CrewService,
        wanted=("crew_hours",),
        why="Flight crew needs 504 hours worked or paid, and 60 percent of the monthly guarantee.",
        show_if=special_paths.for_crew,
        derived=rules_on("crew_hours"),
        hints={
            "crew_hours": Hint(
                label="Hours worked or paid in the last 12 months",
                help="Duty hours; without vacation and sick leave.",
                unit="hours",
            ),
            "crew_guarantee_met": yes_no("At least 60 percent of the monthly guarantee"),
        },
    ),
)
