"""The hierarchy of all errors that Sightline raises on purpose.

An error has a class for programs and a sentence for people. The sentence is data (``Said``): a message id and the
values of its fields. The command line, the page and the log word it where they show it (the log in English). A class
with one fixed meaning defines its own sentence. ``web.problems.errors`` maps the classes to HTTP.

Exactly one file maps the errors of cv2 into this tree, one those of the operating system, one those of serial ports. A
bug stays an ordinary Python exception.

    SightlineError
      InputError                 the user's document, file or argument is wrong (exit 2)
        DocumentError            a document breaks its format
          UnknownFormat, MissingField, BadValue
            Unteachable, NoTileArchive, NoBackup, NoEvidence, BadName, RulerMisread, UnknownCamera
        BoardError               the board contradicts itself (carries the status flags)
        UnknownName              a name that the document does not hold
          DraftGone              a teaching photo is no longer kept
        IllegalStep              the rules of the match do not allow this now
          NotYours               someone else decides this
          MovedOn                the match has gone on since the page was drawn
        PhotoUnreadable          the picture file cannot be decoded
          PhotoTooLarge          it has more pixels or bytes than are ever decoded
      CannotDo                   the work could not be done (exit 1); says what to do
        PhotoError               SizeMismatch, TooFewMarkers, PoseAmbiguous, NoTiles, NoFigureShown, NoDoorShown
          NoTileShown            no tile to teach can be made out
          PhotosDiffer           photos that belong together have different sizes
          PictureMirrored        only the mirror image of the picture shows markers
        CameraError              CameraNotFound (NoCameraChosen, OtherCameraChosen), CameraLost
          PicturesStopped, PicturesDamaged, RecordingEnded
        CameraAlarm              camera, markers or light have changed, or are right again
        StripError               PortNotFound, PortBusy, NoAnswer, WrongFirmware, StripLost
        StoreError               the match cannot be saved; NameTaken: another one has its name
        CalibrationError         TooFewViews, SamePlace, PhotosDisagree: lens or table do not follow from the pictures
          StepMissing            another step of the set-up comes first
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Protocol, Self, TypeVar

from assistant.translations.catalogue import ENGLISH
from assistant.translations.messages import Said, counted, message, said, spaced

Kind = TypeVar("Kind", bound="SightlineError")


class SightlineError(Exception):
    """Anything that Sightline refuses or cannot do, described in one plain sentence.

    Args:
        sentence: what is wrong and what to do; a class with one fixed meaning has its own.
        document: the file or document at fault, where there is one.
        field: the field at fault inside it, as a path like ``figures[2].cells``.
    """

    exit_status: ClassVar[int] = 1
    sentence: Said

    def __init__(
        self, sentence: Said | None = None, *, document: str | Said | None = None, field: str | None = None
    ) -> None:
        super().__init__()
        if sentence is not None:
            self.sentence = sentence
        self.document = document
        self.field = field

    def __str__(self) -> str:
        return self.worded(ENGLISH)

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.__dict__)

    def worded(self, language: str) -> str:
        """Return the document, the field and the sentence in that language."""
        where = [] if self.document is None else [_name(self.document, language)]
        if self.field:
            where.append(_place(self.field, language))
        return ": ".join([*where, self.sentence.worded(language)])

    def in_document(self, document: str, within: str = "") -> Self:
        """Return the same error inside a document. ``within`` is prefixed to its field."""
        field = f"{within}{self.field}" if self.field else self.field
        return _again(type(self), {**self.__dict__, "document": document, "field": field})


def _again(kind: type[Kind], facts: Mapping[str, Any]) -> Kind:
    """Copy an error without calling its constructor, whose arguments differ from class to class."""
    made = kind.__new__(kind)
    made.__dict__.update(facts)
    return made


def _name(document: str | Said, language: str) -> str:
    return document.worded(language) if isinstance(document, Said) else document


def _place(field: str, language: str) -> str:
    line = re.match(r"line (\d+)", field)
    return field if line is None else said("line {n}", n=int(line[1])).worded(language) + field[line.end() :]


class InputError(SightlineError, ValueError):
    """An input is wrong.

    A decoder wraps every ``ValueError`` from the values it builds and adds the place in the document
    (``documents.reading.field_problem``).
    """

    exit_status = 2


class DocumentError(InputError):
    """A document breaks its format."""


class UnknownFormat(DocumentError):
    """The document names no format that this reader knows."""


class MissingField(DocumentError):
    """A required field is missing."""


class BadValue(DocumentError):
    """A field holds a value that its format does not allow."""


TeachingFault = Literal["shape", "name", "alike", "scale"]

_FAULTS: Mapping[TeachingFault, str] = {
    "shape": message("This photo shows a tile of another shape. Begin a new tile for it, or photograph again."),
    "name": message("“{name}” cannot be a tile's name. Use letters and digits."),
    "alike": message("The name “{name}” is too like another tile's. Choose another."),
    "scale": message("The pictures of the tile set “{name}” have another scale. Teach into a set of its own."),
}


class Unteachable(BadValue):
    """A taught tile cannot be saved. ``name`` is the tile, or the set whose scale differs."""

    def __init__(self, fault: TeachingFault, name: str = "", *, field: str | None = None) -> None:
        super().__init__(said(_FAULTS[fault], name=name), field=field)
        self.fault = fault


class NoTileArchive(BadValue):
    """A file is not a zip of a tile set, or it is damaged."""


class NoBackup(BadValue):
    """A file is not a Sightline backup, or it is damaged."""


class NoEvidence(BadValue):
    """A file is not the evidence of a judge's call, or it is malicious."""


class BadName(BadValue):
    """A name cannot be a file name on every system."""


class RulerMisread(BadValue):
    def __init__(self, measured_mm: float, true_mm: float) -> None:
        super().__init__(
            said(
                "No printer is that far off ({measured} mm instead of {true} mm). Measure the printed ruler again, "
                "in millimetres.",
                measured=measured_mm,
                true=true_mm,
            )
        )


class UnknownCamera(BadValue):
    """A typed name matches no camera."""


class BoardError(InputError):
    """The board contradicts itself. ``flags`` names every contradiction."""

    def __init__(self, sentence: Said, *, flags: object = None, field: str | None = None) -> None:
        super().__init__(sentence, field=field)
        self.flags = flags


class UnknownName(InputError):
    """There is no figure, tile, rule set or option of this name."""


class DraftGone(UnknownName):
    sentence = said("This photo is no longer stored. Send it again.")


class CitedRule(Protocol):
    """A rule that a refusal cites: its id and the message of its source, as in ``rules.reasons.Rule``."""

    @property
    def id(self) -> str: ...

    @property
    def source(self) -> str: ...


class IllegalStep(InputError):
    """The rules of the match do not allow this now.

    ``rule`` is the rule that forbids it, or None if only the order of play does, as before the first turn.
    """

    rule: CitedRule | None = None

    @classmethod
    def by(cls, rule: CitedRule, sentence: Said) -> Self:
        refusal = cls(sentence)
        refusal.rule = rule
        return refusal

    def under(self, rule: CitedRule) -> Self:
        """Return the same refusal citing this rule, unless it already cites one."""
        return self if self.rule else _again(type(self), {**self.__dict__, "rule": rule})


class NotYours(IllegalStep):
    """Someone else decides this."""


class MovedOn(IllegalStep):
    """The match has moved on since this person's page was drawn."""


class PhotoUnreadable(InputError):
    """The picture file is missing, cut short, too large, or not a picture."""


class PhotoTooLarge(PhotoUnreadable):
    """The picture has more megapixels than ``most``. Both get a decimal, rounded so that they never look equal."""

    def __init__(self, megapixels: float, most: float, *, document: str | None = None) -> None:
        super().__init__(
            said(
                "This photo has {count} megapixels. Send it in a smaller size, {most} megapixels at most.",
                count=math.ceil(megapixels * 10) / 10,
                most=math.floor(most * 10) / 10,
            ),
            document=document,
        )


class CannotDo(SightlineError):
    """The work could not be done. The sentence ends with what to do."""

    exit_status = 1


class PhotoError(CannotDo):
    """The picture file is fine, but the table cannot be read from it."""

    def because(self, sentence: Said) -> Self:
        """Return the same error with the sentence of its cause."""
        return _again(type(self), {**self.__dict__, "sentence": sentence})


class SizeMismatch(PhotoError):
    """The photo's size differs from the size that the camera was calibrated for."""

    def __init__(self, photo_wh: tuple[int, int], camera_wh: tuple[int, int]) -> None:
        super().__init__(
            said(
                "This photo does not come from the table's camera: it has {width}x{height} pixels, the camera was "
                "calibrated for {camera_width}x{camera_height}. Send the whole picture, not cropped or turned, or "
                "choose the set-up of the camera that took it.",
                width=photo_wh[0],
                height=photo_wh[1],
                camera_width=camera_wh[0],
                camera_height=camera_wh[1],
            )
        )


class PictureMirrored(PhotoError):
    sentence = said(
        "This picture is mirrored. Switch mirroring off in the camera or its program, or use the rear camera."
    )

    def __init__(self, *, document: str | None = None) -> None:
        super().__init__(document=document)


class PhotosDiffer(PhotoError):
    sentence = said(
        "This photo has another size than those before. Take all of them with one camera, held the same way, or begin "
        "again if those before were the wrong ones."
    )


class TooFewMarkers(PhotoError):
    """``seen`` of the table's markers were found, but a pose needs ``needed``."""

    def __init__(self, seen: int, needed: int) -> None:
        found = said("None of the table's printed markers can be seen.")
        if seen:
            found = counted("Only {n} printed marker can be seen.", "Only {n} printed markers can be seen.", seen)
        advice = said("Take the photo again with at least three markers whole, sharp and in the picture.")
        super().__init__(spaced(found, advice))
        self.seen = seen
        self.needed = needed


class PoseAmbiguous(PhotoError):
    sentence = said(
        "The printed markers are not where the table's file has them. Check that nobody moved them, then take the "
        "photo again."
    )


class NoTiles(PhotoError):
    sentence = said(
        "No tile of the chosen tile set can be recognised. Move the camera closer, add light, or choose your own tiles "
        "in the set-up."
    )


class NoTileShown(NoTiles):
    sentence = said(
        "No tile can be made out between the markers. Lay one tile alone in the middle, with nothing on it, and take "
        "the photo from above in even light."
    )


class NoFigureShown(PhotoError):
    sentence = said(
        "No figure can be made out between the markers. Stand one figure alone on the bare table, away from its edge, "
        "with no board under it, and take the photo from higher up."
    )


class NoDoorShown(PhotoError):
    sentence = said(
        "No door can be made out between the markers. Lay one door flat and alone on a bare part of the table, and "
        "take the photo from above."
    )


class CameraError(CannotDo):
    """The camera delivers no pictures."""


class CameraNotFound(CameraError):
    """There is no such camera."""


class NoCameraChosen(CameraNotFound):
    sentence = said("No live camera is chosen. Choose one, or upload photos.")


class OtherCameraChosen(CameraNotFound):
    sentence = said("Another camera is chosen. Choose the camera of this phone or computer first.")


class CameraLost(CameraError):
    """The camera was connected and is gone."""


class CameraBusy(CameraLost):
    """The camera is plugged in but cannot be opened."""


class StreamAway(CameraLost):
    """No camera answers at this address, or it has stopped answering."""


class NoStreamThere(CameraNotFound):
    """Something answers at the camera's address but sends no pictures."""


class PicturesStopped(CameraError):
    sentence = said("The camera sends no new pictures. Check its cable and its power; it reopens by itself.")


class PicturesDamaged(CameraError):
    sentence = said("The camera's pictures arrive damaged. Check its cable, or use a shorter one.")


class RecordingEnded(CameraError):
    sentence = said("The recording is over. Start the program again to see it from the beginning.")


class RecordingBroken(CameraError):
    """A part of a recording cannot be read."""


class CameraAlarm(CannotDo):
    """The camera's pose, the markers or the light have changed, or are right again."""


class StripError(CannotDo):
    """The LED strip does not respond as it should."""


class PortNotFound(StripError):
    """There is no such serial port."""


class PortBusy(StripError):
    """Another program holds the serial port, or we lack permission to open it."""


class NoAnswer(StripError):
    """Something is on the port but does not answer as a strip."""


class WrongFirmware(StripError):
    """The strip's firmware speaks another version of the protocol."""


class StripLost(StripError):
    """The strip was connected and is gone."""


class StoreError(CannotDo):
    """Data cannot be written or read back."""


class RecordingFull(CannotDo):
    def __init__(self, limit_mb: int) -> None:
        super().__init__(
            said(
                "The recording has reached its limit of {mb} MB and has ended. The camera still watches the table.",
                mb=limit_mb,
            )
        )


class RecordingStopped(CannotDo):
    sentence = said(
        "The recording cannot be written and has ended. Free some space on the disk; the camera still "
        "watches the table."
    )


class NameTaken(StoreError):
    def __init__(self, name: str) -> None:
        super().__init__(said("The name “{name}” is taken. Choose another name.", name=name))


class DiskFull(StoreError):
    """The disk has ``free_mb`` left, or None if nothing can be written at all."""

    sentence = said("The disk is full. Free some space, or the next steps are not saved.")

    def __init__(self, free_mb: int | None = None) -> None:
        little = said("Only {mb} MB are free on the disk. Free some space.", mb=free_mb)
        super().__init__(None if free_mb is None else little)
        self.free_mb = free_mb


class CalibrationError(CannotDo):
    """These pictures do not determine the lens or the table."""


MissingStep = Literal["table", "markers", "name", "photo", "reading"]

_STEPS: Mapping[MissingStep, Said] = {
    "table": said("The camera and the table are not set up yet. Take these steps first."),
    "markers": said("A table without a grid needs the markers round it. Take the step “Table” first."),
    "name": said("The set-up is not saved yet. Take the step “Save” first."),
    "photo": said("There is no photo of the table yet. Take or choose one."),
    "reading": said("The table has not been read yet. Take this step first."),
}


class StepMissing(CalibrationError):
    """Another step of the set-up has to come first."""

    def __init__(self, step: MissingStep) -> None:
        super().__init__(_STEPS[step])
        self.step = step


class TooFewViews(CalibrationError):
    """``seen`` pictures show the lens board well enough, but a lens needs more."""

    def __init__(self, seen: int) -> None:
        super().__init__(
            counted(
                "Only {n} picture shows the lens board well enough. Take more, 10 to 15 in all, with the board tilted.",
                "Only {n} pictures show the lens board well enough. Take more, 10 to 15 in all, with the board tilted.",
                seen,
            )
        )
        self.seen = seen


class SamePlace(CalibrationError):
    sentence = said("This photo is like one before. Carry the camera to another side of the table.")


class PhotosDisagree(CalibrationError):
    sentence = said(
        "The photos do not fit together. Lay the markers flat, do not move them between the photos, and let every "
        "photo show all of them."
    )
