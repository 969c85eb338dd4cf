"""Models, sources and spending: tested against local servers, and what is kept and erased."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

import pytest
from playwright.async_api import Page, expect

from whence.app.platform import Platform
from whence.kernel.settings import Settings
from whence.tenancy.principal import Role

pytestmark = pytest.mark.anyio
KEY = "sk-local-0123456789"


@dataclass
class Elsewhere:
    """A local server in the place of a model provider and of a catalogue."""

    url: str = ""
    status: int = 200
    content: str = '{"word": "ready"}'
    delay: float = 0
    asked: list[str] = field(default_factory=list[str])


@pytest.fixture
def elsewhere() -> Iterator[Elsewhere]:
    state = Elsewhere()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            state.asked.append(self.path)
            self._send({"code": "OK", "total": 0, "items": []})

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            state.asked.append(self.path)
            message = {"role": "assistant", "content": state.content}
            usage = {"prompt_tokens": 40, "completion_tokens": 6, "total_tokens": 46}
            choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
            answer = {"id": "1", "object": "chat.completion", "created": 1, "model": "m"}
            stopped.wait(state.delay)
            self._send({**answer, "choices": choices, "usage": usage})

        def _send(self, body: object) -> None:
            data = json.dumps(body if state.status == 200 else {"error": {"message": "No."}})
            try:
                self.send_response(state.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data.encode())
            except (BrokenPipeError, ConnectionResetError):
                pass

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    stopped = Event()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_address[1]}"
    Thread(target=server.serve_forever, daemon=True).start()
    yield state
    stopped.set()
    server.shutdown()
    server.server_close()


@pytest.fixture
def settings(settings: Settings, elsewhere: Elsewhere, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("WHENCE_RESALE_UPCITEMDB", "true")
    monkeypatch.setenv("WHENCE_RESALE_UPCITEMDB_BASE_URL", elsewhere.url)
    return settings.model_copy(
        update={
            "model": "openai:gpt-4.1-mini",
            "model_base_url": f"{elsewhere.url}/v1",
            "model_timeout": 3.0,
        }
    )


async def test_a_test_call_names_each_failure_and_what_it_cost(
    page: Page, elsewhere: Elsewhere
) -> None:
    await page.goto("/settings/models")
    text = page.locator("section").filter(has=page.get_by_role("heading", name="Text"))
    await expect(text).to_contain_text("present in OPENAI_API_KEY")
    assert KEY not in await page.content()
    call = text.get_by_role("button", name="Test call")
    result = text.get_by_role("status")

    await call.click()
    await expect(result).to_contain_text("It answers", timeout=60_000)
    await expect(result).to_contain_text("46 tokens")
    for status, content, delay, expected in (
        (401, "", 0.0, "Key refused"),
        (429, "", 0.0, "Rate limit"),
        (200, "Good morning!", 0.0, "Nonsense"),
        (200, "", 60.0, "Timeout"),
    ):
        elsewhere.status, elsewhere.content, elsewhere.delay = status, content, delay
        await call.click()
        await expect(result).to_contain_text(expected, timeout=30_000)
    assert len(elsewhere.asked) == 5  # once each: a test is not tried again

    await page.goto("/settings/spending")
    purpose = page.locator("section").filter(has=page.get_by_role("heading", name="By purpose"))
    await expect(purpose.get_by_role("row", name="Test calls")).to_be_visible()
    await page.goto("/settings/audit?kind=model")
    await expect(page.get_by_role("listitem", name="Test model")).to_have_count(5)


async def test_a_source_is_tested_and_says_since_when_it_fails(
    page: Page, elsewhere: Elsewhere
) -> None:
    await page.goto("/settings/sources")
    ebay = page.get_by_role("listitem", name="eBay", exact=True)
    await expect(ebay).to_contain_text("Not configured")
    await expect(ebay).to_contain_text("WHENCE_RESALE_EBAY_CLIENT_ID")
    await expect(ebay.get_by_role("button", name="Test")).to_have_count(0)
    catalogue = page.get_by_role("listitem", name="UPCitemdb")
    await expect(catalogue).to_contain_text("Trial: 100 requests a day")
    await catalogue.get_by_role("button", name="Test").click()
    await expect(catalogue.get_by_role("status")).to_contain_text("It answered")
    await expect(catalogue).to_contain_text("1 request today")
    elsewhere.status = 401
    await catalogue.get_by_role("button", name="Test").click()
    await expect(catalogue.get_by_role("status")).to_contain_text("Failed")
    await expect(catalogue).to_contain_text("Failing")
    await expect(catalogue).to_contain_text("since just now")


async def test_fees_name_their_page_and_day(page: Page) -> None:
    await page.goto("/settings")
    await page.get_by_role("link", name="Marketplace fees").click()
    ebay = page.locator("section").filter(has=page.get_by_role("heading", name="eBay", exact=True))
    await expect(ebay).to_contain_text("Read ")
    await expect(ebay.get_by_role("link", name="the page")).to_have_attribute(
        "href", "https://www.ebay.com/help/selling/fees-credits-invoices/selling-fees?id=4822"
    )
    await expect(page.get_by_text("Not confirmed").first).to_be_visible()


async def test_retention_is_read_and_a_persons_data_is_erased_after_a_preview(
    page: Page, platform: Platform, new_principal: Any
) -> None:
    gone = new_principal(Role.MEMBER, platform.owner.org_id)
    await page.goto("/settings/retention")
    kept = page.get_by_role("listitem").filter(has_text="Checkpoints")
    await expect(kept).to_contain_text("7 days after a run ends")
    await expect(kept).to_contain_text("WHENCE_CHECKPOINT_DAYS")
    await page.get_by_role("button", name="Erase data").click()
    await page.get_by_label("E-mail or user id").fill(str(gone.user_id))
    await page.get_by_role("button", name="Count what would go").click()
    await expect(page.get_by_text("would be removed or emptied")).to_be_visible()
    await expect(page.get_by_role("button", name="Erase for good")).to_be_disabled()
    await page.get_by_label("Reason").fill("asked for by letter")
    await page.get_by_role("button", name="Erase for good").click()
    await expect(page.get_by_text("asked for by letter")).to_be_visible()
    await page.goto("/settings/members")
    await expect(page.get_by_text("People (1)")).to_be_visible()
