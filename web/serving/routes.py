"""Routes, each declared once: its path, required right, body and summary.

The OpenAPI document and the tests of rights use these declarations. A view without one is refused to everybody.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import msgspec
from flask import Flask, current_app, request
from msgspec.structs import force_setattr

from assistant.documents.reading import told_by_decoder
from assistant.errors import BadValue, PhotoUnreadable, SightlineError
from assistant.table.fields import learn, seen_text
from assistant.translations.messages import said
from web.serving.roles import Right

REQUEST = "request"
"""The page's own requests, as named in errors."""

COMMAND = "command"
"""A match's commands, as named in errors."""

Answer = Any
"""A view's result: data for JSON, or a complete response."""

View = TypeVar("View", bound=Callable[..., Answer])

API_ROOT = "/api/v1"

JSON = "application/json"
ARCHIVE = "application/zip"

MAX_UPLOAD_BYTES = 25 << 20
"""Largest photo. A phone's largest JPEG has about 15 MB."""

MAX_ARCHIVE_BYTES = 256 << 20
"""Largest backup. One with whole tile sets has about 100 MB."""

MAX_JSON_BYTES = 64 << 10
"""Largest JSON body. A correction of a whole board is under 20 kB."""

TRY_AGAIN_S = 5
"""Wait before retrying a request that found the table too busy."""


class TooLarge(SightlineError):
    """The request's body exceeds its limit."""

    http_status = 413


@dataclass(frozen=True)
class DeclaredRoute:
    """One route with its view. A view gets the checked body first, then the path's parts by name."""

    method: Literal["GET", "POST"]
    path: str
    view: Callable[..., Answer]
    right: Right
    summary: str
    body: type[msgspec.Struct] | None = None
    takes: str = JSON
    gives: str = JSON
    status: int = 200
    answer: type[msgspec.Struct] | None = None
    """The form of its JSON answer, if declared."""

    def __call__(self, **path_parts: Any) -> Answer:
        """Answer the current request."""
        body = () if self.body is None else (_decode(self.body),)
        answer = self.view(*body, **path_parts)
        return answer if self.status == 200 else (answer, self.status)

    @property
    def most_bytes(self) -> int:
        """The limit of its body."""
        return MAX_ARCHIVE_BYTES if self.takes == ARCHIVE else MAX_UPLOAD_BYTES


_ROUTES: dict[str, list[DeclaredRoute]] = defaultdict(list)
"""The declared routes, by their views' modules."""


def get(path: str, right: Right, summary: str, *, gives: str | type[msgspec.Struct] = JSON) -> Callable[[View], View]:
    """Declare an API view that changes nothing. ``gives`` is its JSON form, or another media type."""
    return _declare(method="GET", path=API_ROOT + path, right=right, summary=summary, **_given(gives))


def post(
    path: str,
    right: Right,
    body: type[msgspec.Struct] | str | None,
    summary: str,
    *,
    gives: str | type[msgspec.Struct] = JSON,
    status: int = 200,
) -> Callable[[View], View]:
    """Declare an API view that changes something. ``body`` is its JSON form, or another media type."""
    form, takes = (None, body) if isinstance(body, str) else (body, JSON)
    return _declare(
        method="POST",
        path=API_ROOT + path,
        right=right,
        summary=summary,
        body=form,
        takes=takes,
        status=status,
        **_given(gives),
    )


def _given(gives: str | type[msgspec.Struct]) -> dict[str, Any]:
    return {"gives": gives} if isinstance(gives, str) else {"gives": JSON, "answer": gives}


def page(path: str, summary: str, *, gives: str = "text/html") -> Callable[[View], View]:
    """Declare a page or its file outside the API, open to everybody."""
    return _declare(method="GET", path=path, right=Right.PUBLIC, summary=summary, gives=gives)


def _declare(**facts: Any) -> Callable[[View], View]:
    def declare(view: View) -> View:
        _ROUTES[view.__module__].append(DeclaredRoute(view=view, **facts))
        return view

    return declare


def add_routes(app: Flask, *modules: str) -> None:
    """Add the routes declared in these modules to an application."""
    for module in modules:
        for route in _ROUTES[module]:
            if route.body is not None:
                learn(route.body)
            endpoint = f"{module}.{route.view.__name__}"
            app.add_url_rule(route.path, endpoint, route, methods=[route.method], provide_automatic_options=False)


def route_of(app: Flask, endpoint: str | None) -> DeclaredRoute | None:
    """Return an endpoint's route, or None for an undeclared view."""
    view = app.view_functions.get(endpoint or "")
    return view if isinstance(view, DeclaredRoute) else None


def current_route() -> DeclaredRoute | None:
    """Return the current request's route."""
    return route_of(current_app, request.endpoint)


def _decode(form: Any) -> Any:
    """Return the request's checked JSON body.

    Raises:
        BadValue: the body is no JSON of this form. The error names the field. TooLarge: the body exceeds all our
            limits.
    """
    if (request.content_length or 0) > MAX_JSON_BYTES:
        raise TooLarge(said("The request is too large. Reload the page and try again."))
    data: bytes = request.get_data(cache=False)
    try:
        found = msgspec.json.decode(data, type=form, strict=True)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        text, _, field = str(problem).partition(" - at ")
        raise BadValue(told_by_decoder(text), document=REQUEST, field=field.strip("`$.") or None) from None
    return _seen(found)


def _seen(held: Any) -> Any:
    """Return a body's content without non-printing characters, since other people read it."""
    if isinstance(held, str):
        return seen_text(held)
    if type(held) in (list, tuple):
        return type(held)(map(_seen, held))
    if isinstance(held, dict):
        return {key: _seen(one) for key, one in held.items()}
    if isinstance(held, msgspec.Struct):
        for name in held.__struct_fields__:
            force_setattr(held, name, _seen(getattr(held, name)))
    return held


def read_photo_body() -> bytes:
    """Return the photo in the request's body.

    Raises:
        PhotoUnreadable: the body is empty.
    """
    photo: bytes = request.get_data(cache=False)
    if not photo:
        raise PhotoUnreadable(said("the photo is empty; choose another one"))
    return photo


def body_fields() -> dict[str, Any]:
    """Return the JSON object in the request's body. The caller checks its fields.

    Raises:
        BadValue: the body is no JSON object.
        TooLarge: the body exceeds all our limits.
    """
    fields: dict[str, Any] = _decode(dict[str, Any])
    return fields


def json_schema(form: type[msgspec.Struct]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a body's JSON schema, and the parts it refers to."""
    (schema,), parts = msgspec.json.schema_components([form], ref_template="#/components/schemas/{name}")
    return schema, parts
