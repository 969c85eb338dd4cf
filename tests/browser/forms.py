"""Leave requests in the middle and at the end of the form, for pictures of its pages."""

from __future__ import annotations

import itertools

import httpx

from packs.leave.wizard.people import BEN

PATH = "/wizards/leave.request"


async def pages_of_forms(api: httpx.AsyncClient) -> dict[str, str]:
    """Addresses by name: the list, a question with what follows so far, the review, the outcome."""
    steps = [*BEN.answers, "review"]
    question = await _answered(api, *steps[: steps.index("employer")])
    review = await _answered(api, *BEN.answers)
    outcome = await _answered(api, *steps)
    return {
        "forms": "/wizards",
        "form-start": f"{PATH}/{await _answered(api)}",
        "form-question": f"{PATH}/{question}",
        "form-site": f"{PATH}/{review}?step=hours",
        "form-review": f"{PATH}/{review}",
        "form-outcome": f"{PATH}/{outcome}",
    }


async def _answered(api: httpx.AsyncClient, *steps: str) -> str:
    begun = await api.post("/api/wizards/leave.request/runs")
    run = begun.json()["wizardRunId"]
    for revision, step in zip(itertools.count(), steps, strict=False):
        body = {"stepId": step, "responses": BEN.answers.get(step, {}), "revision": revision}
        answer = await api.post(f"/api/wizards/leave.request/runs/{run}", json=body)
        assert answer.json()["errors"] == [], answer.text
    return run
