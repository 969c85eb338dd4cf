"""A wizard about a record is begun by any id that the record is found by."""

from __future__ import annotations

from pathlib import Path

import pytest

from whence.app.platform import Platform
from whence.kernel.ids import new_id
from whence.packs.leave.pack import FOLDER
from whence.sdk.imports import ImportContext
from wizards.serving import Form, client_of

pytestmark = pytest.mark.anyio
SAMPLE: Path = FOLDER / "sample" / "requests.jsonl"


async def test_the_id_of_an_import_names_the_record_as_whences_own_does(
    platform: Platform, serve: str
) -> None:
    context = ImportContext(platform.owner, platform.db, platform.settings)
    await platform.importer("leave.requests").run(context, SAMPLE)
    async with client_of(platform, serve) as client:
        form = Form(client, "leave.request")
        begun = await form.begin(subjectId="LR-003")
        own = begun["ui"]["record"]["id"]

        assert begun["step"]["id"] == "need"  # what the leave is for is known
        assert (await form.begin(subjectId=own))["ui"]["record"]["id"] == own
        for unknown in ("LR-999", str(new_id())):
            refused = await client.post(form.runs, json={"subjectId": unknown})
            assert refused.status_code == 404
            assert refused.json()["detail"].startswith("There is no")
