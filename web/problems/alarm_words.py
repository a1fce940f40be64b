"""What is said when camera, markers or light are no longer as they were."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.errors import CameraAlarm
from assistant.translations.messages import message
from assistant.translations.speech import Speech

ALARMS: Mapping[str, str] = {
    "HIDDEN": message("Too few of the table's markers are seen. Take away what covers them, or turn the camera back."),
    "MOVING": message("The camera is being moved. Rulings wait until it stands still."),
    "MARKERS_DISAGREE": message("The markers do not lie where they were. Put them back, or set up the table again."),
    "MARKER_ASTRAY": message("Marker {id} is not where it was. It is left out until it lies still."),
    "BLURRED": message("The picture has lost its focus. Let the camera focus again, or wipe the lens."),
    "TOO_DARK": message("The picture is too dark. Switch on a lamp."),
    "TOO_BRIGHT": message("The picture is too bright. Turn the lamp or the exposure down."),
    "CAMERA_MOVED": message("The camera was moved by {mm} mm and {deg} degrees. Its place was found again."),
    "MARKER_MOVED": message("Marker {id} was moved. Its new place is used from now on."),
    "LIGHT_CHANGED": message("The light has changed. Colours are judged anew."),
}
"""What ``calibration.drift`` notices, by its names; the page never imports the calibration."""


def worded_alarm(alarm: CameraAlarm, speech: Speech) -> str:
    """The sentence of an alarm or change in the reader's language."""
    text = ALARMS.get(alarm.name)
    if text is None:
        return str(alarm)
    return speech.text(text, **{name: round(value, 1) for name, value in alarm.values.items()})
