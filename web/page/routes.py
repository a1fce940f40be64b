"""Routes of the page itself, its installation, the documents in use, and the API's own document."""

from __future__ import annotations

from flask import Response, abort, current_app, jsonify

from assistant.translations.catalogue import languages
from web.page.views import views_of
from web.parts import VERSION, parts
from web.people.seats import cover_hand
from web.people.session import current_speech, framed, meet_device
from web.rulings.rulebook import cell_games, free_games
from web.serving.openapi import openapi_document
from web.serving.roles import ROLE_NAMES, Right, Role, is_only_watching
from web.serving.routes import Answer, get, page
from web.serving.sending import send_page_file

BACK_COLOR = "#0d1319"
"""The page's dark background, so that nothing flashes while it starts."""

ICONS = (("icon-192.png", "192x192"), ("icon-512.png", "512x512"))


@page("/", "The page.")
def tablet() -> Answer:
    cover_hand()  # another person may hold the device by now
    return _page(is_wall=False)


@page("/wall", "The page for a big screen: it shows every ruling and asks nothing.")
def wall() -> Answer:
    return _page(is_wall=True)


def _page(*, is_wall: bool) -> Answer:
    here, device = parts(), meet_device()
    watches, match = is_only_watching(device.role), here.match.session
    played_on = "camera" if match is None else match.played_on
    is_watched = played_on == "camera"
    views = views_of(
        has_match=match is not None and not is_wall, only_watches=watches, has_table=is_wall or played_on != "nothing"
    )
    return framed(
        "page/page",
        {},
        count=current_speech().count,
        languages=languages(),
        is_wall=is_wall,
        demo=None if is_wall or watches else here.demo,
        role_name=ROLE_NAMES[device.role],
        role_names=ROLE_NAMES,
        device_number=device.number,
        only_watches=watches,
        has_joined=device.has_joined,
        has_live=is_watched and here.watcher.has_live,
        has_free=is_watched and here.readers.free is not None,
        may_teach=device.role is Role.OWNER and here.demo is None and _reads_sample(),
        has_camera=here.watcher.has_live or here.readers.free is not None,
        played_on=played_on,
        has_authority=here.door.authority_pem is not None,
        has_match=match is not None,
        has_tournament=not is_wall and here.referee is not None and here.referee.member is not None,
        match_run=here.match.run,
        views=views[:1] if is_wall else views,
        ruleset=None if match is None else match.header.ruleset,
        rulesets=cell_games(),
        free_rulesets=free_games(),
        all_rulesets={**cell_games(), **free_games()},
        version=VERSION,
    )


def _reads_sample() -> bool:
    return parts().readers.reader.setup.sources.get("tiles") == "sample"


@page("/sw.js", "The service worker, which keeps the frame of the installed page.", gives="text/javascript")
def service_worker() -> Answer:
    return send_page_file("page/sw.js")


@page("/manifest.webmanifest", "The name and look of the installed page.", gives="application/manifest+json")
def manifest() -> Answer:
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


@page("/certificate", "The certificate by which a device may trust this page.", gives="application/x-x509-ca-cert")
def certificate() -> Answer:
    pem = parts().door.authority_pem
    if pem is None:
        abort(404)
    response = Response(pem, mimetype="application/x-x509-ca-cert")
    response.headers["Content-Disposition"] = "attachment; filename=sightline.crt"
    return response


@get("/setup", Right.WATCH, "The documents by which photos are read.")
def setup() -> Answer:
    used = parts().readers.reader.setup
    return {
        "name": used.name,
        "is_simulated": used.is_simulated,
        "sources": dict(used.sources),
        "tiles": len(used.tiles.sides),
        "figures": [{"id": f.id, "kind": f.kind, "side": f.side, "ring": f.ring} for f in used.roster.figures],
        "rulesets": dict(cell_games()),
        "addresses": list(parts().door.addresses),
        "has_live": parts().watcher.has_live,
        "version": VERSION,
    }


@get("/portraits", Right.WATCH, "The figures and kinds of the box that were taught with a picture.")
def portraits() -> Answer:
    return {"names": sorted(_portraits())}


@get(
    "/portraits/<name>",
    Right.WATCH,
    "The taught picture of a figure, or of the first one of a kind.",
    gives="image/png",
)
def portrait(name: str) -> Answer:
    picture = _portraits().get(name)
    if picture is None:
        abort(404)
    response = Response(picture, mimetype="image/png")
    response.headers["Cache-Control"] = "private, max-age=600"
    return response


def _portraits() -> dict[str, bytes]:
    """Return pictures by figure and by kind. A kind gets its first figure's picture."""
    figures = [one for one in parts().readers.reader.setup.roster.figures if one.look and one.look.picture_png]
    kinds = {one.kind: one.look.picture_png for one in reversed(figures) if one.look}
    return kinds | {one.id: one.look.picture_png for one in figures if one.look}


@get("/openapi.json", Right.PUBLIC, "This API as an OpenAPI document.")
def openapi() -> Answer:
    return openapi_document(current_app, VERSION)
