"""A device's event stream: everything visible to its role, until the device ends or changes role."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from flask import Response, request

from web.people.door import front_door
from web.people.session import current_device, current_listener, current_role, current_token
from web.serving.events import EventHub, StreamEvent, stream
from web.serving.roles import Right, Role, may


def may_see(role: Role, event: StreamEvent, rights: Mapping[str, Right]) -> bool:
    """Return whether a role gets an event. Nobody gets one of an unlisted kind."""
    right = rights.get(event.kind)
    return right is not None and may(role, right)


def stream_response(hub: EventHub, hello: Mapping[str, object], rights: Mapping[str, Right]) -> Response:
    """Return server-sent events. ``Last-Event-ID`` (or ``?after=``) resumes an interrupted stream.

    Args:
        hub: publishes the events.
        hello: the first message to a new page.
        rights: the right for each kind of event. Nobody gets an unlisted kind.

    Raises:
        TooManyStreams: no place is free.
    """
    devices, role = front_door().devices, current_role()
    last = request.headers.get("Last-Event-ID") or request.args.get("after")
    token, was_joined = current_token(), current_device() is not None
    holding = hub.place(current_listener())
    place = holding.__enter__()

    def is_still_here() -> bool:
        """Return whether the device still has its role. Otherwise its page must reconnect."""
        device = devices.known(token)
        return (device is not None and device.role == role) if was_joined else True

    def lines() -> Iterator[bytes]:
        try:
            yield from stream(hub, hello, last, lambda event: may_see(role, event, rights), is_still_here, place)
        finally:
            holding.__exit__(None, None, None)

    response = Response(lines(), mimetype="text/event-stream")
    response.headers["X-Accel-Buffering"] = "no"
    return response
