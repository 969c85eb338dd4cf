"""What if: a request with other facts, held against the same rules; nothing is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from whence.packs.leave.records import Law, LeaveRequest
from whence.sdk.errors import Invalid

from .assessing import LawAssessment
from .judging import RuleResult
from .overview import Overview, overview


@dataclass(frozen=True)
class RuleChange:
    """A rule that finds something else on the supposed facts."""

    before: RuleResult | None
    """None where the rule did not apply before."""
    after: RuleResult


@dataclass(frozen=True)
class Supposed:
    """What the rules say as it is, and as it would be."""

    before: Overview
    after: Overview

    def changed_rules(self) -> list[RuleChange]:
        """Rules whose result or whose fact is another one, in the order of the rules."""
        earlier = {one.rule.id: one for law in self.before.assessed for one in law.results}
        return [
            RuleChange(earlier.get(one.rule.id), one)
            for law in self.after.assessed
            for one in law.results
            if (old := earlier.get(one.rule.id)) is None
            or (old.result, old.actual) != (one.result, one.actual)
        ]

    def laws(self) -> list[tuple[LawAssessment, LawAssessment]]:
        """Each law as it stands and as it would."""
        return [(self.before.under(law), self.after.under(law)) for law in Law]


def suppose(request: LeaveRequest, changes: Mapping[str, Any]) -> Supposed:
    """Hold the request against the rules as it is, and with the changes (fields by name).

    Raises:
        Invalid: the changed request would not be one; says which field is wrong.
    """
    try:
        supposed_request = LeaveRequest.model_validate({**dict(request), **changes})
    except ValidationError as problem:
        first = problem.errors(include_url=False, include_context=False)[0]
        where = ".".join(map(str, first["loc"])) or "the request"
        raise Invalid(f"That cannot be supposed: {where}: {first['msg']}.") from problem
    return Supposed(overview(request), overview(supposed_request))
