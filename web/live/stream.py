"""The table as it is now, and the stream that tells of every change."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue

from assistant.translations.speech import Speech
from web.live.needs import LivePage, live_page
from web.people.session import current_device, current_listener, current_role, current_speech, current_token
from web.problems.errors import word_error
from web.serving.events import StreamEvent, stream
from web.serving.roles import Right, Role, may
from web.serving.routes import API_ROOT, RouteFacts, route

blueprint = Blueprint("stream", __name__, url_prefix=API_ROOT)

EVENT_RIGHTS = {
    "hello": Right.WATCH,
    "beat": Right.WATCH,
    "resync": Right.WATCH,
    "live": Right.WATCH,
    "strip": Right.WATCH,
    "problems": Right.WATCH,
    "match": Right.WATCH,
    "ruling": Right.WATCH,
}
"""What a device needs to be told of each kind of event; a kind that is not listed is told to nobody."""


def may_see(role: Role, event: StreamEvent) -> bool:
    """Whether a device of that role is told of the event."""
    right = EVENT_RIGHTS.get(event.kind)
    return right is not None and may(role, right)


def now_document(page: LivePage, speech: Speech) -> dict[str, object]:
    """Everything that changes, as it is at this moment."""
    shot = page.shelf.latest_live()
    return {
        "version": page.version,
        "boot": page.hub.boot,
        "seq": page.hub.seq,
        "now_s": round(page.now_s(), 3),
        "has_live": page.has_live,
        "has_match": page.match is not None,
        "match_run": page.match_run,
        "takes_frames": page.take_frame is not None,
        "live": None if shot is None else page.shown.news(shot),
        "strip": page.shown.strip,
        "problems": [
            {"part": p.part, "sentence": word_error(p.error, speech), "since_s": round(p.since_s, 3)}
            for p in page.problem_list.problems
        ],
    }


@route(blueprint, "GET", "/now", RouteFacts(Right.WATCH, "The newest shot, the strip and the problems."))
def now() -> ResponseReturnValue:
    """The state to start from; the stream tells what changes after ``seq``."""
    return jsonify(now_document(live_page(), current_speech()))


@route(blueprint, "GET", "/events", RouteFacts(Right.WATCH, "The event stream.", gives="text/event-stream"))
def events() -> ResponseReturnValue:
    """Server-sent events; ``Last-Event-ID`` (or ``?after=``) resumes where a page was cut off."""
    page, role = live_page(), current_role()
    last = request.headers.get("Last-Event-ID") or request.args.get("after")
    hello = now_document(page, current_speech())
    token, was_joined = current_token(), current_device() is not None
    holding = page.hub.place(current_listener())
    place = holding.__enter__()

    def is_still_here() -> bool:
        """Whether the device has not been ended since, and is what it was; else its page has to ask anew."""
        device = page.devices.known(token)
        return (device is not None and device.role == role) if was_joined else True

    def lines() -> Iterator[bytes]:
        try:
            yield from stream(page.hub, hello, last, lambda event: may_see(role, event), is_still_here, place)
        finally:
            holding.__exit__(None, None, None)

    response = Response(lines(), mimetype="text/event-stream")
    response.headers["X-Accel-Buffering"] = "no"
    return response
