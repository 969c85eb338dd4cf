"""leave.eligibility: the shipped scenarios are found right, and a wrong one would be told."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from whence.packs.leave.eligibility.judging import Result
from whence.packs.leave.evals import SCENARIOS
from whence.packs.leave.evals.eligibility import eligibility
from whence.packs.leave.evals.scenarios import read_scenarios
from whence.sdk.errors import Invalid

LEAST_SCENARIOS = 80


def test_every_written_scenario_is_found_right() -> None:
    report = eligibility(SCENARIOS)
    assert [str(one) for one in report.wrong] == []
    assert report.scenarios >= LEAST_SCENARIOS
    assert report.figures()["wrong"] == 0


def test_every_rule_is_seen_met_not_met_and_unknown() -> None:
    results: dict[str, set[object]] = {}
    for scenario in read_scenarios(SCENARIOS):
        for name, value in scenario.expected.items():
            if name.split(".")[0] in ("fmla", "cfra", "pdl") and "." in name:
                results.setdefault(name, set()).add(value)
    plain = set(Result) - {Result.MET_LATER}
    few = {name for name, values in results.items() if not plain <= values}
    assert few == {
        "cfra.federal",  # held only against federal employers, whom it never binds
        "pdl.federal",
    }
    assert {name for name, values in results.items() if Result.MET_LATER in values} >= {
        "fmla.employer",
        "fmla.worksite",
        "fmla.tenure",
        "fmla.bonding_year",
        "cfra.tenure",
        "cfra.bonding_year",
    }


@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [
        ("fmla.toml", 'met_later = ["cfra.tenure"]\nl', 'met = ["cfra.tenure"]\nl'),
        ("entitlement.toml", '"leave.fmla.left_weeks" = 8.0', '"leave.fmla.left_weeks" = 8.2'),
        ("dates.toml", '"late" = true', '"late" = false'),
        ("family.toml", 'not_met = ["fmla.family"]', 'gone = ["fmla.family"]'),
    ],
)
def test_a_wrong_expectation_is_counted(tmp_path: Path, file: str, right: str, wrong: str) -> None:
    folder = tmp_path / "scenarios"
    shutil.copytree(SCENARIOS, folder)
    text = (folder / file).read_text(encoding="utf-8")
    assert right in text
    (folder / file).write_text(text.replace(right, wrong, 1), encoding="utf-8")
    assert len(eligibility(folder).wrong) >= 1


def test_a_scenario_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    shutil.copy(SCENARIOS / "bases.toml", tmp_path)
    bad = '[[scenario]]\nname = "No base"\nbase = "none"\n'
    (tmp_path / "more.toml").write_text(bad, encoding="utf-8")
    with pytest.raises(Invalid, match="'No base' has no base 'none'"):
        eligibility(tmp_path)
