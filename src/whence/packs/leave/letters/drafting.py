"""The employer's notices as drafts: what is known is filled in, the rest is blank.

A notice speaks only of laws that may give this leave, and of what such a leave can call for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain

from whence.packs.leave.eligibility.assessing import Eligibility, LawAssessment
from whence.packs.leave.eligibility.book import BASES, WEAK
from whence.packs.leave.eligibility.editions import book_for
from whence.packs.leave.eligibility.judging import Result
from whence.packs.leave.eligibility.overview import Overview
from whence.packs.leave.eligibility.words import LAWS, REASONS, join_words
from whence.packs.leave.records import Law
from whence.sdk.values import Wire

from .designation import designation
from .paragraphs import BLANK, Paragraph, written_day
from .rights import rights

DRAFT = (
    "Draft, filled from the facts as they were stated; blanks are facts that are not known. Not "
    "legal advice. Check it before it is sent."
)


class Letter(Wire):
    """A draft of a notice, as Markdown."""

    name: str
    title: str
    section: str
    text: str
    blanks: int
    """How many blanks have to be filled in."""


def letters(assessment: Overview) -> list[Letter]:
    """The notices that this request calls for: eligibility always; rights and responsibilities,
    and designation, where some law may give the leave."""
    drafts = [_letter("eligibility", assessment, _eligibility)]
    if assessment.laws:
        drafts.append(_letter("rights", assessment, rights))
        drafts.append(_letter("designation", assessment, designation))
    return drafts


TITLES = {
    "eligibility": "Notice of eligibility",
    "rights": "Notice of rights and responsibilities",
    "designation": "Designation notice",
}
SECTIONS = {
    "eligibility": {
        Law.FMLA: "29 CFR 825.300(b)",
        Law.CFRA: "2 CCR 11091(a)",
        Law.PDL: "2 CCR 11050",
    },
    "rights": {
        Law.FMLA: "29 CFR 825.300(c)",
        Law.CFRA: "Gov. Code 12945.2",
        Law.PDL: "Gov. Code 12945",
    },
    "designation": {
        Law.FMLA: "29 CFR 825.300(d)",
        Law.CFRA: "2 CCR 11091(a)",
        Law.PDL: "2 CCR 11050",
    },
}
"""What each notice follows from, by the law that it speaks of."""
Body = Callable[[Overview], Sequence[Paragraph]]


def _letter(name: str, assessment: Overview, body: Body) -> Letter:
    request = assessment.request
    title = TITLES[name]
    laws = assessment.laws or tuple(one.law for one in assessment.relevant_laws)
    section = "; ".join(SECTIONS[name][law] for law in laws)
    reason = REASONS[request.reason] if request.reason else BLANK
    period = f"from {written_day(request.starts_on)} to {written_day(request.ends_on)}"
    paragraphs = body(assessment)
    text = "\n\n".join(
        (
            f"# {title}",
            f"*{DRAFT}*",
            f"To: {BLANK} (employee)  \nFrom: {BLANK} (employer)  \nDate: {BLANK}",
            (
                f"On {written_day(request.notice_given_on)} you told us that you need leave "
                f"{period} for {reason}."
            ),
            *(one.text for one in paragraphs),
            f"Questions: {BLANK} (name, telephone)  \nSection: {section}",
            *_unread(assessment, paragraphs),
        )
    )
    return Letter(name=name, title=title, section=section, text=text, blanks=text.count(BLANK))


def _unread(assessment: Overview, paragraphs: Sequence[Paragraph]) -> list[str]:
    """A note to whoever sends it: sections that it rests on, and whose own text was not read."""
    provisions = book_for(assessment.request).provisions
    names = dict.fromkeys(chain.from_iterable(one.provisions for one in paragraphs))
    weak = [provisions[name] for name in names if provisions[name].basis in WEAK]
    if not weak:
        return []
    sections = join_words(
        list(dict.fromkeys(f"{one.section} ({BASES[one.basis]})" for one in weak))
    )
    return [f"*Before it is sent, read the text of {sections}, and delete this note.*"]


def _eligibility(assessment: Overview) -> list[Paragraph]:
    return [
        *(_standing(one) for one in assessment.relevant_laws),
        Paragraph("This notice does not yet say whether the leave is counted under these laws."),
    ]


def _standing(law: LawAssessment) -> Paragraph:
    name = LAWS[law.law]
    match law.eligibility:
        case Eligibility.APPEARS_ELIGIBLE:
            text = f"**{name}:** you are eligible, as far as the facts that we have show."
        case Eligibility.APPEARS_LATER:
            more = [one.rule.at_later for one in law.with_result(Result.MET_LATER)]
            text = (
                f"**{name}:** you are not eligible on the first day of the leave. From "
                f"{written_day(law.since)} on you are, as far as the facts that we have show."
            )
            text = " ".join([text, *filter(None, more)])
        case Eligibility.UNDETERMINED:
            text = f"**{name}:** we cannot say yet. Still needed: {law.missing_words}: {BLANK}."
        case Eligibility.NOT_ELIGIBLE:
            reasons = "\n".join(
                f"- {one.rule.title}: needed is {one.rule.needed}; we have: {one.actual} "
                f"({one.rule.section})."
                for one in law.with_result(Result.NOT_MET)
            )
            text = f"**{name}:** you are not eligible, because:\n\n{reasons}"
    return Paragraph(text)
