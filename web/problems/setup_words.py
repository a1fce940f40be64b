"""What goes wrong while a table is set up or a game is taught, worded for the person who does it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from assistant.errors import (
    BadName,
    CalibrationError,
    DraftGone,
    MissingStep,
    NoBackup,
    NoCameraChosen,
    NoDoorShown,
    NoFigureShown,
    NoTileArchive,
    NoTileShown,
    OtherCameraChosen,
    PhotosDiffer,
    PictureMirrored,
    RulerMisread,
    SightlineError,
    StepMissing,
    TeachingFault,
    UnknownCamera,
    Unteachable,
)
from assistant.translations.messages import message
from assistant.translations.speech import Speech

_STEPS: Mapping[MissingStep, str] = {
    "table": message("The camera and the table are not set up yet. Take these steps first."),
    "name": message("The set-up has no name yet. Save it first."),
    "photo": message("No photo of the table was handed in yet. Take or choose one."),
    "reading": message("The table was not read yet. Take this step first."),
}

_FAULTS: Mapping[TeachingFault, str] = {
    "shape": message("This photo shows a tile of another shape. Begin a new tile for it, or photograph again."),
    "name": message("This cannot be a tile's name. Use letters and digits."),
    "alike": message("The tile's name is too like another one's. Choose another."),
    "scale": message("The pictures of this tile set have another scale. Teach into a set of its own."),
}

SETUP_PROBLEMS: Mapping[type[SightlineError], Callable[[Any, Speech], str]] = {
    NoTileShown: lambda _, s: s.text(
        "No tile can be made out between the markers. Lay one tile alone in the middle, with nothing on it, and take "
        "the photo from above in even light."
    ),
    NoFigureShown: lambda _, s: s.text(
        "No figure can be made out between the markers. Stand one figure alone on the bare table, away from its edge, "
        "and take the photo from higher up."
    ),
    NoDoorShown: lambda _, s: s.text(
        "No door can be made out between the markers. Lay one door flat and alone on a bare part of the table, and "
        "take the photo from above."
    ),
    PhotosDiffer: lambda _, s: s.text(
        "This photo has another size than those before. Take all of them with one camera, held the same way, or press "
        "“Begin again” if those before were the wrong ones."
    ),
    PictureMirrored: lambda _, s: s.text(
        "This picture is mirrored. Switch mirroring off in the camera or its program, or use the rear camera."
    ),
    StepMissing: lambda problem, s: s.text(_STEPS[problem.step]),
    Unteachable: lambda problem, s: s.text(_FAULTS[problem.fault]),
    NoTileArchive: lambda _, s: s.text(
        "This file holds no tile set, or is damaged. Choose a zip that was downloaded from the page of tile sets."
    ),
    NoBackup: lambda _, s: s.text(
        "This file is no backup, or it is damaged. Choose a file that was saved with “Download a backup”."
    ),
    BadName: lambda _, s: s.text(
        "This cannot be a name. Use up to 64 letters, digits, spaces, dots and dashes; begin and end with a letter or "
        "digit."
    ),
    RulerMisread: lambda _, s: s.text("No printer is off by so much. Measure the printed ruler again, in millimetres."),
    UnknownCamera: lambda _, s: s.text(
        "This names no camera. Type a web address that begins with http:// or rtsp://, or usb:0 for the first one that "
        "is plugged in."
    ),
    NoCameraChosen: lambda _, s: s.text("No live camera is chosen. Choose one, or hand in photos."),
    OtherCameraChosen: lambda _, s: s.text(
        "Another camera is chosen. Choose the camera of this phone or computer first."
    ),
    DraftGone: lambda _, s: s.text("This photo is no longer kept. Hand it in again."),
    CalibrationError: lambda _, s: s.text(
        "Lens or table cannot be worked out from these pictures. Take them again, sharp and whole, from different "
        "sides, with at least four markers in view."
    ),
}
"""The sentences by their kinds; each kind stands after those that it is a part of."""
