"""The sentences of the set-up view, in the reader's language.

``calibration`` says what it has to say in English for the terminal; here each of its kinds has its own message.
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.app.setup.values import SetUpStep
from calibration.lens_guidance import Missing, Refusal
from calibration.table_solve import Fault, MarkerFault
from web.i18n import Speech, message

STEP_TITLES: Mapping[SetUpStep, str] = {
    "camera": message("Camera"),
    "sheets": message("Print"),
    "lens": message("Lens"),
    "table": message("Table"),
    "game": message("Game"),
    "teach": message("Own tiles"),
    "save": message("Save"),
    "read": message("Try it"),
}

SHEET_TITLES: Mapping[str, str] = {
    "table-markers": message("Table markers"),
    "lens-board": message("Lens board"),
    "tiles": message("Tiles"),
    "base-rings": message("Base rings"),
    "door-labels": message("Door labels"),
}

CAMERA_TITLES: Mapping[str, str] = {
    "photos": message("Photos of a phone or camera"),
    "push": message("The camera of the phone or computer that shows this page"),
    "virtual": message("Simulated camera, to try everything out"),
}

USB_TITLE = message("USB or built-in camera {number}")

REFUSALS: Mapping[Refusal, str] = {
    Refusal.NO_BOARD: message("The lens board is not seen. Hold it up still, in good light, with most of it in view."),
    Refusal.MIRRORED: message(
        "This picture is mirrored. Switch mirroring off in the camera or its program, or use the rear camera."
    ),
    Refusal.FEW_CORNERS: message(
        "Only a corner of the board is seen. Move it into the picture, or take your fingers off it."
    ),
    Refusal.BLURRED: message("The picture is blurred. Hold the board still, or give more light."),
    Refusal.GLARE: message("A lamp or window mirrors in the board. Tilt it a little."),
    Refusal.MOVING: message("Good. Hold it still for a moment."),
    Refusal.ALIKE: message("This is like a picture that is there already. Move or tilt the board."),
}

TILTS: Mapping[str, str] = {
    "left": message("Tilt the board so that its left edge is nearer to the camera."),
    "right": message("Tilt the board so that its right edge is nearer to the camera."),
    "top": message("Tilt the board so that its top edge is nearer to the camera."),
    "bottom": message("Tilt the board so that its bottom edge is nearer to the camera."),
}

PART_SENTENCE = message("Move the board to the marked part of the picture.")

FAULTS: Mapping[Fault, str] = {
    Fault.DUPLICATED: message("Marker {id} lies on the table twice. Take one of them away."),
    Fault.MIRRORED: message("Marker {id} is printed mirrored. Print the sheet again without mirroring."),
    Fault.MOVED: message("Marker {id} was moved between the photos. Fix it to the table and take the photos again."),
    Fault.RESIZED: message("Marker {id} is printed in another size than the others. Print it again."),
    Fault.BENT: message("Marker {id} does not lie flat. Press it down, or glue it to card."),
}


SETUP_TEXTS: Mapping[str, str] = {
    "setup_busy": message("Working… {seconds} s"),
    "setup_taken": message("Taken."),
    "camera_refused": message("The browser does not give its camera. Allow it for this page and try again."),
    "setup_insecure": message(
        "Browsers give their camera to secure pages alone. Open the page by its https address, or hand in photos."
    ),
    "setup_markers": message("Markers: {ids}"),
    "setup_views": message("{views} of {wanted} pictures"),
    "setup_dropped": message("Picture {n}: left out"),
    "setup_view_error": message("Picture {n}: {px} pixels"),
    "setup_bars": message("Error of each picture"),
    "setup_sample": message("Sample game"),
    "setup_use": message("Play with {name}"),
    "setup_saved": message("Saved as “{name}”."),
    "setup_doubtful": message(
        "Look at what has a question mark. More light, or a camera from higher up, makes it surer."
    ),
    "setup_all_sure": message("Everything was seen clearly. Compare it with your table."),
}
"""What the scripts of the set-up say, by the names under which they ask for it."""


def fault_sentence(fault: MarkerFault, speech: Speech) -> str:
    """What is wrong with a marker."""
    return speech.text(FAULTS[fault.fault], id=fault.id)


def next_sentence(missing: Missing, speech: Speech) -> str:
    """What to do next with the lens board."""
    if missing.parts:
        return speech.text(PART_SENTENCE)
    if missing.tilts:
        return speech.text(TILTS[missing.tilts[0]])
    if missing.views:
        return speech.count(
            "{n} more picture, a little different.", "{n} more pictures, each a little different.", missing.views
        )
    return speech.text("That is enough. The lens can be worked out.")


def setup_texts(speech: Speech) -> dict[str, str]:
    """The scripts' sentences in the reader's language; they fill in the ``{named}`` places."""
    return {name: speech.text(text) for name, text in SETUP_TEXTS.items()}
