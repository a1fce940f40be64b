"""Routes of the demo: another game, and the start of simulated moves."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Struct

from assistant.app.matches.demo_stage import DemoStage
from assistant.errors import CannotDo
from assistant.translations.messages import said
from web.parts import parts
from web.serving.roles import Right
from web.serving.routes import Answer, post


class NoDemo(CannotDo):
    """This is no demo, or a demo without a tour."""

    http_status = 404


class WantedGame(Struct, forbid_unknown_fields=True):
    """The game for the demo."""

    game: Annotated[str, msgspec.Meta(max_length=200)]


@post("/demo/game", Right.PLAY, WantedGame, "Show the demo of another game to everybody, on a table that is still.")
def game(wanted: WantedGame) -> Answer:
    demo = _demo()
    demo.choose(wanted.game)
    return {"games": [{"id": one.id, "title": one.title, "is_shown": one.is_shown} for one in demo.games]}


@post("/demo/moves", Right.PLAY, None, "Let the simulated hands begin to move figures.")
def moves() -> Answer:
    _demo().let_move()
    return {}


@post(
    "/demo/attack",
    Right.PLAY,
    None,
    "Play the demo's match to its next blow; answers with the figure that was hurt, or null.",
)
def shown_attack() -> Answer:
    return {"struck": _demo().attack()}


def _demo() -> DemoStage:
    demo = parts().demo
    if demo is None:
        raise NoDemo(said("This is not a demo with a tour. Start one with “sightline demo”."))
    return demo
