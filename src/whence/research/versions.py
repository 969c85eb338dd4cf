"""The flows of all packs, and which version of each serves new requests.

A flow has one primary version and may have candidates.  `WHENCE_ROLLOUT` is a comma-separated list
of entries:

    items/research=shadow:2           the primary serves, version 2 runs as its shadow
    items/research=candidate:2        version 2 serves; if it fails, the primary takes over
    items/research=candidate:2@10%    the same for a tenth of the records
    items/research=primary            the same as no entry
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
    """The primary versions by subject kind and flow id; `version` also finds candidates."""

    def __init__(self, primaries: Iterable[Flow] = (), candidates: Iterable[Flow] = ()) -> None:
        """Raises Misconfigured for a version declared twice or a candidate without a primary."""
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
                "give the candidate another version."
            )
        self._versions[key] = flow

    def __getitem__(self, key: tuple[str, str]) -> Flow:
        return self._primaries[key]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._primaries)

    def __len__(self) -> int:
        return len(self._primaries)

    def version(self, kind: str, flow_id: str, version: str) -> Flow | None:
        """The flow in this version, primary or candidate, or None."""
        return self._versions.get((kind, flow_id, version))

    def behind(self, kind: str, flow_id: str, version: str) -> Flow | None:
        """The primary version of a candidate; None if the version is not a candidate."""
        primary = self._primaries.get((kind, flow_id))
        flow = self.version(kind, flow_id, version)
        return primary if flow is not None and flow is not primary else None

    def candidates(self, kind: str, flow_id: str) -> list[Flow]:
        """The candidate versions, in the order of their declaration."""
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
"""Resolution of a record's share: hundredths of a per cent."""


class Mode(StrEnum):
    PRIMARY = "primary"
    SHADOW = "shadow"
    CANDIDATE = "candidate"


class WrongRollout(Misconfigured):
    """WHENCE_ROLLOUT is not valid; write entries such as `items/research=shadow:2`."""


@dataclass(frozen=True)
class Route:
    """The rollout of one flow: `version` in `mode` for `percent` of its records."""

    mode: Mode
    version: str
    percent: float = 100.0

    def takes(self, subject_id: UUID) -> bool:
        """Whether the route covers a record; the same records always, more with a higher share."""
        digest = hashlib.sha256(f"{self.version}:{subject_id}".encode()).digest()
        return int.from_bytes(digest[:8]) % _PARTS < self.percent / 100 * _PARTS


Rollout = Mapping[tuple[str, str], Route]
"""Routes by subject kind and flow id; flows without one use their primary version."""


@dataclass(frozen=True)
class Work:
    """The outcome of routing a request: a version, its lane, and an optional shadow version."""

    flow: Flow
    lane: LaneName = LaneName.PRIMARY
    beside: Flow | None = None


def parse(setting: str | None, flows: Flows) -> Rollout:
    """Parse `WHENCE_ROLLOUT`; raises WrongRollout, which names the entry and the fix."""
    routes: dict[tuple[str, str], Route] = {}
    entries = [entry.strip() for entry in (setting or "").split(",")]
    for entry in filter(None, entries):
        match = _ENTRY.fullmatch(entry)
        if match is None:
            raise _wrong(entry, "write KIND/FLOW=MODE:VERSION, such as items/research=shadow:2")
        key = (match["kind"], match["flow"])
        if key in routes:
            raise _wrong(entry, "this flow has two entries; remove one of them")
        if key not in flows:
            raise _wrong(entry, f"there is no such flow; the flows are {_flows(flows)}")
        routes[key] = _route(entry, match, flows, key)
    return {key: route for key, route in routes.items() if route.mode is not Mode.PRIMARY}


def _route(entry: str, match: re.Match[str], flows: Flows, key: tuple[str, str]) -> Route:
    if match["mode"] not in set(Mode):
        raise _wrong(entry, f"the mode is one of {', '.join(Mode)}")
    mode, version, percent = Mode(match["mode"]), match["version"], float(match["percent"] or 100)
    if mode is Mode.PRIMARY:
        if version is not None:
            raise _wrong(entry, "the pack declares its primary version; write no version")
        return Route(mode, flows[key].version)
    offered = [flow.version for flow in flows.candidates(*key)]
    if version not in offered:
        there = ", ".join(offered) or "none: a pack declares them under `candidates`"
        raise _wrong(entry, f"name a candidate version; the candidates are {there}")
    if not 0 < percent <= 100:
        raise _wrong(entry, "the share must be above 0% and at most 100%")
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
    """Route a request; a requested `version` or `lane` takes precedence over the rollout.

    Raises Invalid for a version that the pack does not declare.
    """
    key = (primary.kind, primary.id)
    candidates = flows.candidates(*key)
    if version is not None:
        candidate_flow = flows.version(*key, version)
        if candidate_flow is None:
            offered = ", ".join([primary.version, *(flow.version for flow in candidates)])
            raise Invalid(
                f"There is no version '{version}' of {_name(key)}; the versions are {offered}."
            )
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
