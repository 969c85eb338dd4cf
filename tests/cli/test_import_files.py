"""What `whence import` takes from a folder."""

from __future__ import annotations

from pathlib import Path

from whence.cli.import_files import BROKEN, SUBFOLDER, files_at


def test_a_broken_link_is_called_so(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id\n")
    (tmp_path / "b.csv").symlink_to(tmp_path / "missing.csv")
    (tmp_path / "old").mkdir()
    files = files_at(tmp_path)
    assert [path.name for path in files.paths] == ["a.csv"]
    assert [(each.name, each.reason) for each in files.left_out] == [
        ("b.csv", BROKEN),
        ("old", SUBFOLDER),
    ]
    assert files.left_out_in_words == (
        "Left out: 1 subfolder, 1 broken link (b.csv, old). Import a subfolder by its own path."
    )
