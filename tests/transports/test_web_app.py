"""The web application as the server sends it: its first page at every address of its own."""

from __future__ import annotations

import gzip
import runpy
from pathlib import Path

import httpx
import pytest

from whence.kernel.settings import Settings

pytestmark = pytest.mark.anyio
GZIP, BROTLI = gzip.compress(b"start()"), b"as the build compressed it"
PAGE = "<!doctype html><title>whence</title>"
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def settings(settings: Settings, tmp_path: Path) -> Settings:
    built = tmp_path / "built"
    (built / "assets").mkdir(parents=True)
    (built / "index.html").write_text(PAGE)
    (built / "assets" / "main-1a2b.js").write_text("start()")
    (built / "assets" / "main-1a2b.js.gz").write_bytes(GZIP)
    (built / "assets" / "main-1a2b.js.br").write_bytes(BROTLI)
    return settings.model_copy(update={"web_dir": built})


@pytest.mark.parametrize("path", ["/", "/records/items/12", "/sign-in", "/accept?token=x", "/any"])
async def test_every_address_of_its_own_is_the_first_page(
    anonymous: httpx.AsyncClient, path: str
) -> None:
    answer = await anonymous.get(path)
    assert (answer.status_code, answer.text) == (200, PAGE)
    assert answer.headers["cache-control"].endswith("must-revalidate")
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    again = await anonymous.get(path, headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.headers["content-security-policy"]) == (304, policy)


async def test_files_with_a_digest_in_their_name_are_kept_and_sent_compressed(
    anonymous: httpx.AsyncClient,
) -> None:
    for accepted, encoding, sent in (
        ("gzip, deflate, br", "br", BROTLI),
        ("gzip", "gzip", GZIP),
        ("identity", None, b"start()"),
    ):
        asked = anonymous.build_request(
            "GET", "/assets/main-1a2b.js", headers={"Accept-Encoding": accepted}
        )
        answer = await anonymous.send(asked, stream=True)
        assert answer.status_code == 200
        assert b"".join([part async for part in answer.aiter_raw()]) == sent
        assert answer.headers.get("content-encoding") == encoding
        assert answer.headers["vary"] == "Accept-Encoding"
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers["content-type"].startswith("text/javascript")


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/nothing", 404),
        ("/api/me", 401),
        ("/healthz", 200),
        ("/openapi.json", 200),
        ("/sign-in?token=unknown", 303),
        ("/assets/main-old.js", 404),
        ("/assets/../../conftest.py", 200),  # normalised to an address of the application's own
    ],
)
async def test_what_belongs_to_the_server_is_not_the_first_page(
    anonymous: httpx.AsyncClient, path: str, status: int
) -> None:
    answer = await anonymous.get(path)
    assert answer.status_code == status
    assert answer.text == PAGE or "<title>whence</title>" not in answer.text


async def test_a_change_is_never_answered_with_a_page(anonymous: httpx.AsyncClient) -> None:
    assert (await anonymous.post("/records/items")).status_code == 404


def test_the_types_of_the_application_are_those_of_the_api() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "write_api_types.py"))
    with script["PLACE"].open(encoding="utf-8") as file:
        first = file.readline()
    assert first == script["head"](script["document"]()), "the API changed: run `make types`"
