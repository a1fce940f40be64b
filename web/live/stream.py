"""The table as it is now, and the stream that tells of every change."""

from __future__ import annotations

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue

from assistant.translations.speech import Speech
from web.live.needs import LivePage, live_page
from web.people.session import current_speech
from web.people.streaming import stream_response
from web.problems.errors import word_error
from web.serving.roles import Right
from web.serving.routes import API_ROOT, RouteFacts, route

blueprint = Blueprint("stream", __name__, url_prefix=API_ROOT)

EVENT_RIGHTS = {
    "hello": Right.WATCH,
    "beat": Right.WATCH,
    "resync": Right.WATCH,
    "live": Right.WATCH,
    "free": Right.WATCH,
    "strip": Right.WATCH,
    "problems": Right.WATCH,
    "match": Right.WATCH,
    "ruling": Right.WATCH,
    "call": Right.WATCH,
}
"""What a device needs to be told of each kind of event; a kind that is not listed is told to nobody."""


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
        "free": page.free_news,
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
    page = live_page()
    return stream_response(page.hub, now_document(page, current_speech()), EVENT_RIGHTS)
