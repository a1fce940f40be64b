"""What a browser needs to keep the page on a home screen: manifest, service worker, and the certificate to trust."""

from __future__ import annotations

from flask import Blueprint, Response, abort, jsonify
from flask.typing import ResponseReturnValue

from web.page.needs import front_page
from web.people.session import current_speech
from web.serving.roles import Right
from web.serving.routes import RouteFacts, route

blueprint = Blueprint("installing", __name__)

BACK_COLOR = "#0d1319"
"""The page's own background in the dark, so that nothing flashes while it starts."""

ICONS = (("icon-192.png", "192x192"), ("icon-512.png", "512x512"))


@route(
    blueprint,
    "GET",
    "/manifest.webmanifest",
    RouteFacts(Right.PUBLIC, "What the installed page is called and looks like.", gives="application/manifest+json"),
)
def manifest() -> ResponseReturnValue:
    """The manifest, in the reader's language."""
    speech = current_speech()
    response = jsonify(
        {
            "name": speech.text("Sightline: the table's referee"),
            "short_name": "Sightline",
            "lang": speech.language,
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "background_color": BACK_COLOR,
            "theme_color": BACK_COLOR,
            "icons": [
                {"src": f"/static/shell/{name}", "sizes": size, "type": "image/png", "purpose": "any maskable"}
                for name, size in ICONS
            ],
        }
    )
    response.mimetype = "application/manifest+json"
    return response


@route(
    blueprint,
    "GET",
    "/certificate",
    RouteFacts(
        Right.PUBLIC, "The certificate by which a device may trust this page.", gives="application/x-x509-ca-cert"
    ),
)
def certificate() -> ResponseReturnValue:
    """The authority's certificate, where this machine made one."""
    pem = front_page().authority_pem
    if pem is None:
        abort(404)
    response = Response(pem, mimetype="application/x-x509-ca-cert")
    response.headers["Content-Disposition"] = "attachment; filename=sightline.crt"
    return response
