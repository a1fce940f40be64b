"""The page for tables without a grid, with its script's sentences."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.translations.messages import message
from web.parts import parts
from web.people.session import framed
from web.serving.routes import Answer, page

FREE_TEXTS: Mapping[str, str] = {
    "free_reading": message("Reading the photo… {seconds} s"),
    "free_first": message("Tap the shooter."),
    "free_second": message("{name}: tap the target, or the same figure again to cancel."),
    "free_ruler": message("Tap where the ruler begins."),
    "free_ruler_end": message("Tap where it ends."),
    "free_circle": message("Tap a figure: the line shows {steps} steps from its base."),
    "free_draw": message(
        "Draw with a finger round the top of the terrain. Its sides snap to the edges in the picture."
    ),
    "free_drawn": message("Drawn. {percent} of its sides lie on an edge of the picture; check the others."),
    "free_remove": message("Tap the terrain to remove."),
    "free_find": message("Tap the moved terrain where it was drawn. The program searches the whole table for it."),
    "free_unsure": message("{name}, not seen clearly"),
    "free_is_there": message("Yes, it stands there"),
    "free_is_gone": message("No, nobody stands there"),
    "free_given": message("The match now uses this table."),
    "free_as_it_stands": message("Accept the table without changes"),
    "from_above": message("Seen from above"),
    "back": message("Back"),
    "free_nothing": message("The table has no effect on it."),
}


@page("/free", "The table without a grid.")
def free_table() -> Answer:
    match = parts().match.session
    return framed(
        "free/free",
        FREE_TEXTS,
        has_desk=parts().readers.free is not None,
        has_match=match is not None and not match.timeline.game.has_grid,
    )
