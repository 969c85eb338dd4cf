"""What scripts rely on: exit codes, one line of JSON, results on stdout, the rest on stderr."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).parents[3] / "shared" / "data" / "resale"
NOWHERE = "postgresql://nobody:secret@127.0.0.1:1/x"


def refuse(constant: str) -> None:
    raise ValueError(constant)


def only_line(stdout: str) -> Any:
    """The one line of JSON, without NaN or Infinity."""
    [line] = stdout.splitlines()
    return json.loads(line, parse_constant=refuse)


def one_line(stderr: str) -> str:
    [line] = stderr.splitlines()
    assert line.startswith("whence: ")
    return line


def test_import_says_what_it_did_and_refused(shell: Any, tmp_path: Path) -> None:
    path = tmp_path / "items.csv"
    path.write_text("id,title,price\nA,Lamp,5\nB,,6\nC,[red]Vase[/red],1e9999\n", encoding="utf-8")
    process = shell.run("import", "resale.items", path)
    assert process.returncode == 0, process.stderr
    assert "resale.items: " in process.stdout
    assert "line 3" in process.stdout
    again = only_line(shell.run("import", "resale.items", path, "--json").stdout)
    assert again["added"] == 0
    assert again["refused"][0]["line"] == 3
    assert all(refusal["reason"] for refusal in again["refused"])


def test_an_import_of_a_file_without_columns_says_nothing_of_columns(
    shell: Any, tmp_path: Path
) -> None:
    path = tmp_path / "requests.jsonl"
    path.write_text('{"id": "LR-1", "title": "Leave"}\n', encoding="utf-8")
    process = shell.run("import", "leave.requests", path)
    assert process.stdout == "leave.requests: 1 added, 0 updated, 0 unchanged, 0 refused\n"


def test_a_folder_is_imported_file_by_file_and_nothing_is_left_out_silently(
    shell: Any, tmp_path: Path
) -> None:
    folder = tmp_path / "exports"
    folder.mkdir()
    (folder / "a.csv").write_text("id,title\nFolder-A,Lamp\n", encoding="utf-8")
    (folder / "b.csv").write_text("colour\nred\n", encoding="utf-8")
    (folder / ".hidden.csv").write_text("id,title\nFolder-B,Vase\n", encoding="utf-8")
    (folder / "older").mkdir()
    process = shell.run("import", "resale.items", folder)
    assert process.returncode == 1
    assert "Left out: 1 subfolder, 1 hidden file (.hidden.csv, older)." in process.stdout
    listed = shell.run("import", "resale.items", folder, "--json")
    assert listed.returncode == 1
    results = [json.loads(line) for line in listed.stdout.splitlines()]
    assert [(each["file"], each["result"]) for each in results] == [
        ("a.csv", "imported"),
        ("b.csv", "failed"),
        (".hidden.csv", "left out"),
        ("older", "left out"),
    ]
    assert "No column holds the title" in results[1]["error"]
    assert [each["reason"] for each in results[2:]] == ["hidden", "subfolder"]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("import", "resale.items", "missing.csv"), "There is no file"),
        (("import", "resale.items", "{empty}"), "There is no file in the folder"),
        (("import", "resale.nothing", "{garbage}"), "There is no import"),
        (("import", "resale.items", "{garbage}"), "its encoding cannot be told"),
        (("research", "items"), "Write KIND/ID"),
        (("research", "items/nope"), "There is no item 'nope'. Give the id that its import"),
        (("compare", "items/nope"), "`whence list items` lists"),
        (("erase", "person", "nobody@example.org", "--dry-run"), "`whence account list` shows"),
        (("erase", "record", "things/1", "--dry-run"), "there are items, leave-requests, person"),
        (("jobs", "show", "abc"), "'abc' is no id of a job; `whence jobs list` shows them"),
        (("schedules", "pause", "abc"), "no id of a schedule; `whence schedules list` shows"),
        (("schedules", "add", "T", "--payload", "x", "--every", "6h"), "--payload is not JSON"),
        (("research", "things/1"), "There is no subject kind"),
        (("eval", "resale.nothing"), "There is no evaluation"),
        (("eval", "resale.relevance"), "add --data DIR"),
        (("eval", "resale.relevance", "--data", "nowhere"), "There is no folder"),
        (("eval", "resale.relevance", "--data", "."), "no such file"),
    ],
)
def test_what_a_caller_can_correct_ends_with_2_and_one_line(
    shell: Any, tmp_path: Path, words: tuple[str, ...], reason: str
) -> None:
    garbage = tmp_path / "garbage.csv"
    garbage.write_bytes(b'"\x00\xff;\n\x81\n' * 50)
    empty = tmp_path / "empty"
    empty.mkdir()
    process = shell.run(*(word.format(garbage=garbage, empty=empty) for word in words))
    assert process.returncode == 2, process.stderr
    assert reason in one_line(process.stderr)
    assert process.stdout == ""


def test_research_prints_progress_on_stderr_and_the_dossier_on_stdout(shell: Any) -> None:
    shell.sample()
    process = shell.run("research", "items/BP-230", "--json", "--priority", "high")
    assert process.returncode == 0, process.stderr
    dossier = only_line(process.stdout)
    assert dossier["body"]["price"]["target"]["amount"] > 0
    assert dossier["evidence"]
    assert "persist_results" in process.stderr
    shown = shell.run("research", "items/BP-230")
    assert "What it is" in shown.stdout
    assert "load_context" not in shown.stdout


def test_a_wrong_priority_is_a_usage_error(shell: Any) -> None:
    assert shell.run("research", "items/X", "--priority", "urgent").returncode == 2


@pytest.mark.skipif(not DATA.is_dir(), reason="the labelled data is not beside the repository")
def test_an_evaluation_prints_flat_figures_as_its_last_line(
    shell_without_database: Callable[..., Any],
) -> None:
    words = ("eval", "resale.relevance", "--data", DATA / "wdc_cameras", "--json")
    process = shell_without_database().run(*words)
    assert process.returncode == 0, process.stderr
    figures = json.loads(process.stdout.splitlines()[-1], parse_constant=refuse)
    shares = {"f1", "f1_without_exclusions", "precision", "recall", "calibration_error"}
    assert set(figures) == {*shares, "threshold", "n"}
    assert all(isinstance(value, int | float) for value in figures.values())


def test_doctor_says_what_works_and_what_to_set(shell: Any) -> None:
    process = shell.run("doctor", "--json")
    assert process.returncode == 0, process.stderr
    checks = {check["name"]: check for check in only_line(process.stdout)["checks"]}
    assert checks["database"]["works"]
    assert checks["model"]["setting"] == "WHENCE_MODEL"
    assert checks["source eBay"]["setting"] == "WHENCE_RESALE_EBAY_CLIENT_ID"
    assert checks["barcodes"]["works"]
    assert "prices" not in checks


def test_doctor_names_a_price_table_that_cannot_be_read(shell: Any) -> None:
    (Path(shell.env["WHENCE_HOME"]) / "prices.toml").write_text("[openai]")
    checks = only_line(shell.run("doctor", "--json").stdout)["checks"]
    [prices] = [check for check in checks if check["name"] == "prices"]
    assert not prices["works"]
    assert "prices.toml is not a price table" in prices["detail"]


@pytest.mark.parametrize(
    ("env", "setting"),
    [
        ({"WHENCE_DATABASE_URL": NOWHERE}, "WHENCE_DATABASE_URL"),
        ({"WHENCE_DATABASE_URL": "garbage"}, "WHENCE_DATABASE_URL"),
    ],
)
def test_a_database_that_cannot_be_reached_is_named_with_its_fix(
    shell_without_database: Callable[..., Any], env: dict[str, str], setting: str
) -> None:
    shell = shell_without_database(**env)
    process = shell.run("doctor", "--json")
    assert process.returncode == 1
    first = only_line(process.stdout)["checks"][0]
    assert not first["works"]
    assert setting in first["detail"]
    assert "secret" not in process.stdout
    other = shell.run("research", "items/x")
    assert other.returncode == 1
    assert setting in one_line(other.stderr)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("WHENCE_PORT", "abc"),
        ("WHENCE_LOG_LEVEL", "loud"),
        ("WHENCE_RESALE_EBAY_MARKETPLACE", "xx"),
        ("WHENCE_MODEL", "nobody:none"),
    ],
)
def test_a_setting_that_is_wrong_is_named_in_one_line(shell: Any, name: str, value: str) -> None:
    process = shell.run("research", "items/x", **{name: value})
    assert process.returncode in (1, 2)
    assert name in one_line(process.stderr)


def test_a_misspelt_setting_is_told_with_the_right_name_and_without_its_value(shell: Any) -> None:
    wrong = {"WHENCE_ACOUNTS": "value-4711", "WHENCE_RESALE_EBAY_CLIENT_SECRETS": "value-4712"}
    completed = shell.run("doctor", "--json", **wrong)
    messages = [
        check for check in only_line(completed.stdout)["checks"] if check["name"] == "settings"
    ]
    assert {check["setting"] for check in messages} == {
        "WHENCE_ACCOUNTS",
        "WHENCE_RESALE_EBAY_CLIENT_SECRET",
    }
    process = shell.start("worker", **wrong)
    lines: list[str] = []
    while "Working" not in "".join(lines):
        lines.append(process.stderr.readline())
        assert lines[-1], "the worker ended"
    process.terminate()
    rest = process.communicate(timeout=60)[1]
    warned = "".join(lines) + rest
    assert warned.count("WHENCE_ACOUNTS") == 1
    assert "value-47" not in completed.stdout + completed.stderr + warned


def test_packs_are_listed(shell_without_database: Callable[..., Any]) -> None:
    process = shell_without_database().run("pack", "list")
    assert process.returncode == 0
    assert "resale" in process.stdout


def test_a_token_is_shown_once_listed_without_its_secret_and_revoked(shell: Any) -> None:
    made = shell.run("token", "create", "[red]CI[/red]", "--scope", "read")
    secret = made.stdout.strip()
    listed = shell.run("token", "list").stdout
    assert "[red]CI[/red]" in listed
    assert secret not in listed
    [ident] = {word for word in listed.split() if len(word) == 36 and word.count("-") == 4}
    shell.run("token", "create", "another")
    tokens = json.loads(shell.run("token", "list", "--json").stdout)["tokens"]
    assert {token["name"] for token in tokens} == {"[red]CI[/red]", "another"}
    assert "No token's id begins with 'x'" in shell.run("token", "revoke", "x").stderr
    one, other = (token["id"] for token in tokens)
    common = one[: next(at for at, (a, b) in enumerate(zip(one, other, strict=True)) if a != b)]
    refused = shell.run("token", "revoke", common)
    assert (refused.returncode, "2 tokens" in refused.stderr) == (2, True)
    assert shell.run("token", "revoke", ident[: len(common) + 1]).returncode == 0
    tokens = json.loads(shell.run("token", "list", "--json").stdout)["tokens"]
    assert [token["name"] for token in tokens if token["revokedAt"]] == ["[red]CI[/red]"]


def test_a_record_is_shown_before_and_after_its_research(shell: Any) -> None:
    shell.sample()
    before = shell.run("show", "items/BP-230")
    assert before.returncode == 0, before.stderr
    assert "whence research items/BP-230" in before.stdout
    assert shell.run("research", "items/BP-230").returncode == 0
    after = shell.run("show", "items/BP-230")
    shown = json.loads(shell.run("show", "items/BP-230", "--json").stdout)
    assert shown["record"]["externalId"] == "BP-230"
    assert shown["dossier"]["body"]["price"]
    assert shown["evidence"]
    assert shown["record"]["title"] in after.stdout
    assert "Not researched yet" not in after.stdout
