"""Variables that look like settings but have no effect: misspelt, or from another version."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from whence.kernel.settings import Settings

PREFIX = "WHENCE_"
OF_TESTS = ("WHENCE_TEST_", "WHENCE_FAULTS_")
"""What whence's own tests read, and hand on to the programs that they start."""
NEAR = 0.75
"""Minimum similarity (difflib's ratio, 0 to 1) for a suggestion: one or two letters of a usual
name differ; `WHENCE_` alone makes any two names more than a third similar."""


@dataclass(frozen=True)
class UnknownSetting:
    """A variable that nothing reads, never with its value; `nearest` is a likely correction."""

    name: str
    nearest: str | None

    def __str__(self) -> str:
        suggestion = f"; did you mean {self.nearest}?" if self.nearest else ""
        return f"{self.name} is set, and is no setting{suggestion}"


def unknown_settings(
    names: Iterable[str], of_packs: Mapping[str, Collection[str]]
) -> Sequence[UnknownSetting]:
    """Those of the environment's `names` that neither whence nor a pack reads, by name.

    `of_packs`: the variables of each pack by its id; a pack that names none may read any with its
    prefix.  Capital letters do not count, as when settings are read.
    """
    defined = {f"{PREFIX}{field}".upper() for field in Settings.model_fields}
    defined |= {variable.upper() for variables in of_packs.values() for variable in variables}
    free = tuple(
        f"{PREFIX}{pack}_".upper() for pack, variables in of_packs.items() if not variables
    )
    unknown: list[UnknownSetting] = []
    for name in sorted(names):
        upper = name.upper()
        if not upper.startswith(PREFIX) or upper in defined or upper.startswith((*OF_TESTS, *free)):
            continue
        near = difflib.get_close_matches(upper, sorted(defined), n=1, cutoff=NEAR)
        unknown.append(UnknownSetting(name, near[0] if near else None))
    return unknown
