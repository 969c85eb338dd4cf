"""leave.eligibility: what the rules find on written scenarios, against what they have to find."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from whence.packs.leave.eligibility.deadlines import is_late
from whence.packs.leave.eligibility.overview import overview
from whence.packs.leave.records import LeaveRequest

from .scenarios import Expected, Scenario, read_scenarios

CLOSE = 0.005
"""Weeks or hours: what the rounding of a written figure may leave."""
NOT_SHARED = "no_matter"
"""For leave that spouses never have to share."""
SHOWN = 100
"""Wrong ones that are named at most; the rest is in their number."""


@dataclass(frozen=True)
class Wrong:
    """One expectation that was not found."""

    scenario: str
    what: str
    expected: object
    actual: object

    def __str__(self) -> str:
        return f"{self.scenario}: {self.what} is {self.actual}, not {self.expected}"


@dataclass(frozen=True)
class EligibilityReport:
    scenarios: int
    rules: int
    """Results of single rules that were checked; one that is not expected at all counts too."""
    standings: int
    amounts: int
    """Weeks, hours, days and laws at the same time."""
    wrong: tuple[Wrong, ...]

    def figures(self) -> dict[str, float | int | str]:
        """Flat, as `whence eval` shows them."""
        checked = self.rules + self.standings + self.amounts
        shown = {f"wrong_{at}": str(one) for at, one in enumerate(self.wrong[:SHOWN], start=1)}
        return {
            "scenarios": self.scenarios,
            "rules_checked": self.rules,
            "standings_checked": self.standings,
            "amounts_and_dates_checked": self.amounts,
            "right": checked - len(self.wrong),
            "wrong": len(self.wrong),
            **shown,
        }


def eligibility(folder: Path) -> EligibilityReport:
    """Hold every scenario of the folder against the rules; raises Invalid for unreadable ones."""
    scenarios = read_scenarios(folder)
    rules = standings = amounts = 0
    wrong: list[Wrong] = []
    for scenario in scenarios:
        actual_findings = findings(scenario.request, scenario.today)
        names = {*scenario.expected, *(name for name in actual_findings if _is_rule(name))}
        for name in sorted(names):
            rules += _is_rule(name)
            standings += _is_standing(name)
            expected, actual = scenario.expected.get(name), actual_findings.get(name)
            if not _same(expected, actual):
                wrong.append(Wrong(scenario.name, name, expected, actual))
        amounts += _amounts(scenario)
    return EligibilityReport(len(scenarios), rules, standings, amounts, tuple(wrong))


def findings(request: LeaveRequest, today: date | None = None) -> Mapping[str, Expected | None]:
    """Everything that a scenario may expect, by its name there."""
    assessment = overview(request, today)
    values: dict[str, Expected | None] = {}
    for law in assessment.assessed:
        values[law.law.value] = law.eligibility.value
        values |= {one.rule.id: one.result.value for one in law.results}
        values[f"from.{law.law}"] = law.since
    for leave in assessment.leave:
        at = f"leave.{leave.law.value}"
        values |= {
            f"{at}.weeks": leave.weeks,
            f"{at}.hours": leave.hours,
            f"{at}.used_weeks": leave.used_weeks,
            f"{at}.left_weeks": leave.left_weeks,
            f"{at}.left_hours": leave.left_hours,
            f"{at}.covered_until": leave.covered_until,
            f"{at}.covers_all": leave.covers_all,
            f"{at}.method": leave.method.value if leave.method else None,
            f"{at}.period_first": leave.period.first if leave.period else None,
            f"{at}.period_last": leave.period.last if leave.period else None,
            f"{at}.frees_up": leave.frees_up[0][0] if leave.frees_up else None,
        }
    for deadline in assessment.deadlines:
        values |= {
            f"date.{deadline.name}": deadline.on,
            f"later.{deadline.name}": deadline.later,
            f"past.{deadline.name}": deadline.is_past,
        }
    shared = assessment.sharing
    values["shared"] = shared.limit.value if shared else NOT_SHARED
    if shared:
        values["shared.weeks"] = shared.weeks
        values["shared.left_weeks"] = shared.left_weeks
        values["shared.covers_all"] = shared.covers_all
    values["together"] = [
        "+".join(law.value for law in one.laws) for one in assessment.together if one.laws
    ]
    values["headline"] = assessment.headline
    values["remarks"] = sorted(one.provision.id for one in assessment.remarks)
    values["late"] = is_late(request)
    values["warnings"] = float(len(assessment.warnings))
    values["asked_weeks"] = assessment.asked_weeks
    return values


def _is_rule(name: str) -> bool:
    law, dot, _ = name.partition(".")
    return bool(dot) and law in ("fmla", "cfra", "pdl")


def _is_standing(name: str) -> bool:
    return name in ("fmla", "cfra", "pdl")


def _amounts(scenario: Scenario) -> int:
    return sum(not _is_rule(name) and not _is_standing(name) for name in scenario.expected)


def _same(expected: object, actual: object) -> bool:
    if isinstance(expected, date) or isinstance(actual, bool) or isinstance(expected, bool):
        return expected == actual
    if isinstance(expected, int | float) and isinstance(actual, int | float):
        return abs(expected - actual) <= CLOSE
    return expected == actual
