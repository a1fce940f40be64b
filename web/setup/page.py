"""The set-up page, one document for all its steps, with its scripts' sentences."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.translations.messages import message
from web.parts import parts
from web.people.session import framed
from web.serving.routes import Answer, page

SETUP_TEXTS: Mapping[str, str] = {
    "setup_busy": message("Working… {seconds} s"),
    "setup_taken": message("Taken."),
    "camera_refused": message("The browser blocks its camera. Allow it for this page and try again."),
    "setup_insecure": message(
        "Browsers allow the camera on secure pages only. Open the https address of this page, or upload photos."
    ),
    "setup_markers": message("Markers: {ids}"),
    "setup_views": message("{views} of {wanted} pictures"),
    "setup_dropped": message("Picture {n}: left out"),
    "setup_view_error": message("Picture {n}: {px} pixels"),
    "setup_bars": message("Error of each picture"),
    "setup_sample": message("Sample game"),
    "setup_use": message("Play with {name}"),
    "light_any": message("Find it automatically"),
    "setup_taught": message("There already: {names}"),
    "setup_saved": message("Saved as “{name}”."),
    "setup_doubtful": message("Check everything with a question mark. More light or a higher camera helps."),
    "setup_all_sure": message("Everything was seen clearly. Compare it with your table."),
}


@page("/setup", "The set-up, step by step.")
def setup() -> Answer:
    return framed("setup/setup", SETUP_TEXTS, has_light=parts().light is not None)
