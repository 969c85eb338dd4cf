"""Turns errors of a request into answers, and describes them in the OpenAPI document."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Annotated, Any, cast, get_args, get_origin

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from whence.kernel.errors import Invalid, NotFound, WhenceError
from whence.kernel.field_errors import FieldFault, message, names_of, sentence
from whence.transports.edge.problems import (
    MEDIA_TYPE,
    FieldError,
    NoSuchMethod,
    Problem,
    of_error,
)

PROBLEMS: dict[int | str, dict[str, Any]] = {
    "4XX": {
        "description": "A problem document: the request cannot be answered as it is.",
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    },
    "5XX": {
        "description": "A problem document: the server cannot answer now.",
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    },
}
"""`responses` of every route."""


def answer(problem: Problem) -> Response:
    """A problem as an HTTP response."""
    headers: dict[str, str] = {}
    if problem.status == 401:
        headers["WWW-Authenticate"] = 'Bearer realm="whence"'
    if problem.status in (429, 503):
        headers["Retry-After"] = str(math.ceil(problem.retry_after or 1))
    return JSONResponse(
        problem.shown(), status_code=problem.status, headers=headers, media_type=MEDIA_TYPE
    )


def handle_errors(app: FastAPI) -> None:
    """Answer our own errors, FastAPI's and Starlette's with problem documents."""
    app.add_exception_handler(WhenceError, _ours)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _framework)


def _ours(_: Request, error: Exception) -> Response:
    assert isinstance(error, WhenceError)
    return answer(of_error(error))


def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    errors = cast("Sequence[dict[str, Any]]", error.errors())
    if any(_is_unknown_parameter(item) for item in errors):
        known = ", ".join(_parameters(request.scope["endpoint"]))
        unknown = f"there is no such parameter; there are {known}"
        errors = [
            {**item, "type": "parameter", "msg": unknown} if _is_unknown_parameter(item) else item
            for item in errors
        ]
    return answer(of_error(invalid_input(errors, _body_model(request))))


def _is_unknown_parameter(item: dict[str, Any]) -> bool:
    return item["type"] == "extra_forbidden" and item["loc"][0] == "query"


def _parameters(endpoint: Callable[..., Any]) -> list[str]:
    """The names in the query string of a route that takes them as one model."""
    annotations = [each.annotation for each in signature(endpoint).parameters.values()]
    models = [
        model
        for annotation in annotations
        if get_origin(annotation) is Annotated
        for model in get_args(annotation)[:1]
        if isinstance(model, type) and issubclass(model, BaseModel)
    ]
    return sorted(name for model in models for name in names_of(model))


def _body_model(request: Request) -> type[BaseModel] | None:
    """The model of the route's body; None if it takes none."""
    body = getattr(request.scope.get("route"), "body_field", None)
    model = getattr(getattr(body, "field_info", None), "annotation", None)
    return model if isinstance(model, type) and issubclass(model, BaseModel) else None


def _framework(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    match error.status_code:
        case 204:
            return Response(status_code=204)
        case 404:
            return answer(of_error(NotFound(f"There is nothing at {request.url.path}.")))
        case 405:
            refused = answer(of_error(NoSuchMethod()))
            refused.headers.update(error.headers or {})
            return refused
        case _:
            return answer(of_error(Invalid(str(error.detail))))


def invalid_input(
    errors: Sequence[Mapping[str, Any]], model: type[BaseModel] | None = None
) -> Invalid:
    """Pydantic's errors about a request as one of ours, with each field.

    The first part of each location names a part of the request, such as its body; `model` is that
    of the body.
    """
    faults = [
        FieldFault(_field(item["loc"]), message(item, model, item["loc"][1:])) for item in errors
    ]
    named = [FieldError(field=fault.field, message=fault.message) for fault in faults]
    return Invalid(f"The input is not valid: {sentence(faults)}.", errors=named)


def _field(location: Sequence[object]) -> str:
    """`("body", "media", 0, "url")` as `media.0.url`; only the location if there is nothing
    more."""
    return ".".join(str(part) for part in location[1:]) or str(location[0])
