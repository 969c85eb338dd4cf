"""The flows of all packs, and which version of each does new work.

A flow has one primary version, and may have candidates beside it.  `WHENCE_ROLLOUT` is a list,
separated by commas, of

    items/research=shadow:2           the primary does the work, version 2 runs beside it
    items/research=candidate:2        version 2 does the work; where it fails, the primary does
    items/research=candidate:2@10%    the same for a tenth of the records
    items/research=primary            as without the entry
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from whence.evidence.lanes import LaneName
from whence.kernel.errors import Invalid, Misconfigured
from whence.research.flow import Flow


class Flows(Mapping[tuple[str, str], Flow]):
    """By subject kind and flow id: the primary version; `version` finds the candidates as well."""

    def __init__(self, primaries: Iterable[Flow] = (), candidates: Iterable[Flow] = ()) -> None:
        """Raises Misconfigured for a version that is declared twice and a candidate of nothing."""
        self._primaries: dict[tuple[str, str], Flow] = {}
        self._versions: dict[tuple[str, str, str], Flow] = {}
        for flow in primaries:
            if (flow.kind, flow.id) in self._primaries:
                raise Misconfigured(
                    f"The flow {_name((flow.kind, flow.id))} has two primary versions; "
                    "declare the other one under `candidates`."
                )
            self._primaries[flow.kind, flow.id] = flow
            self._add(flow)
        for flow in candidates:
            if (flow.kind, flow.id) not in self._primaries:
                raise Misconfigured(
                    f"The candidate {_name((flow.kind, flow.id))} has no primary version."
                )
            self._add(flow)

    def _add(self, flow: Flow) -> None:
        key = (flow.kind, flow.id, flow.version)
        if key in self._versions:
            raise Misconfigured(
                f"The version {flow.version} of {_name((flow.kind, flow.id))} is declared twice; "
                "give a candidate a version of its own."
            )
        self._versions[key] = flow

    def __getitem__(self, key: tuple[str, str]) -> Flow:
        return self._primaries[key]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._primaries)

    def __len__(self) -> int:
        return len(self._primaries)

    def version(self, kind: str, flow_id: str, version: str) -> Flow | None:
        """The flow in exactly this version, primary or candidate."""
        return self._versions.get((kind, flow_id, version))

    def behind(self, kind: str, flow_id: str, version: str) -> Flow | None:
        """The primary version behind a candidate; None for a version that is no candidate."""
        primary = self._primaries.get((kind, flow_id))
        flow = self.version(kind, flow_id, version)
        return primary if flow is not None and flow is not primary else None

    def candidates(self, kind: str, flow_id: str) -> list[Flow]:
        """The versions beside the primary one, in the order they were declared."""
        primary = self._primaries.get((kind, flow_id))
        return [
            flow
            for (of_kind, name, _), flow in self._versions.items()
            if (of_kind, name) == (kind, flow_id) and flow is not primary
        ]


_ENTRY = re.compile(
    r"(?P<kind>[^/=\s]+)/(?P<flow>[^/=\s]+)=(?P<mode>[a-z]+)"
    r"(?::(?P<version>[^@\s]+)(?:@(?P<percent>\d{1,3}(?:\.\d{1,2})?)%)?)?"
)
_PARTS = 10_000
"""Shares of records that are told apart: hundredths of a percent."""


class Mode(StrEnum):
    PRIMARY = "primary"
    SHADOW = "shadow"
    CANDIDATE = "candidate"


class WrongRollout(Misconfigured):
    """WHENCE_ROLLOUT is not valid; write entries such as `items/research=shadow:2`."""


@dataclass(frozen=True)
class Route:
    """How the new work of one flow is done: with `version` in `mode`, for `percent` of records."""

    mode: Mode
    version: str
    percent: float = 100.0

    def takes(self, subject_id: UUID) -> bool:
        """Whether a record is among them: always the same ones, and a higher share adds more."""
        digest = hashlib.sha256(f"{self.version}:{subject_id}".encode()).digest()
        return int.from_bytes(digest[:8]) % _PARTS < self.percent / 100 * _PARTS


Rollout = Mapping[tuple[str, str], Route]
"""By subject kind and flow id; a flow that is not in it is done by its primary version."""


@dataclass(frozen=True)
class Work:
    """What a request comes to: a version and its lane, and what runs beside it in the shadow."""

    flow: Flow
    lane: LaneName = LaneName.PRIMARY
    beside: Flow | None = None


def parse(setting: str | None, flows: Flows) -> Rollout:
    """Read `WHENCE_ROLLOUT`; raises WrongRollout naming the entry and what would be right."""
    routes: dict[tuple[str, str], Route] = {}
    entries = [entry.strip() for entry in (setting or "").split(",")]
    for entry in filter(None, entries):
        match = _ENTRY.fullmatch(entry)
        if match is None:
            raise _wrong(entry, "write KIND/FLOW=MODE:VERSION, as items/research=shadow:2")
        key = (match["kind"], match["flow"])
        if key in routes:
            raise _wrong(entry, "this flow has an entry already; keep one of them")
        if key not in flows:
            raise _wrong(entry, f"there is no such flow; there are {_flows(flows)}")
        routes[key] = _route(entry, match, flows, key)
    return {key: route for key, route in routes.items() if route.mode is not Mode.PRIMARY}


def _route(entry: str, match: re.Match[str], flows: Flows, key: tuple[str, str]) -> Route:
    if match["mode"] not in set(Mode):
        raise _wrong(entry, f"the mode is one of {', '.join(Mode)}")
    mode, version, percent = Mode(match["mode"]), match["version"], float(match["percent"] or 100)
    if mode is Mode.PRIMARY:
        if version is not None:
            raise _wrong(entry, "the primary version is the pack's own; write no version")
        return Route(mode, flows[key].version)
    offered = [flow.version for flow in flows.candidates(*key)]
    if version not in offered:
        there = ", ".join(offered) or "none: a pack declares them under `candidates`"
        raise _wrong(entry, f"name a candidate version; there are {there}")
    if not 0 < percent <= 100:
        raise _wrong(entry, "the share is above 0% and at most 100%")
    return Route(mode, version, percent)


def route(
    flows: Flows,
    rollout: Rollout,
    primary: Flow,
    subject_id: UUID,
    *,
    version: str | None = None,
    lane: LaneName | None = None,
) -> Work:
    """What to run for a request; a `version` or `lane` asked for goes before the rollout.

    Raises Invalid for a version that the pack does not offer.
    """
    key = (primary.kind, primary.id)
    candidates = flows.candidates(*key)
    if version is not None:
        candidate_flow = flows.version(*key, version)
        if candidate_flow is None:
            offered = ", ".join([primary.version, *(flow.version for flow in candidates)])
            raise Invalid(f"There is no version '{version}' of {_name(key)}; there are {offered}.")
        return Work(candidate_flow, lane or LaneName.PRIMARY)
    if lane is LaneName.SHADOW:
        if len(candidates) != 1:
            offered = ", ".join(flow.version for flow in candidates) or "no candidates"
            raise Invalid(f"Name the version to run in the shadow; there are {offered}.")
        return Work(candidates[0], lane)
    entry = rollout.get(key)
    if lane is LaneName.PRIMARY or entry is None or not entry.takes(subject_id):
        return Work(primary)
    candidate = flows.version(*key, entry.version)
    if entry.mode is Mode.SHADOW:
        return Work(primary, beside=candidate)
    return Work(candidate or primary)


def _wrong(entry: str, fix: str) -> WrongRollout:
    return WrongRollout(f"WHENCE_ROLLOUT: '{entry}' is not valid: {fix}.")


def _flows(flows: Flows) -> str:
    return ", ".join(sorted(_name(key) for key in flows)) or "none"


def _name(key: tuple[str, str]) -> str:
    return "/".join(key)
