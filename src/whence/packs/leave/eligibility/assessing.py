"""Applies each law rule by rule: appears eligible, does not, or cannot be determined yet."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from whence.packs.leave.records import Law, LeaveRequest

from .book import RuleBook, Statute
from .editions import book_for
from .facts import facts_of
from .judging import Result, RuleResult, applies, judge
from .words import FIELDS, LAWS, day, join_words, lower_first


class Eligibility(StrEnum):
    """`appears`, never `is`: the employer decides, and may see the facts differently."""

    APPEARS_ELIGIBLE = "appears_eligible"
    APPEARS_LATER = "appears_eligible_later"
    """From a later day of the leave on."""
    NOT_ELIGIBLE = "does_not_appear_eligible"
    UNDETERMINED = "cannot_be_told"


NOT_PREGNANCY = "the leave is not for a disability because of the employee's own pregnancy"
ELIGIBLE = (Eligibility.APPEARS_ELIGIBLE, Eligibility.APPEARS_LATER)


@dataclass(frozen=True)
class LawAssessment:
    """One law applied to a request."""

    statute: Statute
    results: tuple[RuleResult, ...]

    @property
    def law(self) -> Law:
        return self.statute.law

    @property
    def eligibility(self) -> Eligibility:
        """A rule that is not met decides first, then one that is unknown."""
        results = {result.result for result in self.results}
        if Result.NOT_MET in results:
            return Eligibility.NOT_ELIGIBLE
        if Result.UNKNOWN in results:
            return Eligibility.UNDETERMINED
        if Result.MET_LATER in results:
            return Eligibility.APPEARS_LATER
        return Eligibility.APPEARS_ELIGIBLE

    @property
    def since(self) -> date | None:
        """The day of the leave from which all rules are met; None for the first day."""
        return max((one.since for one in self.results if one.since), default=None)

    @property
    def missing(self) -> tuple[str, ...]:
        """Fields that would settle unknown rules, each once."""
        return tuple(dict.fromkeys(name for result in self.results for name in result.missing))

    @property
    def missing_words(self) -> str:
        """What would settle unknown rules, in words."""
        open_words = {
            name: one.open_words for one in self.results if one.open_words for name in one.missing
        }
        return join_words([open_words.get(name, FIELDS[name]) for name in self.missing])

    def with_result(self, result: Result) -> list[RuleResult]:
        """The rules with this result."""
        return [one for one in self.results if one.result is result]

    @property
    def wording(self) -> str:
        """The result as a sentence."""
        name = LAWS[self.law]
        match self.eligibility:
            case Eligibility.APPEARS_ELIGIBLE:
                return f"The employee appears eligible for leave under {name}."
            case Eligibility.APPEARS_LATER:
                assert self.since is not None
                why = self._titles(Result.MET_LATER)
                more = [one.rule.at_later for one in self.with_result(Result.MET_LATER)]
                text = (
                    f"The employee appears eligible for leave under {name} from {day(self.since)} "
                    f"on: {why}. The leave before that day does not count under it."
                )
                return " ".join([text, *filter(None, more)])
            case Eligibility.NOT_ELIGIBLE:
                if any(one.rule.id == "pdl.reason" for one in self.with_result(Result.NOT_MET)):
                    return f"{name[:1].upper()}{name[1:]} does not apply: {NOT_PREGNANCY}."
                why = self._titles(Result.NOT_MET)
                return f"The employee does not appear eligible under {name}: {why}."
            case Eligibility.UNDETERMINED:
                text = f"Eligibility under {name} cannot be determined yet: {self.missing_words}."
                more = [one.rule.change for one in self.results if one.open_words]
                return " ".join([text, *more])

    def _titles(self, result: Result) -> str:
        return join_words([lower_first(one.rule.title) for one in self.with_result(result)])


def assess(request: LeaveRequest, book: RuleBook | None = None) -> tuple[LawAssessment, ...]:
    """All three laws applied to a request; rules for other reasons are left out."""
    book = book or book_for(request)
    facts = facts_of(request)
    return tuple(
        LawAssessment(
            book.statutes[law],
            tuple(
                judge(rule, facts, request)
                for rule in book.rules(law)
                if applies(rule, facts, request)
            ),
        )
        for law in Law
    )


def assess_law(request: LeaveRequest, law: Law) -> LawAssessment:
    """One law applied to a request."""
    return next(one for one in assess(request) if one.law is law)
