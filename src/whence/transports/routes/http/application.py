"""The FastAPI application: routes of the engine, and routes for every kind of every pack."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute

from whence.app.platform import Platform
from whence.records.deletion import referring
from whence.records.kind import SubjectKind
from whence.transports.edge.access import ruled
from whence.transports.edge.bodies import CheckedBodies, SlashedIds
from whence.transports.edge.error_answers import PROBLEMS, handle_errors
from whence.transports.edge.identity import Gate, gate_of
from whence.transports.edge.problems import Problem
from whence.transports.edge.request_log import NamesRoute
from whence.transports.routes.http import (
    account,
    agent,
    audit_log,
    auth,
    chat,
    erasures,
    health,
    import_changes,
    import_drafts,
    imports,
    inbox,
    jobs,
    metrics,
    models,
    organization,
    packs,
    people,
    proposals,
    retention,
    runs,
    samples,
    saved_views,
    schedules,
    server,
    server_pages,
    sources,
    spending,
    tools,
    wizards,
    work,
    work_logs,
)
from whence.transports.routes.http.chat import chat_routes
from whence.transports.routes.http.conclusions import conclusion_routes
from whence.transports.routes.http.evidence_choices import evidence_choice_routes
from whence.transports.routes.http.evidence_pictures import evidence_picture_routes
from whence.transports.routes.http.files import file_routes
from whence.transports.routes.http.findings import finding_routes
from whence.transports.routes.http.lists import list_routes, nested_routes
from whence.transports.routes.http.pack_routes import check_addresses, pack_routes
from whence.transports.routes.http.proposals import record_routes
from whence.transports.routes.http.research import research_routes
from whence.transports.routes.http.subjects import subject_routes
from whence.transports.routes.http.turns import turn_routes

PARTS = (
    health,
    metrics,
    auth,
    account,
    audit_log,
    erasures,
    people,
    proposals,
    inbox,
    organization,
    packs,
    saved_views,
    server,
    models,
    sources,
    spending,
    retention,
    tools,
    wizards,
    import_changes,
    import_drafts,
    imports,
    runs,
    jobs,
    work,
    work_logs,
    samples,
    schedules,
    chat,
    agent,
    server_pages,
)
"""Modules with a `router` of their own."""
_SCHEMAS = "#/components/schemas/{model}"


def application(
    platform: Platform, more: Sequence[APIRouter] = (), *, gate: Gate | None = None
) -> FastAPI:
    """The HTTP application of a platform; `more` routers come from other transports."""
    app = FastAPI(
        title="whence",
        version=version("whence"),
        description="Evidence-first research over records that you own.",
        docs_url=None,
        redoc_url=None,
        responses=PROBLEMS,
    )
    app.state.gate = gate or gate_of(platform)
    app.state.workbooks = asyncio.Semaphore(imports.WORKBOOKS_AT_ONCE)
    handle_errors(app)
    app.add_middleware(NamesRoute)
    app.add_middleware(SlashedIds, kinds=frozenset(platform.kinds))
    app.add_middleware(CheckedBodies)
    routers = [part.router for part in PARTS]
    check_addresses(platform.packs, platform.kinds, core_words([*routers, *more]))
    for router in routers:
        _add(app, ruled(router))
    for pack in platform.packs:
        _add(app, ruled(pack_routes(pack.id, tuple(pack.routes))))
    for kind in platform.kinds.values():
        for router in routes_about(kind):
            _add(app, router)
        children = tuple(referring(platform.kinds, kind))
        _add(app, ruled(nested_routes(kind, children)))
    for router in more:
        _add(app, ruled(router))

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _document(app)
        return app.openapi_schema

    app.openapi = openapi
    return app


def _add(app: FastAPI, router: APIRouter) -> None:
    """Add a router's routes as they are.

    `include_router` would analyse every route again in each application, at its first request: a
    second of processor time, for a prefix and dependencies that no router here is given.
    """
    for route in router.routes:
        if isinstance(route, APIRoute):
            route.responses = PROBLEMS | route.responses
    app.router.routes.extend(router.routes)


def core_words(routers: Sequence[APIRouter]) -> frozenset[str]:
    """The first path segments below `/api` of these routers."""
    paths = [
        each.path for router in routers for each in router.routes if isinstance(each, APIRoute)
    ]
    return frozenset(path.split("/")[2] for path in paths if path.startswith("/api/"))


@cache
def routes_about(kind: SubjectKind) -> tuple[APIRouter, ...]:
    """The routes every kind of record has; they depend on no platform, so a process builds them
    once."""
    routers = (
        list_routes,
        conclusion_routes,
        research_routes,
        finding_routes,
        evidence_choice_routes,
        evidence_picture_routes,
        file_routes,
        record_routes,
        chat_routes,
        turn_routes,
        subject_routes,
    )
    return tuple(ruled(routes(kind)) for routes in routers)


def _document(app: FastAPI) -> dict[str, Any]:
    """FastAPI's document, with the schema of the problem documents every route may return."""
    document = get_openapi(
        title=app.title, version=app.version, description=app.description, routes=app.routes
    )
    # As for input: members without a value are left out of the answer.
    problem = Problem.model_json_schema(ref_template=_SCHEMAS)
    schemas = document.setdefault("components", {}).setdefault("schemas", {})
    schemas |= problem.pop("$defs", {}) | {"Problem": problem}
    return document
