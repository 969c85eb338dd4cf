"""Links lead somewhere, and no page speaks of one particular machine."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

REPOSITORY = Path(__file__).parents[2]
ELSEWHERE = {
    ".venv",
    ".tools",
    ".git",
    "node_modules",
    ".pytest_cache",
    ".hypothesis",
    ".ruff_cache",
}
PAGES = sorted(
    path
    for path in REPOSITORY.rglob("*.md")
    if not ELSEWHERE & set(path.relative_to(REPOSITORY).parts)
)
OF_ONE_MACHINE = re.compile(r"(?<!\w)/(?:work|home|Users|root|tmp|opt)/[\w.-]+")
every_page = pytest.mark.parametrize(
    "path", PAGES, ids=[str(path.relative_to(REPOSITORY)) for path in PAGES]
)


@every_page
def test_relative_links_resolve(path: Path) -> None:
    for target in links(path):
        file, _, anchor = target.partition("#")
        result = (path.parent / unquote(file)).resolve() if file else path

        assert result.exists(), f"{target} leads nowhere"
        if anchor:
            assert anchor in anchors(result), f"{target}: no such heading"


@every_page
def test_no_page_names_a_folder_of_one_machine(path: Path) -> None:
    assert not OF_ONE_MACHINE.findall(path.read_text(encoding="utf-8"))


def test_no_picture_names_a_folder_of_one_machine_or_loads_from_another_site() -> None:
    for picture in (REPOSITORY / "docs" / "images").glob("*.svg"):
        text = picture.read_text(encoding="utf-8")

        assert not OF_ONE_MACHINE.findall(text)
        assert not re.findall(r"(?:href|src|url)\s*[=(]\s*[\"']?https?:", text)


def test_every_decision_is_listed_and_numbered_without_holes() -> None:
    folder = REPOSITORY / "docs" / "adr"
    files = sorted(path.name for path in folder.glob("[0-9]*.md"))
    listed = (folder / "README.md").read_text(encoding="utf-8")

    assert [name[:4] for name in files] == [f"{n:04}" for n in range(1, len(files) + 1)]
    assert all(f"({name})" in listed for name in files)


def links(path: Path) -> list[str]:
    text = re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"`[^`\n]*`", "", text)
    result = re.findall(r"\]\(([^)\s]+)\)", text)
    return [target for target in result if not re.match(r"[a-z]+:", target)]


def anchors(path: Path) -> set[str]:
    """The anchors of a page's headings, as code hosts make them."""
    titles = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}
