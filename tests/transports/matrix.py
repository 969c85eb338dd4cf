"""The things and the callers of the matrix of access: who knocks, with what, at which address."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import httpx

from transports.documented import document
from transports.expected_access import rule_of
from whence.app.platform import Platform
from whence.chat.proposals import service as proposals
from whence.kernel.ids import new_id
from whence.tenancy import sessions, tokens
from whence.tenancy.principal import Principal, Role, Scope
from whence.transports.edge.access import RULES

OTHER_KINDS = ("/api/items", "/api/leave-requests", "/api/remarks")
"""Kinds whose routes are made by the same code as those of notes; files are theirs alone."""
WIZARD = "sample_pack.write"
VIEW = {"title": "A", "parameters": {"search": "a"}}
PASSWORD = "a quiet river at dawn"
CHOICES = {
    "dossierId": str(UUID(int=1)),
    "choices": [{"evidenceId": str(UUID(int=1)), "included": False}],
}
BODIES: dict[tuple[str, str], dict[str, Any]] = {
    ("post", "/api/notes"): {"json": {"title": "A", "text": "b"}},
    ("patch", "/api/notes/{id}"): {"json": {"title": "B"}},
    ("post", "/api/notes/{id}/research"): {"json": {}},
    ("post", "/api/notes/{id}/research/jobs/{jobId}/answer"): {"json": {"answer": "yes"}},
    ("get", "/api/notes/{id}/evidence/changes"): {
        "params": {"earlier": str(UUID(int=1)), "later": str(UUID(int=2))}
    },
    ("post", "/api/notes/{id}/evidence/choices/preview"): {"json": CHOICES},
    ("post", "/api/notes/{id}/evidence/choices"): {"json": CHOICES},
    ("patch", "/api/notes/{id}/chat/sessions/{sid}"): {"json": {"title": "B"}},
    ("patch", "/api/chat/sessions/{sid}"): {"json": {"title": "B"}},
    ("post", "/api/notes/{id}/chat/sessions/{sid}/messages"): {
        "json": {"content": "What is it?", "clientMessageId": "one"}
    },
    ("post", "/api/agent/chat"): {
        "json": {"message": "How many are there?", "context": {"page": "sample_pack.notes"}}
    },
    ("patch", "/api/agent/conversations/{sid}"): {"json": {"title": "B"}},
    ("get", "/api/chat/search"): {"params": {"q": "a"}},
    ("post", "/api/wizards/{id}/runs/{runId}"): {"json": {"action": "cancel"}},
    ("post", "/api/wizards/{id}/runs/{runId}/preview"): {
        "json": {"stepId": "about", "responses": {}}
    },
    ("patch", "/api/items/{id}/files/{digest}"): {"json": {"caption": "x"}},
    ("post", "/api/items/{id}/files"): {"content": b"no picture"},
    ("get", "/api/sample_pack/longer-notes"): {"params": {"than": "0"}},
    ("put", "/api/sample_pack/headings/{noteId}"): {"json": {"heading": "B"}},
    ("post", "/api/sample_pack/settled/{noteId}"): {"json": {}},
    ("post", "/api/erasures"): {
        "json": {"kind": "notes", "id": str(new_id()), "reason": "no such note"}
    },
    ("post", "/api/erasures/preview"): {"json": {"kind": "notes", "id": str(new_id())}},
    ("post", "/api/tokens"): {"json": {"name": "another"}},
    ("post", "/api/tools/{name}"): {"json": {"text": "a b"}},
    ("post", "/api/imports/{name}"): {
        "content": b'{"id": "n1", "title": "A"}\n',
        "params": {"filename": "notes.jsonl"},
    },
    ("post", "/api/imports/{name}/files"): {
        "content": b'{"id": "n1", "title": "A"}\n',
        "params": {"filename": "notes.jsonl"},
    },
    ("post", "/api/imports/{importId}/preview"): {"json": {}},
    ("post", "/api/imports/{importId}/start"): {"json": {}},
    ("post", "/api/schedules"): {
        "json": {"title": "A", "job": "sample_pack.recount", "cron": "0 6 * * *"}
    },
    ("get", "/api/schedules/times"): {"params": {"cron": "0 6 * * *"}},
    ("patch", "/api/schedules/{id}"): {"json": {"title": "B"}},
    ("post", "/api/views/{kind}"): {"json": VIEW},
    ("patch", "/api/views/{kind}/{viewId}"): {"json": {"title": "B"}},
    ("get", "/api/notes/conclusions"): {"params": {"id": str(new_id())}},
    ("put", "/api/organization/profile"): {"json": {"idealWork": "small lots"}},
    ("post", "/api/invitations"): {"json": {"email": "new@example.org"}},
    ("patch", "/api/members/{id}"): {"json": {"role": "member"}},
    ("post", "/api/auth/sign-in"): {"json": {"email": "x@example.org", "password": PASSWORD}},
    ("post", "/api/auth/password"): {"json": {"old": "no such", "new": PASSWORD}},
    ("post", "/api/auth/reset"): {"json": {"token": "whp_no", "password": PASSWORD}},
    ("post", "/api/auth/invitation"): {"json": {"token": "whi_no"}},
    ("post", "/api/auth/accept"): {"json": {"token": "whi_no", "password": PASSWORD}},
    ("post", "/api/auth/switch"): {"json": {"organizationId": str(new_id())}},
}
UNAUTHORIZED, FORBIDDEN, NOT_FOUND = "unauthorized", "forbidden", "not-found"
DONE = ""
"""No refusal for lack of a right."""
NOBODY = dict.fromkeys(RULES.values(), UNAUTHORIZED) | {"public": DONE}
REFUSED: dict[str, dict[str, str]] = {
    "anonymous": NOBODY,
    "revoked token": NOBODY,
    "ended session": NOBODY,
    "read-only token": dict.fromkeys(("public", "read"), DONE)
    | dict.fromkeys(("write", "talk", "signed-in", "owner"), FORBIDDEN),
    "owner's token": dict.fromkeys(("public", "read", "write", "talk"), DONE)
    | dict.fromkeys(("signed-in", "owner"), FORBIDDEN),
    "viewer": dict.fromkeys(("public", "read", "talk", "signed-in"), DONE)
    | dict.fromkeys(("write", "owner"), FORBIDDEN),
    "member": dict.fromkeys(("public", "read", "write", "talk", "signed-in"), DONE)
    | {"owner": FORBIDDEN},
    "owner": dict.fromkeys(RULES.values(), DONE),
    "other organization": dict.fromkeys(RULES.values(), DONE),
    "owner's cookie, sent by another site": dict.fromkeys(RULES.values(), DONE),
}
"""What each rule of `access.py` answers each principal."""
OPEN_TO_ALL = {
    ("post", "/api/auth/sign-in"),
    ("post", "/api/auth/refresh"),
    ("post", "/api/auth/reset"),
    ("post", "/api/auth/invitation"),
    ("post", "/api/auth/accept"),
}
"""Public, and still answering `unauthorized`: the secret in the request is a wrong one."""

WRONG_SECRET = {("/api/auth/password", 401), ("/api/auth/sign-in", 429)}
"""Whoever may ask is told that the password is wrong, and after some tries to wait."""


@dataclass(frozen=True)
class Route:
    method: str
    path: str
    rule: str

    @property
    def names_something(self) -> bool:
        # By packs, to every organization.
        is_offered = self.path.startswith(("/api/wizards/", "/api/sources/"))
        names = "{id}" in self.path or "{noteId}" in self.path
        return self.names_own or (names and not is_offered)

    @property
    def names_own(self) -> bool:
        """Something of one person, which even others of the organization do not find."""
        return any(name in self.path for name in ("{sid}", "{runId}", "{viewId}"))


@dataclass
class Matrix:
    """A real server, the things of one organization, and headers for every principal."""

    platform: Platform
    client: httpx.AsyncClient
    people: dict[str, Principal]
    new_member: Callable[[Role, UUID], Principal]
    ids: dict[str, str] = field(default_factory=dict[str, str])
    credentials: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    """The headers of each principal that no call has ended yet."""

    async def make_things(self) -> None:
        """Something of each kind that a route can name; anew, where a route has changed it."""
        self.people["victim"] = self.new_member(Role.VIEWER, self.platform.owner.org_id)
        headers = await self.headers("owner")
        note = await self._create("/api/notes", {"title": "A", "text": "b"}, headers)
        item = await self._create("/api/items", {"title": "A"}, headers)
        job = (await self.client.post(f"/api/notes/{note}/research", headers=headers)).json()
        await tokens.issue(self.platform.db, self.people["owner"], "to be seen")
        email = f"{new_id().hex}@example.org"
        await self.client.post("/api/invitations", json={"email": email}, headers=headers)
        [token, *_] = (await self.client.get("/api/tokens", headers=headers)).json()
        [invitation, *_] = (await self.client.get("/api/invitations", headers=headers)).json()
        started = await self._session("victim")
        chats = f"/api/notes/{note}/chat/sessions"
        under_record, on_its_own = [
            (await self.client.post(chats, headers=headers)).json()["sessionId"] for _ in range(2)
        ]
        on_a_page = await self._talked_on_a_page(headers)
        wizard = f"/api/wizards/{WIZARD}/runs"
        begun = (await self.client.post(wizard, headers=headers)).json()
        upload = BODIES["post", "/api/imports/{name}"]
        imported = await self.client.post(
            "/api/imports/sample_pack.notes", headers=headers, **upload
        )
        schedule = BODIES["post", "/api/schedules"]["json"]
        self.ids = {
            "/api/schedules": await self._create("/api/schedules", schedule, headers),
            "{viewId}": await self._create("/api/views/notes", VIEW, headers),
            "{importId}": imported.json()["id"],
            "{runId}": begun["wizardRunId"],
            "/api/wizards": WIZARD,
            "/api/notes/{id}/chat": under_record,
            "/api/chat": on_its_own,
            "/api/agent/chat": on_a_page,
            "/api/agent/conversations": on_a_page,
            "/api/notes": note,
            "/api/items": item,
            "/api/runs": job["jobId"],
            "/api/jobs": await self._queued(),
            "/api/proposals": await self._proposed(headers),
            "/api/sources": "spelling",
            "/api/tokens": token["id"],
            "/api/invitations": invitation["id"],
            "/api/members": str(self.people["victim"].user_id),
            "/api/sessions": str(started.who.credential),
        }

    async def _talked_on_a_page(self, headers: dict[str, str]) -> str:
        """A conversation on a page, whose first answer is there."""
        body = {"message": "How many?", "context": {"page": "sample_pack.notes"}}
        answer = await self.client.post("/api/agent/chat", json=body, headers=headers)
        return answer.text.partition('"conversationId": "')[2].partition('"')[0]

    async def _create(self, path: str, body: dict[str, Any], headers: dict[str, str]) -> str:
        return (await self.client.post(path, json=body, headers=headers)).json()["id"]

    async def _queued(self) -> str:
        job = self.platform.jobs.get("sample_pack.recount").job
        async with self.platform.unit(self.people["owner"]) as session:
            who, payload = self.people["owner"], job.payload()
            return str((await self.platform.jobs.enqueue(session, who, job, payload)).id)

    async def _proposed(self, headers: dict[str, str]) -> str:
        """A change that waits for the owner, of a record that no other route changes."""
        note = await self._create("/api/notes", {"title": "C", "text": "d"}, headers)
        owner, kind = self.people["owner"], self.platform.kind("notes")
        async with self.platform.unit(owner) as session:
            made = await proposals.propose(
                session, owner, kind, UUID(note), {"text": "e"}, reason="As asked."
            )
        return str(made.id)

    async def _session(self, name: str) -> sessions.Started:
        who = self.people[name]
        return await sessions.start(
            self.platform.db, who, label=name, settings=self.platform.settings
        )

    async def headers(self, name: str) -> dict[str, str]:
        """A principal's credential: a fresh one after each call that may have ended the last."""
        if name not in self.credentials:
            self.credentials[name] = await self._new_headers(name)
        return self.credentials[name]

    async def _new_headers(self, name: str) -> dict[str, str]:
        if name == "anonymous":
            return {}
        if name == "owner's cookie, sent by another site":
            cookie = f"whence_access={(await self._session('owner')).access}"
            return {"Cookie": cookie, "Sec-Fetch-Site": "cross-site"}
        if name in ("read-only token", "owner's token", "revoked token"):
            scopes = [Scope.READ] if name == "read-only token" else None
            owner = self.people["owner"]
            secret = await tokens.issue(self.platform.db, owner, name, scopes=scopes)
            if name == "revoked token":
                [row] = [r for r in await tokens.listed(self.platform.db, owner)
                         if secret.startswith(r.prefix)]  # fmt: skip
                await tokens.revoke(self.platform.db, owner, row.id)
            return {"Authorization": f"Bearer {secret}"}
        started = await self._session("owner" if name == "ended session" else name)
        if name == "ended session":
            assert started.who.credential
            await sessions.end(self.platform.db, started.who, started.who.credential)
        return {"Authorization": f"Bearer {started.access}"}

    def address(self, path: str) -> str:
        for prefix, result in self.ids.items():
            of_talk = prefix.endswith(("/chat", "/conversations"))
            if path.startswith(f"{prefix}/"):
                path = path.replace("{sid}" if of_talk else "{id}", result)
        name = "sample_pack.notes" if "/imports/" in path else "count_words"
        path = path.replace("{runId}", self.ids["{runId}"])
        path = path.replace("{noteId}", self.ids["/api/notes"])
        path = path.replace("{role}", "text")
        path = re.sub(r"\{(?:evidenceId|listingId|callId|mid)\}", str(UUID(int=1)), path)
        path = path.replace("{kind}", "notes").replace("{viewId}", self.ids["{viewId}"])
        path = path.replace("{jobId}", self.ids["/api/runs"]).replace("{name}", name)
        return path.replace("{digest}", "0" * 64).replace("{importId}", self.ids["{importId}"])

    async def ask(self, route: Route, headers: dict[str, str]) -> tuple[int, str]:
        """The status, and which problem; a stream is not read."""
        body = BODIES.get((route.method, route.path), {})
        request = (route.method.upper(), self.address(route.path))
        async with self.client.stream(*request, headers=headers, **body) as answer:
            if route.method != "get" and answer.is_success:
                self.credentials.clear()
            if answer.headers.get("content-type") != "application/problem+json":
                return answer.status_code, DONE
            await answer.aread()
            return answer.status_code, answer.json()["type"].removeprefix("/problems/")


async def routes(matrix: Matrix) -> list[Route]:
    """Every route with the rule that was written down for it; those that end things last."""
    named = [
        Route(method, path, rule_of(method, path, matrix.platform.kinds))
        for path, calls in (await document(matrix.client))["paths"].items()
        for method in calls
        if not path.startswith(OTHER_KINDS) or "/files" in path
    ]
    return sorted(named, key=lambda route: route.method == "delete")
