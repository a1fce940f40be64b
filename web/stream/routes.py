"""The overlay page for a streaming program: only initiative, health and the last ruling."""

from __future__ import annotations

from web.people.session import framed
from web.serving.routes import Answer, page


@page("/stream", "Initiative, health and the last ruling on a transparent ground, for a streaming program.")
def stream() -> Answer:
    return framed("stream/stream", {})
