"""Guided forms in the browser: the leave request from its first question to its outcome."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

pytestmark = pytest.mark.anyio


def question(page: Page, title: str) -> Locator:
    return page.get_by_role("heading", name=title, level=1)


async def choose(page: Page, *labels: str) -> None:
    for label in labels:
        await page.locator("#page label").get_by_text(label, exact=True).click()


async def go_on(page: Page) -> None:
    await page.get_by_role("button", name="Continue", exact=True).click()


async def begin(page: Page) -> None:
    await page.goto("/wizards")
    await page.get_by_role("button", name="Start: Request leave").click()
    await expect(question(page, "What is the leave for?")).to_be_focused()


FOR_A_PARENT = {
    "How is the other person related to the employee?": [("Relation", "Parent")],
    "Does a health care provider say that the leave is needed?": ["Yes"],
    "When is the leave?": {"First day": "9/7/2026", "Last day, if known": "2026-10-16"},
    "Is the leave in one piece?": ["Continuous"],
    "Does the employee work in California?": ["Yes"],
    "How large is the employer?": ["No", {"Employees in all": "1,200"}],
    "How many employees are near the worksite?": {"Employees within 75 miles": "95"},
    "When was the employee hired?": {"Day of hire": "2021-05-03"},
    "How much does the employee work?": {
        "Hours worked in the 12 months before the leave": "1,620",
        "Normal weekly hours": "32",
    },
    "How does the employer count the 12-month period?": ["Calendar year"],
    "Was such leave taken before?": ["No"],
    "Does a spouse work for the same employer?": ["No"],
    "Could the need be foreseen, and when was the employer told?": ["Not known"],
    "Was a certification asked for?": ["Not asked for"],
}
CARE = "Care for a family member with a serious health condition"


async def answer(page: Page, step: Any) -> None:
    for part in step if isinstance(step, list) else [step]:
        if isinstance(part, str):
            await choose(page, part)
        elif isinstance(part, tuple):
            await page.get_by_role("button", name=part[0]).click()
            await page.get_by_role("option", name=part[1], exact=True).click()
        else:
            for label, text in part.items():
                await page.get_by_label(label).fill(text)


async def answer_until_review(page: Page) -> None:
    await choose(page, CARE)
    await go_on(page)
    for title, step in FOR_A_PARENT.items():
        await expect(question(page, title)).to_be_focused()
        await answer(page, step)
        await go_on(page)
    await expect(question(page, "Is this right?")).to_be_focused()


async def test_an_answer_that_is_not_valid_is_explained_at_its_field(page: Page) -> None:
    await begin(page)
    await go_on(page)
    summary = page.get_by_role("group", name="One answer needs a change")
    await expect(summary).to_be_focused()
    await expect(page).to_have_title(re.compile("^Error: "))
    await summary.get_by_role("link", name="Reason: This field is required.").press("Enter")
    await expect(page.get_by_role("radio").first).to_be_focused()
    await page.keyboard.press("Space")
    await page.keyboard.press("Enter")

    await choose(page, "Yes")
    await go_on(page)
    await page.get_by_label("First day").fill("soon")
    await page.get_by_label("Last day").fill("2026-10-16")
    await page.keyboard.press("Enter")
    await expect(page.get_by_label("First day")).to_have_attribute("aria-invalid", "true")
    await expect(page.get_by_label("First day")).to_have_value("soon")
    await expect(page.get_by_label("Last day")).to_have_value("2026-10-16")
    await expect(page.get_by_role("group")).to_contain_text("Enter a valid date")


async def test_a_leave_request_to_its_outcome(page: Page) -> None:
    await begin(page)
    await answer_until_review(page)
    await expect(page.get_by_role("region", name="FMLA")).to_contain_text("29 CFR 825")

    await page.get_by_role("link", name="Change Reason").click()
    await expect(question(page, "What is the leave for?")).to_be_focused()
    await expect(page.get_by_role("radio", name=CARE)).to_be_checked()
    await choose(page, "The employee's own serious health condition")
    await go_on(page)
    told = page.get_by_role("dialog", name="Other answers depend on this one")
    await expect(told).to_contain_text("Relation:Parent")
    await told.get_by_role("button", name="Change the answer").click()
    await expect(question(page, "Is this right?")).to_be_focused()
    await expect(page.get_by_text("no longer apply: Relation")).to_have_count(2)
    await expect(page.get_by_role("link", name="Change Relation")).to_have_count(0)
    await page.get_by_role("link", name="Change Reason").click()
    await choose(page, CARE)
    await go_on(page)
    await expect(page.get_by_text("apply again: Relation")).to_have_count(2)
    await page.get_by_role("link", name="Change Reason").click()
    await choose(page, "The employee's own serious health condition")
    await go_on(page)
    await told.get_by_role("button", name="Change the answer").click()
    await expect(question(page, "Is this right?")).to_be_focused()

    await page.get_by_role("button", name="Save the request").click()
    await expect(question(page, "Appears eligible under FMLA and CFRA")).to_be_focused()
    await expect(page.get_by_role("heading", name="Dates")).to_be_visible()
    await expect(page.get_by_role("heading", name="Not checked")).to_be_visible()
    await page.reload()
    await page.get_by_role("link", name="Open the leave request").click()
    await expect(page).to_have_url(re.compile("/records/leave-requests/"))


async def test_going_back_keeps_the_answers_and_reloading_continues(page: Page) -> None:
    await begin(page)
    await choose(page, CARE)
    await go_on(page)
    await page.get_by_role("button", name="Relation").click()
    await page.get_by_role("option", name="Sibling").click()
    await page.get_by_role("link", name="Back", exact=True).click()
    await expect(page.get_by_role("radio", name=CARE)).to_be_checked()
    await page.get_by_role("link", name="Continue without a change").click()
    await expect(page.get_by_role("button", name="Sibling")).to_be_visible()
    await go_on(page)
    await expect(question(page, "Does a health care provider")).to_be_visible()
    await page.reload()
    await expect(question(page, "Does a health care provider")).to_be_visible()

    await page.goto("/wizards")
    await page.get_by_role("link", name="Continue: Request leave").click()
    await expect(question(page, "Does a health care provider")).to_be_visible()
    await page.get_by_role("button", name="Cancel this form").click()
    await page.get_by_role("dialog").get_by_role("button", name="Cancel the form").click()
    await expect(page).to_have_url("/wizards")
    await expect(page.get_by_role("link", name="Continue: Request leave")).to_have_count(0)


async def test_another_tab_is_told_and_goes_on_from_there(page: Page) -> None:
    await begin(page)
    other = await page.context.new_page()
    await other.goto(page.url)
    await expect(question(other, "What is the leave for?")).to_be_visible()
    await choose(page, CARE)
    await go_on(page)
    await expect(question(page, "How is the other person")).to_be_visible()

    await choose(other, "Disability because of pregnancy")
    await go_on(other)
    await expect(question(other, "How is the other person")).to_be_visible()
    await expect(other.get_by_text("was not saved")).to_have_count(2)
    await other.get_by_role("button", name="Look at that question").click()
    await expect(other.get_by_role("radio", name="Disability because")).to_be_checked()
    await go_on(other)
    await expect(question(other, "Does a health care provider")).to_be_visible()
