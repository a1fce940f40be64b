"""The page itself and its files."""

from __future__ import annotations

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from assistant.translations.catalogue import languages
from web.page.needs import front_page
from web.page.views import views_of
from web.people.session import current_speech, meet_device
from web.rulings.rulebook import cell_games, free_games
from web.serving.files import modules_of
from web.serving.roles import ROLE_NAMES, Right, is_only_watching
from web.serving.routes import RouteFacts, route
from web.serving.sending import page_response, send_page_file
from web.shell.texts import client_texts

blueprint = Blueprint("page", __name__)

MODULES = modules_of("page/page.js")
"""Modules that the page will ask for, named so that the browser fetches them all at once."""


def _page(template: str, *, is_wall: bool = False) -> ResponseReturnValue:
    state, speech, device = front_page(), current_speech(), meet_device()
    watches = is_only_watching(device.role)
    text = render_template(
        template,
        _=speech.text,
        count=speech.count,
        language=speech.language,
        languages=languages(),
        modules=MODULES,
        is_wall=is_wall,
        demo=None if is_wall or watches else state.demo,
        role=device.role,
        role_name=ROLE_NAMES[device.role],
        role_names=ROLE_NAMES,
        device_number=device.number,
        only_watches=watches,
        guest_role=state.devices.guest_role,
        has_live=state.has_live,
        has_free=state.free is not None,
        has_authority=state.authority_pem is not None,
        has_match=state.match is not None,
        match_run=state.match_run,
        views=views_of(has_match=False)[:1]
        if is_wall
        else views_of(has_match=state.match is not None, only_watches=watches),
        texts=client_texts(speech),
        ruleset=None if state.match is None else state.match.header.ruleset,
        rulesets=cell_games(),
        free_rulesets=free_games(),
        version=state.version,
    )
    return page_response(text)


@route(blueprint, "GET", "/", RouteFacts(Right.PUBLIC, "The page.", gives="text/html"))
def page() -> ResponseReturnValue:
    """The page of the tablet; what it may show depends on the device's role."""
    return _page("page/page.html")


@route(
    blueprint,
    "GET",
    "/wall",
    RouteFacts(Right.PUBLIC, "The page for a big screen: it shows and asks nothing.", gives="text/html"),
)
def wall() -> ResponseReturnValue:
    """The table with every ruling as it is asked for, to be read across a room."""
    return _page("page/page.html", is_wall=True)


@route(
    blueprint,
    "GET",
    "/sw.js",
    RouteFacts(Right.PUBLIC, "What keeps the installed page's frame.", gives="text/javascript"),
)
def service_worker() -> ResponseReturnValue:
    """The service worker, at the top so that it may look after the whole page."""
    return send_page_file("page/sw.js")
