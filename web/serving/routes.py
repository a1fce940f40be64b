"""Routes that say what they are: which right they need, what they take, one sentence about them.

A view that was not defined here has no facts and is refused to everybody; the OpenAPI document and the tests of
the role table are made from the same facts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, cast

import msgspec
from flask import Blueprint, Flask, current_app, request
from flask.typing import ResponseReturnValue

from assistant.documents.reading import told_by_decoder
from assistant.errors import BadValue, PhotoUnreadable, SightlineError
from assistant.translations.messages import said
from web.serving.roles import Right

REQUEST = "request"
"""The document that a request of the page itself is called in errors."""

COMMAND = "command"
"""The document that a command of the match is called in errors."""

Method = Literal["GET", "POST"]
ViewFunction = Callable[..., ResponseReturnValue]
_Body = TypeVar("_Body", bound=msgspec.Struct)

API_ROOT = "/api/v1"

MAX_UPLOAD_BYTES = 25 << 20
"""A phone's largest JPEG has about 15 MB."""

MAX_ARCHIVE_BYTES = 256 << 20
"""A backup holds whole tile sets; the largest has about 100 MB."""

ARCHIVE = "application/zip"

REQUEST = "request"
"""The document that a request of the page itself is called in errors."""

MAX_JSON_BYTES = 64 << 10
"""A correction of a whole board is under 20 kB."""


TRY_AGAIN_S = 5
"""When to ask again, after the table was too busy."""


class TooLarge(SightlineError):
    """The request's body is beyond its limit."""

    http_status = 413


@dataclass(frozen=True)
class RouteFacts:
    """What one route is."""

    right: Right
    summary: str
    body: type[msgspec.Struct] | None = None
    takes: str = "application/json"
    gives: str = "application/json"
    status: int = 200

    @property
    def most_bytes(self) -> int:
        """How large a body may be."""
        return MAX_ARCHIVE_BYTES if self.takes == ARCHIVE else MAX_UPLOAD_BYTES


_FACTS: dict[ViewFunction, RouteFacts] = {}


def route(blueprint: Blueprint, method: Method, rule: str, facts: RouteFacts) -> Callable[[ViewFunction], ViewFunction]:
    """Adds a view to a blueprint together with its facts."""

    def define(view: ViewFunction) -> ViewFunction:
        _FACTS[view] = facts
        blueprint.add_url_rule(rule, view_func=view, methods=[method], provide_automatic_options=False)
        return view

    return define


def facts_of(app: Flask, endpoint: str) -> RouteFacts | None:
    """The facts of an endpoint, or None for one that was defined without."""
    return _FACTS.get(cast(ViewFunction, app.view_functions[endpoint]))


def current_facts() -> RouteFacts | None:
    """The facts of the endpoint that is being asked."""
    return None if request.endpoint is None else facts_of(current_app, request.endpoint)


def body_as(wanted: type[_Body]) -> _Body:
    """The JSON body of the request as a checked value.

    Raises:
        BadValue: it is no JSON of this form; the field at fault is named.
        TooLarge: it is beyond any body of ours.
    """
    body: _Body = _decode(wanted)
    return body


def _decode(wanted: Any) -> Any:
    if (request.content_length or 0) > MAX_JSON_BYTES:
        raise TooLarge(said("The request is larger than anything that this page sends."))
    data: bytes = request.get_data(cache=False)
    try:
        return msgspec.json.decode(data, type=wanted, strict=True)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        text, _, field = str(problem).partition(" - at ")
        raise BadValue(told_by_decoder(text), document=REQUEST, field=field.strip("`$.") or None) from None


def read_photo_body() -> bytes:
    """The bytes of the photo that came as the request's body.

    Raises:
        PhotoUnreadable: none came.
    """
    photo: bytes = request.get_data(cache=False)
    if not photo:
        raise PhotoUnreadable(said("no photo came with the request; choose one and try again"))
    return photo


def body_fields() -> dict[str, Any]:
    """The JSON object in the request's body, its fields checked by whoever knows them.

    Raises:
        BadValue: it is no JSON object.
        TooLarge: it is beyond any body of ours.
    """
    fields: dict[str, Any] = _decode(dict[str, Any])
    return fields


def json_schema(wanted: type[msgspec.Struct]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The JSON schema of a body, and the parts it refers to."""
    (schema,), parts = msgspec.json.schema_components([wanted], ref_template="#/components/schemas/{name}")
    return schema, parts
