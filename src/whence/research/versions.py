"""The flows of all packs: one primary version of each, and candidate versions beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from whence.kernel.errors import Misconfigured
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
                    f"The flow {_name(flow)} has two primary versions; "
                    "declare the other one under `candidates`."
                )
            self._primaries[flow.kind, flow.id] = flow
            self._add(flow)
        for flow in candidates:
            if (flow.kind, flow.id) not in self._primaries:
                raise Misconfigured(f"The candidate {_name(flow)} has no primary version.")
            self._add(flow)

    def _add(self, flow: Flow) -> None:
        key = (flow.kind, flow.id, flow.version)
        if key in self._versions:
            raise Misconfigured(
                f"The version {flow.version} of {_name(flow)} is declared twice; "
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
        found = self.version(kind, flow_id, version)
        return primary if found is not None and found is not primary else None

    def candidates(self, kind: str, flow_id: str) -> list[Flow]:
        """The versions beside the primary one, in the order they were declared."""
        primary = self._primaries.get((kind, flow_id))
        return [
            flow
            for (of_kind, name, _), flow in self._versions.items()
            if (of_kind, name) == (kind, flow_id) and flow is not primary
        ]


def _name(flow: Flow) -> str:
    return f"{flow.kind}/{flow.id}"
