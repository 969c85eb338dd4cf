"""docs/leave.md says what the rule data says."""

from __future__ import annotations

from pathlib import Path

from whence.packs.leave.eligibility.book import BASES
from whence.packs.leave.eligibility.documenting import MARKS, documented
from whence.packs.leave.eligibility.editions import editions
from whence.packs.leave.evals import SCENARIOS
from whence.packs.leave.evals.eligibility import eligibility
from whence.packs.leave.wizard.definition import REQUEST

PAGE = Path(__file__).parents[3] / "docs" / "leave.md"
WRITE = "run: python scripts/write_leave_tables.py docs/leave.md"


def test_the_tables_are_those_of_the_rule_data() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert documented(text, editions()) == text, WRITE


def test_every_table_has_its_place() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name in MARKS:
        assert text.count(f"<!-- {name} -->") == text.count(f"<!-- /{name} -->") == 1


def test_a_change_of_the_data_changes_the_page() -> None:
    result = editions()
    [first, *rest] = result.statutes
    rules = (first.rule[0].model_copy(update={"needed": "another need"}), *first.rule[1:])
    changed = type(result)(
        [first.model_copy(update={"rule": rules}), *rest], result.provisions, result.sources
    )
    text = PAGE.read_text(encoding="utf-8")
    assert "another need" in documented(text, changed)


def test_the_figures_of_the_evaluation_are_those_that_are_measured() -> None:
    result = eligibility(SCENARIOS)
    counts = (result.scenarios, result.rules, result.standings, result.amounts, len(result.wrong))
    row = f"| {' | '.join(f'{count:,}' for count in counts)} |"
    assert row in PAGE.read_text(encoding="utf-8")


def test_it_explains_every_way_of_checking_and_every_question() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert all(words.removeprefix("checked ") in text for words in BASES.values())
    assert all(f"`{step.id}`" in text for step in REQUEST.steps if not step.id.startswith("earl"))
