"""The current request's device, its role and its language."""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from flask import Flask, Response, g, render_template, request

from assistant.app.fair_shares import SenderShare
from assistant.documents.table_event import Person
from assistant.errors import SightlineError
from assistant.translations.messages import said
from assistant.translations.speech import Speech, choose_language, speech
from web.people.devices import KEPT_DEVICE_S, Device
from web.people.door import COOKIE, front_door
from web.serving.events import Listener
from web.serving.files import modules_of
from web.serving.roles import Right, Role, may
from web.serving.routes import current_route
from web.serving.security import check_origin
from web.serving.sending import page_response
from web.shell.texts import client_texts

LANGUAGE_COOKIE = "sightline-language"
COOKIE_LIFETIME_S = int(KEPT_DEVICE_S)


security_log = logging.getLogger("sightline.security")
"""Log of joins, exclusions and exports. It never contains a code, a token or a chosen name."""


MOST_LINES = 30
"""Lines of one kind per minute, so that a flood does not fill the disk."""

_logged: list[Any] = [0, Counter()]
_log_lock = threading.Lock()


class NotAllowed(SightlineError):
    """This device's role lacks a right."""

    http_status = 403


def require_head(role: Role) -> None:
    """Require a device that may decide an appeal.

    Raises:
        NotAllowed: the device is not the head judge's.
    """
    if not may(role, Right.HEAD):
        raise NotAllowed(said("Only the head judge rules on an appeal."))


def note_security(event: str, *facts: object) -> None:
    """Log a security event with the request's device. A flood of one kind is cut."""
    minute = int(time.monotonic() // 60)
    with _log_lock:
        if _logged[0] != minute:
            _logged[0], _logged[1] = minute, Counter()
        _logged[1][event] += 1
        count = _logged[1][event]
    if count > MOST_LINES:
        return
    device = current_device()
    by = f"guest of {request.remote_addr}" if device is None else f"device {device.id}"
    more = ", further ones this minute are not written" if count == MOST_LINES else ""
    security_log.warning(f"{event} (by %s%s)", *facts, by, more)


def current_speech() -> Speech:
    """Return the current request's language. ``?lang=`` comes first, so that a link can carry it."""
    if "speech" not in g:
        chosen = request.args.get("lang") or request.cookies.get(LANGUAGE_COOKIE)
        g.speech = speech(choose_language(request.accept_languages.values(), chosen))
    spoken: Speech = g.speech
    return spoken


def current_token() -> str | None:
    """Return the device's token from its cookie."""
    return request.cookies.get(COOKIE)


def current_device() -> Device | None:
    """Return the request's device, or None before it has a cookie.

    A hand shown in another match is covered in this one, since its holder now is unknown.
    """
    if "device" not in g:
        door = front_door()
        known = door.devices.known(current_token())
        is_old = known is not None and known.holder and known.side_of != door.match_mark
        g.device = replace(known, holder="") if known is not None and is_old else known
    device: Device | None = g.device
    return device


def look_again() -> None:
    """Reload the device for the rest of the request after a change."""
    g.pop("device", None)


def current_listener() -> Listener:
    """Return the request's sender as a holder of stream places. Guests of one address share theirs."""
    device = current_device()
    address = request.remote_addr or ""
    if device is None:
        return Listener(address=address)
    return Listener(device.id, address, has_joined=device.has_joined)


def who_asks() -> str:
    """Return the sender for rate limits: a joined device, or an address with all its guests."""
    listener = current_listener()
    return listener.device if listener.has_joined else listener.address


def current_share() -> SenderShare:
    """Return the sender's own share of the page's storage."""
    listener = current_listener()
    return SenderShare(who_asks(), is_guest=not listener.has_joined)


def meet_device() -> Device:
    """Return the device that opens a page. Admit a new one and give it a token."""
    device = current_device()
    if device is None:
        kind = browser_kind(request.user_agent.string)
        g.new_token, device = front_door().devices.admit(kind=kind, address=request.remote_addr or "")
        g.device = device
    return device


def current_role() -> Role:
    """Return the device's role, a guest's before it joins."""
    device = current_device()
    return front_door().devices.guest_role if device is None else device.role


def current_person() -> Person:
    """Return the request's person as judges' calls name them: a judge by right, else a player."""
    device = current_device()
    role: Literal["judge", "player"] = "judge" if may(current_role(), Right.JUDGE) else "player"
    return Person(role=role) if device is None else Person(role=role, name=device.called, side=device.own_side)


def give_cookie(response: Response, token: str) -> None:
    """Let the browser keep the device's token, inaccessible to scripts and other sites."""
    response.set_cookie(
        COOKIE, token, max_age=COOKIE_LIFETIME_S, httponly=True, samesite="Strict", secure=request.is_secure
    )


def guard(app: Flask) -> None:
    """Refuse every request without its route's right, before the view runs. New devices get a token."""

    @app.before_request
    def check() -> None:
        if request.endpoint is None:
            return  # an unknown address; Flask answers 404 or 405
        route = current_route()
        if route is None:
            raise NotAllowed(said("No device may ask for this."))
        request.max_content_length = route.most_bytes
        if request.method == "POST":
            check_origin(request)
        if not may(current_role(), route.right):
            note_security("%s was refused", request.endpoint)
            raise NotAllowed(said("This device may not do that. Ask the host for a code."))

    @app.after_request
    def keep_token(response: Response) -> Response:
        if "new_token" in g:
            give_cookie(response, g.new_token)
        return response


_SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "CrOS": "Chromebook",
    "Windows": "Windows",
    "Macintosh": "Mac",
    "Linux": "Linux",
}

_BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "YaBrowser/": "Yandex",
    "SamsungBrowser/": "Samsung",
    "Firefox/": "Firefox",
    "FxiOS/": "Firefox",
    "CriOS/": "Chrome",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
"""The browser by a word of the header, the rarest first, since nearly every browser also claims to be Safari."""


def browser_kind(user_agent: str) -> str:
    """Return the kind of device, as ``iPhone, Safari``: our own words only, empty for an unknown program."""
    found = (next((name for word, name in words.items() if word in user_agent), "") for words in (_SYSTEMS, _BROWSERS))
    return ", ".join(filter(None, found))


def framed(name: str, texts: Mapping[str, str], **facts: Any) -> Response:
    """Return a page's document for the request's language and role.

    Args:
        name: the page as ``FEATURE/NAME``: the name of its template and of its first script.
        texts: its scripts' sentences beyond those of every page.
        facts: further values for the template.
    """
    speech = current_speech()
    text = render_template(
        f"{name}.html",
        _=speech.text,
        language=speech.language,
        modules=modules_of(f"{name}.js"),  # listed, so that the browser fetches them all at once
        role=meet_device().role,
        texts={**client_texts(speech), **{key: speech.text(sentence) for key, sentence in texts.items()}},
        **facts,
    )
    return page_response(text)
