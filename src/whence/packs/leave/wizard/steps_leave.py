"""What the leave is for, for whom, and when."""

from __future__ import annotations

from whence.packs.leave.eligibility.words import (
    EXIGENCIES,
    OTHER_REASONS,
    PATTERNS,
    REASONS,
    RELATIONS,
    choice_labels,
)
from whence.packs.leave.records import Reason
from whence.sdk.wizards import Hint, Step

from . import answers as models
from . import paths, special_paths
from .hints import yes_no
from .outcome import rules_on

LEAVE_STEPS = (
    Step(
        id="reason",
        title="What is the leave for?",
        model=models.LeaveReason,
        why="Each law lists the reasons for leave. You are not asked what the illness is.",
        hints={
            "reason": Hint(label="Reason", widget="radio", labels=choice_labels(REASONS)),
            "title": Hint(label="What to call this request"),
        },
    ),
    Step(
        id="other_reason",
        title="Which other reason is it?",
        model=models.OtherReasonGiven,
        why="Other laws give leave for these; the outcome names the law and whom to ask.",
        show_if=paths.for_reasons(Reason.OTHER),
        hints={"other_reason": Hint(label="Reason", labels=choice_labels(OTHER_REASONS))},
    ),
    Step(
        id="who",
        title="How is the other person related to the employee?",
        model=models.FamilyMember,
        why="The FMLA covers a spouse, child or parent; CFRA covers more relatives.",
        show_if=paths.for_somebody,
        derived=rules_on("relation"),
        hints={
            "relation": Hint(
                label="Relation",
                help="A child or parent is also one by adoption, a stepchild, a foster child, and "
                "a child whom the employee raises, or who was raised by this person, without "
                "kinship or papers (in loco parentis).",
                labels=choice_labels(RELATIONS),
            )
        },
    ),
    Step(
        id="next_of_kin",
        title="Is the employee the servicemember's next of kin?",
        model=models.NextOfKin,
        why="Next of kin is the nearest blood relative besides spouse, child and parent, such as a "
        "brother or a sister, or the one whom the servicemember designated in writing. The FMLA "
        "asks for it (29 CFR 825.127(d)(3)); CFRA looks at the relation itself.",
        show_if=special_paths.for_kin,
        derived=rules_on("next_of_kin"),
        hints={"next_of_kin": yes_no("Next of kin")},
    ),
    Step(
        id="veteran",
        title="Is the servicemember a veteran?",
        model=models.Veteran,
        why="For a veteran the day of the discharge matters (29 CFR 825.127(b)(2)).",
        show_if=paths.for_reasons(Reason.MILITARY_CAREGIVER),
        hints={"veteran": yes_no("A veteran, no longer a member")},
    ),
    Step(
        id="discharge",
        title="When was the veteran discharged?",
        model=models.Discharge,
        wanted=("discharged_on",),
        why="The first day of such leave has to be within five years of it.",
        show_if=special_paths.for_discharge,
        hints={
            "discharged_on": Hint(label="Day of discharge", widget="date"),
            "dishonorable": yes_no("It was dishonorable"),
        },
    ),
    Step(
        id="child_age",
        title="Is the child 18 or older?",
        model=models.ChildAge,
        why="Under the FMLA the age matters, under CFRA it does not.",
        show_if=paths.for_child,
        derived=rules_on("child_is_adult"),
        hints={"child_is_adult": yes_no("18 or older")},
    ),
    Step(
        id="child_care",
        title="Does the adult child need care?",
        model=models.ChildCare,
        why="The FMLA covers adult children who cannot care for themselves because of a "
        "disability; which one is not asked.",
        show_if=paths.for_adult_child,
        derived=rules_on("child_needs_care"),
        hints={"child_needs_care": yes_no("Cannot care for themself because of a disability")},
    ),
    Step(
        id="designated",
        title="Was another designated person named in the last 12 months?",
        model=models.DesignatedPerson,
        why="An employer may limit designated persons to one in 12 months.",
        show_if=paths.for_designated,
        hints={
            "designated_person_named": yes_no("Another was named"),
            "designated_person_limited": yes_no("The employer allows one in 12 months"),
        },
    ),
    Step(
        id="need",
        title="Does a health care provider say that the leave is needed?",
        model=models.MedicalNeed,
        why="When caring for somebody, this means that person's provider. Yes or no is enough: "
        "please do not state the diagnosis; the rules do not need it.",
        show_if=paths.for_need,
        derived=rules_on("medical_need"),
        hints={"medical_need": yes_no("A provider says so, or will")},
    ),
    Step(
        id="line_of_duty",
        title="Was the injury or illness incurred in the line of duty?",
        model=models.LineOfDuty,
        why="Military caregiver leave is for a serious injury or illness of active duty.",
        show_if=paths.for_reasons(Reason.MILITARY_CAREGIVER),
        derived=rules_on("line_of_duty"),
        hints={"line_of_duty": yes_no("In the line of duty on active duty")},
    ),
    Step(
        id="active_duty",
        title="Is the family member on covered active duty, or called to it?",
        model=models.ActiveDuty,
        why="Leave for an exigency depends on it.",
        show_if=paths.for_reasons(Reason.MILITARY_EXIGENCY),
        derived=rules_on("active_duty"),
        hints={"active_duty": yes_no("On covered active duty, or called to it")},
    ),
    Step(
        id="exigency",
        title="Which exigency is it?",
        model=models.ExigencyType,
        wanted=("exigency",),
        why="Rest and recuperation gives up to 15 calendar days, short-notice deployment up to 7 "
        "(29 CFR 825.126(b)).",
        show_if=paths.for_reasons(Reason.MILITARY_EXIGENCY),
        hints={
            "exigency": Hint(label="Exigency", labels=choice_labels(EXIGENCIES)),
            "exigency_began_on": Hint(
                label="First day",
                help="Of the member's rest and recuperation, or the day of the call to duty.",
                widget="date",
            ),
        },
    ),
    Step(
        id="arrival",
        title="When is the birth or placement?",
        model=models.ChildArrival,
        why="Leave for bonding is taken within a year of it. An expected day will do.",
        show_if=paths.for_arrival,
        hints={"child_arrives_on": Hint(label="Birth or placement", widget="date")},
    ),
    Step(
        id="dates",
        title="When is the leave?",
        model=models.Dates,
        wanted=("ends_on",),
        why="Service, hours and the 12-month period are counted back from the first day.",
        check=paths.ends_after_start,
        warn=paths.odd_dates,
        derived=rules_on("child_arrives_on"),
        hints={
            "starts_on": Hint(label="First day", widget="date"),
            "ends_on": Hint(label="Last day, if known", widget="date"),
            "closed_from": Hint(
                label="Business closed from",
                help="Only if it closes for a week or more within the leave, or school is out, and "
                "the employee is not to work: these days do not count as leave "
                "(29 CFR 825.200(h)).",
                widget="date",
            ),
            "closed_until": Hint(label="Business closed until", widget="date"),
        },
    ),
    Step(
        id="placement",
        title="Is the leave before the placement needed for it?",
        model=models.PlacementNeed,
        why="Before an adoption or foster care placement only leave counts that the placement "
        "needs, such as for counseling, court or travel (29 CFR 825.121(a)(1)).",
        show_if=special_paths.for_placement,
        hints={"needed_for_placement": yes_no("Needed for the placement")},
    ),
    Step(
        id="pattern",
        title="Is the leave in one piece?",
        model=models.Schedule,
        why="For leave in parts, only the time actually taken counts.",
        hints={"pattern": Hint(label="Pattern", widget="radio", labels=choice_labels(PATTERNS))},
    ),
    Step(
        id="hours_off",
        title="How many hours a week does the leave take?",
        model=models.HoursOff,
        why="It determines how long the leave lasts.",
        show_if=paths.in_parts,
        hints={"hours_off_per_week": Hint(label="Hours of leave per week", unit="hours")},
    ),
)
