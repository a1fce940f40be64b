"""The answer to everybody who asks for a scene."""

from __future__ import annotations

from flask import Response, jsonify

from assistant.app.live.shots import Shot
from web.people.session import current_speech
from web.scene.drawing import ShotDrawing
from web.scene.settled import settled_words


def scene_answer(shot: Shot, *, as_plan: bool = False) -> Response:
    """The scene of a shot, with what was seen in one sentence."""
    speech = current_speech()
    scene = ShotDrawing(shot, as_plan=as_plan, language=speech.language).document()
    seen = (
        speech.count("{n} figure", "{n} figures", len(scene["figures"])),
        speech.count("{n} door", "{n} doors", len(scene["doors"])),
        speech.count("{n} tile", "{n} tiles", len(scene["tiles"])),
    )
    scene["open_count"] = sum(doubt.is_open for doubt in shot.table.doubts)
    scene["settled"] = settled_words(shot, speech)
    scene["summary"] = speech.text("On the board: {things}.", things=", ".join(seen))
    return jsonify(scene)
