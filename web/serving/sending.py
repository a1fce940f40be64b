"""Send pages and their files, compressed if the browser accepts it."""

from __future__ import annotations

import gzip

from flask import Response, abort, request

from web.serving.files import page_files
from web.serving.routes import Answer, page


@page("/static/<feature>/<name>", "A file of the page.", gives="*/*")
def static(feature: str, name: str) -> Answer:
    """The browser revalidates it each time."""
    return send_page_file(f"{feature}/{name}")


@page("/favicon.ico", "The page's icon.", gives="image/svg+xml")
def icon() -> Answer:
    return send_page_file("shell/icon.svg")


def page_response(text: str) -> Response:
    """Return a page, made for one request."""
    return _compress(Response(text, mimetype="text/html"), gzip.compress(text.encode(), mtime=0))


def send_page_file(name: str) -> Answer:
    """Return a file of the page, as ``FEATURE/NAME``, or 404."""
    file = page_files().get(name)
    if file is None:
        abort(404)
    response = _compress(Response(file.plain, mimetype=file.mimetype), file.gzipped)
    response.headers["Cache-Control"] = "no-cache"
    response.set_etag(file.etag)
    return response.make_conditional(request)


def _compress(response: Response, gzipped: bytes) -> Response:
    """Return the response, compressed if the browser accepts it."""
    response.headers["Vary"] = "Accept-Encoding"
    if request.accept_encodings.quality("gzip") > 0:
        response.set_data(gzipped)
        response.headers["Content-Encoding"] = "gzip"
    return response


def lasting_jpeg(jpeg: bytes) -> Response:
    """Return a picture that never changes under its name, so that this device's browser may cache it."""
    response = Response(jpeg, mimetype="image/jpeg")
    response.headers["Cache-Control"] = "private, max-age=3600, immutable"
    return response


def send_report(report: bytes, shot_id: str) -> Response:
    """Return the file of a wrong reading, for saving on the device. It goes nowhere else."""
    response = Response(report, mimetype="application/zip")
    response.headers.set("Content-Disposition", "attachment", filename=f"sightline-report-{shot_id[-8:]}.zip")
    response.headers["Cache-Control"] = "no-store"
    return response
