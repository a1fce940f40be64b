"""What the camera over a table without a grid tells a match: its picture from above, and who stands elsewhere."""

from __future__ import annotations

from typing import Any

from assistant.app.live.free_match import list_offers
from assistant.app.live.free_words import move_words
from assistant.match.actor import Actor
from assistant.match.game import GameState
from assistant.match.ground import free_table_of
from assistant.match.session import Session
from assistant.translations.speech import Speech
from web.match.needs import FreePictures


def photo_of(game: GameState, pictures: FreePictures | None) -> dict[str, Any] | None:
    """The newest picture from above and the part of the table that it shows, in mm; None where it shows another one."""
    shot = None if pictures is None else pictures.latest
    if shot is None or shot.plan is None or game.has_grid or not game.ground:
        return None
    if shot.sighting.table.size_mm != free_table_of(game).size_mm:
        return None
    return {"shot": shot.id, "href": f"/api/v1/free/shots/{shot.id}/plan", "box": list(shot.plan.box_mm)}


def list_seen_models(
    session: Session, pictures: FreePictures | None, actor: Actor, speech: Speech
) -> list[dict[str, Any]]:
    """Who stands elsewhere than the match has it, each with commands that say what it did, or why it may not have."""
    shot = None if pictures is None else pictures.latest
    if shot is None:
        return []
    found = []
    for move, seen in list_offers(session, shot.sighting):
        ways = [(one, session.way(one.command, actor, speech.language)["refusal"]) for one in seen.choices]
        choices = [
            {"text": one.text.worded(speech.language), "command": dict(one.command)} for one, no in ways if no is None
        ]
        refusal = next((no for _, no in ways if no is not None), None) if not choices else None
        question = None if seen.question is None else seen.question.worded(speech.language)
        told = {"text": move_words(move, speech), "question": question, "refusal": refusal, "choices": choices}
        found.append({"figure": move.figure, **told})
    return found
