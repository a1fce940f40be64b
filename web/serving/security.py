"""Protection against strangers and foreign pages: host names, origins of changes, headers."""

from __future__ import annotations

import ipaddress
import json
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from flask import Flask, Request, Response

from assistant.errors import SightlineError
from assistant.translations.messages import said
from assistant.translations.speech import choose_language, speech

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

OWN_HEADER = "X-Sightline"
"""Our own header. A page of another origin cannot send it without a preflight, which we never allow."""

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' blob: data:; object-src 'none'; base-uri 'none'; "
        "frame-ancestors 'none'; form-action 'self'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=()",
}


_HOST = re.compile(r"(?:\[(?P<address>[^\[\]]*)\]|(?P<name>[^:@\[\]/]*))(?::\d{1,5})?")
"""A name or address with an optional port."""


class WrongOrigin(SightlineError):
    """A change did not come from our page."""

    http_status = 403


class HostAllowList:
    """WSGI middleware that answers only under the table's own names.

    It refuses a foreign name that points here (DNS rebinding) before anything else runs. A numeric address is always
    ours, since a browser that shows it has reached this machine.

    Args:
        application: answers under an allowed name.
        names: this host's names, without port.
    """

    def __init__(self, application: WSGIApplication, names: Iterable[str]) -> None:
        self._application = application
        self._names = frozenset(name.lower().rstrip(".") for name in names)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Pass the request on, or refuse it with 421."""
        if self.allows(environ.get("HTTP_HOST", "")):
            return self._application(environ, start_response)
        language = choose_language(accepted_languages(environ.get("HTTP_ACCEPT_LANGUAGE")), None)
        text = speech(language).text("This name does not belong to the table. Use the address that the table shows.")
        body = json.dumps({"error": {"status": 421, "kind": "WrongHost", "message": text}}).encode()
        headers = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
        start_response("421 Misdirected Request", headers)
        return [body]

    def allows(self, host: str) -> bool:
        """Return whether a ``Host`` header names this machine."""
        parts = _HOST.fullmatch(host.lower())
        if parts is None:
            return False
        name = parts["address"] or parts["name"].rstrip(".")
        return name in self._names or _is_address(name)


def accepted_languages(header: str | None) -> list[str]:
    """Return an ``Accept-Language`` header's languages, in its order."""
    return [tag.partition(";")[0].strip() for tag in (header or "en").split(",")]


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def check_origin(request: Request) -> None:
    """Check that a change comes from our own page.

    Raises:
        WrongOrigin: our header is missing, or the browser names another origin.
    """
    if request.headers.get(OWN_HEADER) is None:
        raise WrongOrigin(said("A change needs the header {header}. Open the table's own page.", header=OWN_HEADER))
    origin = request.headers.get("Origin")
    if origin is not None and origin != f"{request.scheme}://{request.host}":
        raise WrongOrigin(said("Another page sent this change. Open the table's own page."))


def add_headers(app: Flask) -> None:
    """Set the security headers on every response of the application."""

    @app.after_request
    def headers(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        response.headers.setdefault("Cache-Control", "no-store")
        return response
