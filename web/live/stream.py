"""The table as it is now, and the stream that tells of every change."""

from __future__ import annotations

from assistant.translations.speech import Speech
from web.live.needs import LivePage, live_page
from web.people.session import current_speech
from web.people.streaming import stream_response
from web.problems.errors import word_error
from web.serving.roles import Right
from web.serving.routes import Answer, get

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
        "strip": None if page.strip is None else page.strip.shown,
        "problems": [
            {"part": p.part, "sentence": word_error(p.error, speech), "since_s": round(p.since_s, 3)}
            for p in page.problem_list.problems
        ],
    }


@get("/now", Right.WATCH, "The newest shot, the strip and the problems; the stream goes on after `seq`.")
def now() -> Answer:
    return now_document(live_page(), current_speech())


@get("/events", Right.WATCH, "The event stream; Last-Event-ID or ?after= resumes it.", gives="text/event-stream")
def events() -> Answer:
    page = live_page()
    return stream_response(page.hub, now_document(page, current_speech()), EVENT_RIGHTS)
