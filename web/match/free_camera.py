"""The camera over a table without a grid: its picture from above, and moved figures."""

from __future__ import annotations

from typing import Any

from assistant.app.live.free_match import list_offers
from assistant.app.live.free_names import SeenMove
from assistant.app.live.free_pictures import FreeTablePictures
from assistant.app.live.table_words import move_words
from assistant.match.actor import Actor
from assistant.match.game import GameState
from assistant.match.ground import free_table_of
from assistant.match.seen_places import SeenAs
from assistant.match.session import Session
from assistant.translations.speech import Speech


def photo_of(game: GameState, pictures: FreeTablePictures | None) -> dict[str, Any] | None:
    """Return the newest picture from above with its part of the table in mm, or None for another table."""
    shot = None if pictures is None else pictures.latest
    if shot is None or shot.plan is None or game.has_grid or not game.ground:
        return None
    if shot.sighting.table.size_mm != free_table_of(game).size_mm:
        return None
    return {"shot": shot.id, "href": f"/api/v1/free/shots/{shot.id}/plan", "box": list(shot.plan.box_mm)}


def list_seen_models(
    session: Session, pictures: FreeTablePictures | None, actor: Actor, speech: Speech
) -> list[dict[str, Any]]:
    """Return the figures displaced from the match, each with explaining commands or a refusal."""
    shot = None if pictures is None else pictures.latest
    if shot is None:
        return []
    offers = list_offers(session, shot.sighting)
    return [_offer_document(session, move, seen, (actor, speech)) for move, seen in offers]


def _offer_document(session: Session, move: SeenMove, seen: SeenAs, reader: tuple[Actor, Speech]) -> dict[str, Any]:
    actor, speech = reader
    ways = [(one, session.way(one.command, actor, speech.language)["refusal"]) for one in seen.choices]
    allowed = [one for one, refusal in ways if refusal is None]
    refusals = [refusal for _, refusal in ways if refusal is not None]
    return {
        "figure": move.figure,
        "text": move_words(move, speech),
        "steps": speech.number(move.steps, 1),
        "question": None if seen.question is None else seen.question.worded(speech.language),
        "refusal": refusals[0] if refusals and not allowed else None,
        "choices": [{"text": one.text.worded(speech.language), "command": dict(one.command)} for one in allowed],
    }
