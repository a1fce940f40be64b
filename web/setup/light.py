"""The initiative light: the kinds of light, the current one, and the choice of another."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from assistant.app.setup.light import LightChooser, LightState
from assistant.errors import CannotDo, StripLost
from assistant.translations.messages import said
from assistant.translations.speech import Speech
from web.parts import parts
from web.people.session import current_speech
from web.problems.errors import word_error
from web.serving.roles import Right
from web.serving.routes import Answer, get, post


class NoLightDesk(CannotDo):
    """This table offers no choice of light."""

    http_status = 404


class LightChoice(Struct, forbid_unknown_fields=True):
    """The light to use: a kind's id or auto, and a port, an address or auto."""

    address: Annotated[str, Meta(max_length=200)]
    kind: Annotated[str, Meta(min_length=1, max_length=64)] = "auto"


def light_document(state: LightState, speech: Speech) -> dict[str, Any]:
    """Return the light's state for the page, in the reader's language."""
    return {
        "kind": state.kind,
        "address": state.port,
        "is_lit": state.lit_kind is not None,
        "sentence": word_error(StripLost(state.sentence), speech),
        "kinds": [
            {"id": kind.id, "about": kind.about.worded(speech.language), "is_lit": kind.id == state.lit_kind}
            for kind in state.options
        ],
        "addresses": list(state.ports),
    }


def _desk() -> LightChooser:
    desk = parts().light
    if desk is None:
        raise NoLightDesk(said("No light can be chosen at this table."))
    return desk


@get("/wizard/light", Right.OWN, "Every kind of light, and the one that is lit.")
def light() -> Answer:
    return light_document(_desk().state(), current_speech())


@post("/wizard/light", Right.OWN, LightChoice, "Use another light from now on.")
def choose_light(wanted: LightChoice) -> Answer:
    """The search runs while this answers."""
    desk = _desk()
    desk.choose(wanted.kind, wanted.address.strip())
    return light_document(desk.state(), current_speech())
