"""An import that another request for the same file ends first."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from whence.kernel.errors import Invalid
from whence.records.imports.importer import Batch, ImportContext
from whence.records.imports.running import import_file

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("status", ["failed", "done"])
async def test_it_answers_as_the_other_one_ended(
    platform: Any, tmp_path: Path, status: str
) -> None:
    notes = replace(platform.importer("sample_pack.notes"), batch_rows=1)
    context = ImportContext(platform.owner, platform.db, platform.settings)
    file = tmp_path / "notes.csv"
    file.write_text("id,title\nn1,One\nn2,Two\n")

    async def write(batch: Batch[Any]) -> None:
        await notes.write(batch)
        ending = "UPDATE whence.imports SET status = :status, error = :error"
        error = "No column holds the title." if status == "failed" else None
        await batch.session.execute(text(ending), {"status": status, "error": error})

    importing = import_file(context, replace(notes, write=write), file)
    if status == "failed":
        with pytest.raises(Invalid, match="No column holds the title"):
            await importing
    else:
        assert (await importing).added == 1
