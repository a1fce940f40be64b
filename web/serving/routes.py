"""Routes, each declared once: its path, the right that it needs, its body and one sentence about it.

The OpenAPI document and the tests of rights are made from these declarations. A view without one is refused to
everybody.
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
"""The name of the page's own requests in errors."""

COMMAND = "command"
"""The name of a match's commands in errors."""

Answer = Any
"""What a view returns: data that goes out as JSON, or a response of its own."""

View = TypeVar("View", bound=Callable[..., Answer])

API_ROOT = "/api/v1"

JSON = "application/json"
ARCHIVE = "application/zip"

MAX_UPLOAD_BYTES = 25 << 20
"""Largest photo: a phone's largest JPEG has about 15 MB."""

MAX_ARCHIVE_BYTES = 256 << 20
"""Largest backup: one with whole tile sets has about 100 MB."""

MAX_JSON_BYTES = 64 << 10
"""Largest JSON body: a correction of a whole board is under 20 kB."""

TRY_AGAIN_S = 5
"""Wait before a request that found the table too busy is worth repeating."""


class TooLarge(SightlineError):
    """The request's body is beyond its limit."""

    http_status = 413


@dataclass(frozen=True)
class DeclaredRoute:
    """One route with its view. A view gets the checked body first, then the parts of the path by their names."""

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
    """The form of its JSON answer, where it is declared."""

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
"""The declared routes, by the module of their views."""


def get(path: str, right: Right, summary: str, *, gives: str | type[msgspec.Struct] = JSON) -> Callable[[View], View]:
    """Declare a view of the API that changes nothing; ``gives`` is the form of its JSON, or another media type."""
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
    """Declare a view of the API that changes something; ``body`` is the form of its JSON, or another media type."""
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
    """Declare a page, or a file of one, outside the API; everybody may open it."""
    return _declare(method="GET", path=path, right=Right.PUBLIC, summary=summary, gives=gives)


def _declare(**facts: Any) -> Callable[[View], View]:
    def declare(view: View) -> View:
        _ROUTES[view.__module__].append(DeclaredRoute(view=view, **facts))
        return view

    return declare


def add_routes(app: Flask, *modules: str) -> None:
    """Add the routes that the modules of these names declare to an application."""
    for module in modules:
        for route in _ROUTES[module]:
            if route.body is not None:
                learn(route.body)
            endpoint = f"{module}.{route.view.__name__}"
            app.add_url_rule(route.path, endpoint, route, methods=[route.method], provide_automatic_options=False)


def route_of(app: Flask, endpoint: str | None) -> DeclaredRoute | None:
    """Return the route of an endpoint, or None for a view without a declaration."""
    view = app.view_functions.get(endpoint or "")
    return view if isinstance(view, DeclaredRoute) else None


def current_route() -> DeclaredRoute | None:
    """Return the route of the current request."""
    return route_of(current_app, request.endpoint)


def _decode(form: Any) -> Any:
    """Return the JSON body of the request, checked.

    Raises:
        BadValue: the body is no JSON of this form; the error names the field.
        TooLarge: the body is beyond any of ours.
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
    """What a body holds, without characters that print nothing: whatever people write, somebody else reads."""
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
        raise PhotoUnreadable(said("the request has no photo; choose one and try again"))
    return photo


def body_fields() -> dict[str, Any]:
    """Return the JSON object in the request's body, whose fields the caller checks.

    Raises:
        BadValue: the body is no JSON object.
        TooLarge: the body is beyond any of ours.
    """
    fields: dict[str, Any] = _decode(dict[str, Any])
    return fields


def json_schema(form: type[msgspec.Struct]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the JSON schema of a body, and the parts that it refers to."""
    (schema,), parts = msgspec.json.schema_components([form], ref_template="#/components/schemas/{name}")
    return schema, parts
