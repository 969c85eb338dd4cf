"""How leave is counted, what was taken before, notice and certification."""

from __future__ import annotations

from whence.packs.leave.eligibility.words import LAWS, METHODS, choice_labels
from whence.sdk.wizards import Hint, Step

from . import answers as models
from . import paths, special_paths
from .hints import yes_no

WAYS = {**{way.value: words for way, words in METHODS.items()}, "unknown": "Not known"}
CERTIFICATIONS = {
    "not_asked": "Not asked for",
    "asked": "Asked for, not given yet",
    "given": "Given",
    "incomplete": "Given, and found incomplete",
}
_LEAVES = (
    "Leave taken in the last 12 months may reduce what is available. The rules need its dates and "
    "the law it was counted under."
)


def _earlier(at: int) -> Step:
    model = models.EARLIER[at]
    return Step(
        id=f"earlier_{at + 1}",
        title="When was the earlier leave?" if at == 0 else "When was the next earlier leave?",
        model=model,
        why=_LEAVES,
        show_if=paths.for_earlier(at),
        warn=paths.earlier_after(model),
        hints={
            "starts_on": Hint(label="First day", widget="date"),
            "ends_on": Hint(label="Last day", widget="date"),
            "hours": Hint(
                label="Hours taken", help="Only if it was not every working day.", unit="hours"
            ),
            "laws": Hint(label="Counted under", labels=choice_labels(LAWS)),
            "caregiver": Hint(label="It was to care for a servicemember"),
            "this_pregnancy": Hint(label="It was for this pregnancy, if it was for one"),
            "same_reason": Hint(
                label="It was for the same reason as this leave",
                help="The same condition, or the same person: eligibility is not measured again "
                "in the same 12 months.",
            ),
            "another": Hint(label="There is another earlier leave"),
        },
    )


COUNT_STEPS = (
    Step(
        id="year",
        title="How does the employer count the 12-month period?",
        model=models.LeaveYear,
        why="It decides which earlier leave counts. If the employer chose none, the method best "
        "for the employee applies.",
        show_if=paths.for_year,
        hints={
            "year_method": Hint(label="12-month period", widget="radio", labels=choice_labels(WAYS))
        },
    ),
    Step(
        id="year_start",
        title="On which day does the leave year start?",
        model=models.YearStart,
        why="A fixed leave year has the same first day each year.",
        show_if=paths.for_year_start,
        hints={"leave_year_starts": Hint(label="Month and day", help="As MM-DD, such as 07-01.")},
    ),
    Step(
        id="before",
        title="Was such leave taken before?",
        model=models.HadEarlierLeave,
        why=_LEAVES,
        show_if=paths.any_open,
        hints={
            "was_taken": Hint(label="Leave was taken in the last 12 months, or in this pregnancy")
        },
    ),
    *(_earlier(at) for at in range(len(models.EARLIER))),
    Step(
        id="pregnancy_hours",
        title="How many hours were worked before the pregnancy leave?",
        model=models.PregnancyHours,
        wanted=("hours_before_pregnancy_leave",),
        why="For bonding right after pregnancy disability leave, CFRA looks at the 12 months "
        "before the pregnancy leave.",
        show_if=special_paths.for_pregnancy_hours,
        hints={
            "hours_before_pregnancy_leave": Hint(
                label="Hours worked in the 12 months before it", unit="hours"
            )
        },
    ),
    Step(
        id="short_bonding",
        title="Was bonding leave of less than two weeks taken before?",
        model=models.ShortBonding,
        wanted=("short_bonding_before",),
        why="Under CFRA bonding leave is of two weeks at least, and shorter on two occasions "
        "(2 CCR 11090(d)).",
        show_if=special_paths.for_short_bonding,
        hints={"short_bonding_before": Hint(label="How often for this child", help="0 if never.")},
    ),
    Step(
        id="holidays",
        title="Was the employee to work on the public holidays?",
        model=models.Holidays,
        why="In a part of a week a holiday counts as leave only if it was to be worked "
        "(29 CFR 825.200(h)).",
        show_if=special_paths.for_holidays,
        hints={"works_holidays": yes_no("To be worked")},
    ),
    Step(
        id="spouse",
        title="Does a spouse work for the same employer?",
        model=models.Spouse,
        why="For bonding, care of a parent and military caregiver leave the employer may limit two "
        "eligible spouses to 12 weeks of FMLA leave together, or 26 (29 CFR 825.120(a)(3), "
        "825.201(b), 825.127(f)). If there is no spouse, answer no.",
        show_if=paths.for_spouse,
        hints={"spouse_same_employer": yes_no("A spouse works for the same employer")},
    ),
    Step(
        id="spouse_leave",
        title="Is that spouse eligible too, and what have both taken?",
        model=models.SpouseLeave,
        wanted=("weeks_of_both",),
        why="Only a spouse who is eligible too has to share. What both took for other reasons does "
        "not count.",
        show_if=paths.for_spouse_leave,
        hints={
            "spouse_eligible": yes_no("The spouse is eligible for FMLA leave too"),
            "weeks_of_both": Hint(
                label="Weeks taken by both together",
                help="For bonding, care of a parent or military caregiver leave, in this 12-month "
                "period; 0 if none.",
                unit="weeks",
            ),
        },
    ),
    Step(
        id="caregiver_year",
        title="When did leave for this servicemember begin?",
        model=models.CaregiverYear,
        why="The 26 weeks apply to a single 12-month period that begins with the first day of that "
        "leave.",
        show_if=paths.for_caregiver_year,
        hints={"caregiver_leave_began": Hint(label="First day of it, if any", widget="date")},
    ),
    Step(
        id="notice",
        title="Could the need be foreseen, and when was the employer told?",
        model=models.NoticeGiven,
        wanted=("need_known_on", "notice_given_on"),
        why="30 days' notice is due where the need can be foreseen, otherwise as soon as "
        "practicable. Late notice never takes the leave away.",
        show_if=paths.any_open,
        warn=paths.late_notice,
        hints={
            "foreseeable": yes_no("The need could be foreseen"),
            "need_known_on": Hint(label="When the need became known", widget="date"),
            "notice_given_on": Hint(label="When the employer was told", widget="date"),
            "employer_answered_on": Hint(label="When the employer answered, if so", widget="date"),
        },
    ),
    Step(
        id="certification",
        title="Was a certification asked for?",
        model=models.CertificationStatus,
        why="The employer may ask for one; it is due 15 calendar days later. It need not name the "
        "diagnosis.",
        show_if=paths.for_certification,
        hints={"certification": Hint(label="Certification", labels=CERTIFICATIONS)},
    ),
    Step(
        id="certification_days",
        title="When was it asked for, and given?",
        model=models.CertificationDates,
        wanted=("certification_asked_on",),
        why="Deadlines are counted from these dates.",
        show_if=paths.for_certified_on,
        hints={
            "certification_asked_on": Hint(label="Asked for on", widget="date"),
            "certification_given_on": Hint(label="Given on", widget="date"),
            "deficiency_notice_on": Hint(
                label="Said to be incomplete on",
                help="When the employer said in writing what is missing.",
                widget="date",
            ),
            "designated_on": Hint(label="Designation given on", widget="date"),
        },
    ),
)
