"""The table's current state, and the stream of its changes."""

from __future__ import annotations

from assistant.translations.speech import Speech
from web.parts import VERSION, Parts, parts
from web.people.session import current_speech
from web.people.streaming import stream_response
from web.problems.errors import word_error
from web.problems.routes import OF_CAMERA, watches_table
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
    "tournament": Right.WATCH,
}
"""The right for each kind of event. Nobody gets an unlisted kind."""


def now_document(page: Parts, speech: Speech) -> dict[str, object]:
    """Return the current state of everything that changes."""
    watches = watches_table(page)
    shot, free = (page.shelf.latest_live(), page.readers.free) if watches else (None, None)
    seen = None if free is None else free.latest
    return {
        "version": VERSION,
        "boot": page.hub.boot,
        "seq": page.hub.seq,
        "now_s": round(page.now_s(), 3),
        "has_live": watches and page.watcher.has_live,
        "has_match": page.match.session is not None,
        "match_run": page.match.run,
        "takes_frames": page.readers.take_frame is not None,
        "live": None if shot is None else page.shown.news(shot),
        "free": None if seen is None else {"shot": seen.id, "source": seen.source},
        "strip": None if page.strip is None else page.strip.shown,
        "problems": [
            {"part": p.part, "sentence": word_error(p.error, speech), "since_s": round(p.since_s, 3)}
            for p in page.problems.problems
            if watches or p.part not in OF_CAMERA
        ],
    }


@get("/now", Right.WATCH, "The newest shot, the strip and the problems; the stream goes on after `seq`.")
def now() -> Answer:
    return now_document(parts(), current_speech())


@get("/events", Right.WATCH, "The event stream; Last-Event-ID or ?after= resumes it.", gives="text/event-stream")
def events() -> Answer:
    page = parts()
    return stream_response(page.hub, now_document(page, current_speech()), EVENT_RIGHTS)
