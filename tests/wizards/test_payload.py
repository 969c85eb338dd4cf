"""The payload of a step: all that a client needs to draw it, in stable names."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.anyio
MEMBERS = {
    "wizardRunId", "definition", "revision", "step", "schema", "ui", "values", "provenance",
    "errors", "nav", "progress", "summary", "derived", "outcome", "submitLabel", "textFallback",
}  # fmt: skip


async def test_a_question_is_complete(desk: Any) -> None:
    shown = (await desk.start()).as_json()

    assert set(shown) == MEMBERS
    assert shown["definition"] == {"id": "sample_pack.write", "version": "1"}
    assert shown["step"] == {
        "id": "about",
        "kind": "question",
        "title": "What is it about?",
        "why": "The title is what others find it by.",
    }
    assert shown["schema"]["required"] == ["title", "length"]
    title, length = shown["ui"]["fields"]
    assert (title["label"], title["widget"], title["required"]) == ("Title", "text", True)
    assert (length["label"], length["widget"]) == ("How long will it be?", "radio")
    assert length["choices"] == [
        {"value": "short", "label": "A line"},
        {"value": "long", "label": "long"},
    ]
    assert shown["nav"] == {"back": None, "change": [], "cancel": True}
    assert (shown["submitLabel"], shown["errors"]) == ("Continue", [])


async def test_a_review_has_every_answer_in_words_and_where_to_change_it(desk: Any) -> None:
    shown = (await desk.reviewed()).as_json()

    assert [(line["label"], line["shown"], line["change"]) for line in shown["summary"]] == [
        ("Title", "Tea", "about"),
        ("How long will it be?", "A line", "about"),
        ("Author", "Owner", "author"),
        ("Text", "It is ready.", "words"),
    ]
    assert shown["nav"]["change"] == ["about", "author", "words"]
    assert shown["derived"] == [
        {
            "law": "House rules",
            "rule": "length of a short note",
            "needed": "at most 20 words",
            "actual": "3 words",
            "result": "met",
            "source": "House rules, section 1",
        }
    ]
    assert shown["submitLabel"] == "Write it"


async def test_progress_counts_steps_and_never_passes_its_end(desk: Any) -> None:
    run = (await desk.start()).wizard_run_id
    await desk.respond(run, "about", title="Tea", length="long")

    progress = [
        (p.progress.step, p.progress.of)
        for p in (await desk.look(run, "about"), await desk.look(run))
    ]
    assert progress == [(1, 4), (2, 4)]


async def test_a_step_reads_as_plain_text(desk: Any) -> None:
    first = await desk.start()
    review = await desk.reviewed()

    assert first.text_fallback.splitlines() == [
        "Write a note (1 of about 3)",
        "What is it about?",
        "The title is what others find it by.",
        "Title",
        "How long will it be?",
        "  1  A line",
        "  2  long",
    ]
    assert "Text: It is ready." in review.text_fallback
    assert "House rules, length of a short note: met" in review.text_fallback


async def test_the_outcome_has_its_words_rules_values_and_record(desk: Any) -> None:
    end = (await desk.respond((await desk.reviewed()).wizard_run_id, "review")).as_json()

    assert (end["step"]["kind"], end["step"]["title"]) == ("outcome", "Your note is written")
    assert (end["values"], end["ui"]["record"]["kind"]) == ({"words": "3 words"}, "notes")
    assert end["outcome"]["labels"] == {"words": "Length"}
    assert end["outcome"]["calendar"]["rows"][0]["spans"][0]["state"] == "covered"
    assert [one["supposed"] for one in end["outcome"]["alternatives"]] == ["long"]
    assert (end["submitLabel"], end["nav"]) == (
        None,
        {"back": None, "change": [], "cancel": False},
    )


@pytest.mark.parametrize("title", ["", "  ", "\u202e", "\u200b \u200f", None])
async def test_text_without_a_visible_letter_is_no_answer(desk: Any, title: str | None) -> None:
    run = (await desk.start()).wizard_run_id
    shown = await desk.respond(run, "about", title=title, length="short")
    assert [(error.field, error.code) for error in shown.errors] == [("title", "missing")]
