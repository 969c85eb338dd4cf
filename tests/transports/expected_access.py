"""Who may call what, as a person wrote it down in `expected_access.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_suffix(".toml")
FIX = "Write the rule of each down in tests/transports/expected_access.toml, by hand: "


@cache
def written_rules() -> Mapping[str, str]:
    """`GET /api/members` or `/chat stop` → the rule; `{kind}` stands for every kind of record."""
    groups = tomllib.loads(FILE.read_text())
    return {call: rule for group in groups.values() for call, rule in group.items()}


def general(method: str, path: str, kinds: Iterable[str]) -> str:
    """The call as the table names it: a kind's own name gives way to `{kind}`."""
    call = f"{method.upper()} {path}"
    if call in written_rules():
        return call
    for kind in kinds:
        prefix = f"/api/{kind}"
        if path == prefix or path.startswith(f"{prefix}/"):
            return f"{method.upper()} /api/{{kind}}{path.removeprefix(prefix)}"
    return call


def rule_of(method: str, path: str, kinds: Iterable[str]) -> str:
    """The rule of one call; fails, with the fix, where nobody wrote one down."""
    call = general(method, path, kinds)
    assert call in written_rules(), FIX + call
    return written_rules()[call]
