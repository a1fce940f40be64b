"""The sentences of the set-up view, in the reader's language.

What ``calibration`` says about pictures and markers it says itself, for the terminal and the page alike.
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.app.setup.values import SetUpStep
from assistant.translations.messages import message
from assistant.translations.speech import Speech
from calibration.lens_guidance import Missing

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

PART_SENTENCE = message("Move the board to the marked part of the picture.")

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
    "light_any": message("Find out by itself"),
    "setup_saved": message("Saved as “{name}”."),
    "setup_doubtful": message(
        "Look at what has a question mark. More light, or a camera from higher up, makes it surer."
    ),
    "setup_all_sure": message("Everything was seen clearly. Compare it with your table."),
}
"""What the scripts of the set-up say, by the names under which they ask for it."""


def next_sentence(missing: Missing, speech: Speech) -> str:
    """What to do next with the lens board."""
    if missing.parts:
        return speech.text(PART_SENTENCE)
    return missing.sentence().worded(speech.language)


def setup_texts(speech: Speech) -> dict[str, str]:
    """The scripts' sentences in the reader's language; they fill in the ``{named}`` places."""
    return {name: speech.text(text) for name, text in SETUP_TEXTS.items()}
