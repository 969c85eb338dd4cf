"""Files of records: whoever may only read changes none of them, whichever way leads here."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from typing import Any

import pytest
from PIL import Image

from whence.app.platform import Platform
from whence.kernel.errors import Forbidden
from whence.records import attachments, store
from whence.tenancy.principal import Role

pytestmark = pytest.mark.anyio


async def test_who_may_only_read_attaches_and_detaches_nothing(
    platform: Platform, new_principal: Any
) -> None:
    kind, owner = platform.kind("items"), platform.owner
    viewer = new_principal(Role.VIEWER, owner.org_id)
    out = io.BytesIO()
    Image.new("RGB", (64, 48), "teal").save(out, "PNG")
    async with platform.unit(owner) as session:
        row = await store.create(session, owner, kind, kind.record(title="A lamp"))
        async with platform.files.spool.receive(parts_of(out.getvalue())) as file:
            row, digest = await attachments.attach(
                session, owner, kind, row, platform.files, "a.png", file
            )
            with pytest.raises(Forbidden, match="You can read here"):
                await attachments.attach(session, viewer, kind, row, platform.files, "b.png", file)
        with pytest.raises(Forbidden, match="You can read here"):
            await attachments.detach(session, viewer, kind, row, digest)
        with pytest.raises(Forbidden, match="You can read here"):
            await attachments.change(session, viewer, kind, row, digest, name="mine.png")
        assert attachments.find(kind, row, digest).name == "a.png"


async def parts_of(content: bytes) -> AsyncIterator[bytes]:
    yield content
