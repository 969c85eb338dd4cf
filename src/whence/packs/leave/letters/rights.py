"""What the notice of rights and responsibilities says, law by law and for this kind of leave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from whence.packs.leave.eligibility.judging import Result
from whence.packs.leave.eligibility.overview import Overview
from whence.packs.leave.eligibility.words import (
    LAWS,
    METHODS,
    counted,
    day,
    join_words,
    lower_first,
)
from whence.packs.leave.records import BONDING, Certification, Law, LeaveRequest, Reason

from .paragraphs import BLANK, OWN_CONDITION, YES_NO, Paragraph

MILITARY = (Reason.MILITARY_EXIGENCY, Reason.MILITARY_CAREGIVER)
WITHOUT = {
    Law.FMLA: "29 CFR 825.313",
    Law.CFRA: "2 CCR 11091(b)",
    Law.PDL: "2 CCR 11050(b)",
}
"""Where the laws let an employer make the leave depend on a certification."""

BENEFITS = {Law.FMLA: "29 CFR 825.207(d)", Law.CFRA: "2 CCR 11092(b)"}
"""Where the laws keep paid leave apart from disability benefits."""
RECOVERY = {Law.FMLA: "29 CFR 825.213", Law.CFRA: "Gov. Code 12945.2(e)"}
"""Where the laws let an employer recover premiums."""


def rights(assessment: Overview) -> list[Paragraph]:
    """The paragraphs, of the laws that may give the leave only."""
    return [
        _counted(assessment),
        _period(assessment),
        _certification(assessment),
        *_paid(assessment),
        _health(assessment),
        *_key_employee(assessment),
        _back(assessment),
    ]


def _counted(assessment: Overview) -> Paragraph:
    names = join_words([LAWS[law] for law in assessment.laws])
    text = f"If the leave qualifies, it may be counted under {names}."
    for one in assessment.relevant_laws:
        if one.law not in assessment.laws:
            why = join_words([lower_first(x.rule.title) for x in one.with_result(Result.NOT_MET)])
            text += f" {LAWS[one.law]} does not appear to give it ({why})."
    return Paragraph(text)


def _period(assessment: Overview) -> Paragraph:
    sentences: list[str] = []
    if any(law is not Law.PDL for law in assessment.laws):
        method = assessment.request.year_method
        sentences.append(
            f"The 12-month period is counted as: {METHODS[method] if method else BLANK}."
        )
    if Law.PDL in assessment.laws:
        sentences.append("Pregnancy disability leave is counted for each pregnancy.")
    left = [
        f"{counted(one.left_weeks, 'week')} under {LAWS[one.law]}"
        for one in assessment.leave
        if one.left_weeks is not None
    ]
    sentences.append(f"Leave that is left: {join_words(left) if left else BLANK}.")
    return Paragraph(" ".join(sentences), ("pdl.amount",) if Law.PDL in assessment.laws else ())


def _certification(assessment: Overview) -> Paragraph:
    request, laws = assessment.request, assessment.laws
    if request.reason in BONDING:
        return Paragraph(
            f"Documentation of the family relationship is needed: {YES_NO}. No medical "
            "certification is needed."
        )
    without = f"Without it we may deny the leave until it is given ({_of(WITHOUT, laws)})."
    provisions = tuple(f"certification.{law.value}" for law in laws)
    if request.reason in MILITARY and Law.FMLA in laws:
        provisions = (*provisions, "certification.military")
    return Paragraph(_certification_text(request, without), provisions)


def _certification_text(request: LeaveRequest, without: str) -> str:
    asked, given = request.certification_asked_on, request.certification_given_on
    due = BLANK if asked is None else f"15 calendar days after {day(asked)}"
    match request.certification:
        case Certification.GIVEN:
            on = f" on {day(given)}" if given else ""
            return f"We received your certification{on}."
        case Certification.INCOMPLETE:
            return (
                "Your certification is incomplete; the designation notice says what is missing. "
                f"{without}"
            )
        case Certification.ASKED:
            return f"A certification is needed. It is due: {due}. {without}"
        case Certification.NOT_ASKED:
            return (
                "We have not asked you for a certification. If we do, it is due 15 calendar days "
                f"after that. We ask for it with this notice: {YES_NO}."
            )
        case None:
            return f"A certification is needed: {YES_NO}. It is due: {due}. {without}"


def _paid(assessment: Overview) -> list[Paragraph]:
    """Where a law of California applies, its limits bind beside the FMLA, which has none."""
    laws = assessment.laws
    state = [law for law in laws if law is not Law.FMLA]
    texts = [_paid_under(law, assessment.request.reason) for law in state or laws]
    if assessment.request.reason in OWN_CONDITION and (sections := _of(BENEFITS, laws)):
        texts.append(
            "While you receive disability benefits, paid leave is added only if you and we agree "
            f"({sections})."
        )
    start = (
        f"Paid leave: you may choose to use accrued paid leave, on the terms of our policy: {BLANK}"
        ". If you do not meet them, you still have the unpaid leave."
    )
    return [
        Paragraph(" ".join([start, *texts]), tuple(f"pay.{law.value}" for law in state or laws))
    ]


def _paid_under(law: Law, reason: Reason | None) -> str:
    required = f"{YES_NO}, which kind: {BLANK}"
    match law:
        case Law.FMLA:
            return f"We require it: {required} (29 CFR 825.207)."
        case Law.PDL:
            return (
                f"We require you to use accrued sick leave: {YES_NO}. Vacation and other paid time "
                "off are used during pregnancy disability leave only if you choose to (2 CCR "
                "11044(b))."
            )
        case Law.CFRA if reason is Reason.OWN_HEALTH:
            return (
                f"We require you to use accrued vacation, other paid time off or sick leave: "
                f"{required} (Gov. Code 12945.2(d))."
            )
        case Law.CFRA:
            return (
                f"We require you to use accrued vacation or other paid time off: {required}. Sick "
                "leave is for your own serious health condition: for other reasons it is used only "
                "if you and we agree (Gov. Code 12945.2(d))."
            )


def _health(assessment: Overview) -> Paragraph:
    laws = assessment.laws
    text = (
        f"Health cover goes on as before. Your share of the premium is {BLANK}, due on {BLANK}, "
        f"paid to {BLANK}."
    )
    provisions = [f"health.{law.value}" for law in laws]
    if Law.PDL in laws:
        text += (
            " During pregnancy disability leave we keep it up for four months at most (2 CCR "
            "11044(c))."
        )
    if Law.CFRA in laws:
        text += " Under CFRA we keep it up for 12 weeks at most (Gov. Code 12945.2(e))."
    if Law.FMLA in laws:
        provisions += ["health.late", "health.recovery"]
        text += (
            " If a payment is more than 30 days late, cover may end after a written notice at "
            "least 15 days before (29 CFR 825.212)."
        )
    if sections := _of(RECOVERY, laws):
        text += (
            " You may have to repay our share of premiums for unpaid leave if you do not return, "
            "unless a serious health condition or something beyond your control keeps you "
            f"({sections})."
        )
    return Paragraph(text, tuple(provisions))


def _key_employee(assessment: Overview) -> list[Paragraph]:
    """Only the FMLA lets an employer refuse the return of a key employee."""
    if Law.FMLA not in assessment.laws:
        return []
    text = (
        f"Key employee under the FMLA (29 CFR 825.217): {YES_NO}. A key employee may be refused "
        "the return, though not the leave, where the return would do us substantial and grievous "
        "economic injury (29 CFR 825.218)."
    )
    names = [LAWS[law] for law in assessment.laws if law is not Law.FMLA]
    if names:
        text += f" The right to return under {join_words(names)} knows no such exception."
    provisions = tuple(f"return.{law.value}_key" for law in assessment.laws if law is not Law.FMLA)
    return [Paragraph(text, ("return.key", *provisions))]


def _back(assessment: Overview) -> Paragraph:
    position = {
        Law.FMLA: "the same or an equivalent position (29 CFR 825.214)",
        Law.CFRA: "the same or a comparable position (2 CCR 11089)",
        Law.PDL: "the same position, or a comparable one where that is excused (2 CCR 11043)",
    }
    rights = join_words([position[law] for law in assessment.laws])
    return Paragraph(
        f"You keep your benefits, and the right to return to {rights}.",
        tuple(f"return.{law.value}" for law in assessment.laws),
    )


def _of(sections: Mapping[Law, str], laws: Sequence[Law]) -> str:
    """The sections of the laws that may give the leave."""
    return "; ".join(section for law, section in sections.items() if law in laws)
