"""Every error that Sightline raises on purpose, as one tree.

An error is its class, which programs tell it by, and one sentence as data (``Said``): a message id with what stands in
its places. The words stand in the catalogues, and an error is put into words once, where it is shown: by the command
line, by the page, in English in a log. Classes that always mean the same bring their sentence along; the others are
given theirs where they are raised. What each means to HTTP stands in ``web.problems.errors``.

Errors of cv2, of the operating system and of serial ports are mapped into this tree in exactly one file each. A bug
stays an ordinary Python exception.

    SightlineError
      InputError                 the user's document, file or argument is wrong (exit 2)
        DocumentError            a document breaks its format
          UnknownFormat, MissingField, BadValue
            Unteachable, NoTileArchive, NoBackup, NoEvidence, BadName, RulerMisread, UnknownCamera
        BoardError               the board contradicts itself (carries the status flags)
        UnknownName              a name that the document does not hold
          DraftGone              a photo of what is taught that is no longer kept
        IllegalStep              the rules of the match do not allow this now
          NotYours               it is for someone else to decide
          MovedOn                the match has gone on since the page was drawn
        PhotoUnreadable          the picture file cannot be decoded
          PhotoTooLarge          it is larger than is ever decoded
      CannotDo                   the work could not be done (exit 1); says what to do
        PhotoError               SizeMismatch, TooFewMarkers, PoseAmbiguous, NoTiles, NoFigureShown, NoDoorShown
          NoTileShown            nothing to be taught is seen, as with the two before
          PhotosDiffer           photos that belong together have different sizes
          PictureMirrored        markers are seen in its mirror image alone
        CameraError              CameraNotFound (NoCameraChosen, OtherCameraChosen), CameraLost
          PicturesStopped, PicturesDamaged, RecordingEnded
        CameraAlarm              something about camera, markers or light no longer holds, or was put right
        StripError               PortNotFound, PortBusy, NoAnswer, WrongFirmware, StripLost
        StoreError               the match cannot be kept; NameTaken: its name is another one's
        CalibrationError         TooFewViews, SamePlace, PhotosDisagree: the pictures do not tell lens or table
          StepMissing            a step of the set-up has to be taken first
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Protocol, Self, TypeVar

from assistant.translations.catalogue import ENGLISH
from assistant.translations.messages import Said, counted, message, said, spaced

Kind = TypeVar("Kind", bound="SightlineError")


class SightlineError(Exception):
    """Anything that Sightline refuses or cannot do, told in one plain sentence.

    Args:
        sentence: what is wrong and what to do; classes that always mean the same bring their own.
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
        """The sentence in that language, after the document and the field that it is about, where there are any."""
        where = [] if self.document is None else [_name(self.document, language)]
        if self.field:
            where.append(_place(self.field, language))
        return ": ".join([*where, self.sentence.worded(language)])

    def in_document(self, document: str, within: str = "") -> Self:
        """The same error with the name of the document it was found in; ``within`` goes before its field."""
        field = f"{within}{self.field}" if self.field else self.field
        return _again(type(self), {**self.__dict__, "document": document, "field": field})


def _again(kind: type[Kind], facts: Mapping[str, Any]) -> Kind:
    """An error of that class with those facts: what was pickled, or is now known to stand in a document."""
    made = kind.__new__(kind)
    made.__dict__.update(facts)
    return made


def _name(document: str | Said, language: str) -> str:
    return document.worded(language) if isinstance(document, Said) else document


def _place(field: str, language: str) -> str:
    """Where in a document something is wrong: a line by its number, a field by its path."""
    line = re.match(r"line (\d+)", field)
    return field if line is None else said("line {n}", n=int(line[1])).worded(language) + field[line.end() :]


class InputError(SightlineError, ValueError):
    """Something handed in is wrong.

    A decoder wraps each ``ValueError`` of a value that it makes and adds the place in the document
    (``documents.reading.field_problem``).
    """

    exit_status = 2


class DocumentError(InputError):
    """A document breaks its format."""


class UnknownFormat(DocumentError):
    """The document does not name a format that this reader knows."""


class MissingField(DocumentError):
    """A field that the format asks for is not there."""


class BadValue(DocumentError):
    """A field holds what its format does not allow."""


TeachingFault = Literal["shape", "name", "alike", "scale"]

_FAULTS: Mapping[TeachingFault, str] = {
    "shape": message("This photo shows a tile of another shape. Begin a new tile for it, or photograph again."),
    "name": message("“{name}” cannot be a tile's name. Use letters and digits."),
    "alike": message("The name “{name}” is too like another tile's. Choose another."),
    "scale": message("The pictures of the tile set “{name}” have another scale. Teach into a set of its own."),
}


class Unteachable(BadValue):
    """What was taught cannot be kept so.

    Args:
        fault: a second photo shows another ``shape``, the ``name`` cannot be one or is ``alike`` another's, or the set
            holds pictures of another ``scale``.
        name: what the tile is called, or the set of another scale.
        field: the field at fault.
    """

    def __init__(self, fault: TeachingFault, name: str = "", *, field: str | None = None) -> None:
        super().__init__(said(_FAULTS[fault], name=name), field=field)
        self.fault = fault


class NoTileArchive(BadValue):
    """A file is no zip with a tile set, or one that is damaged."""


class NoBackup(BadValue):
    """A file is no backup of ours, or one that is damaged."""


class NoEvidence(BadValue):
    """A file is no evidence of a judge's call, or one that was made to do harm."""


class BadName(BadValue):
    """What somebody typed cannot be a name of what is kept."""


class RulerMisread(BadValue):
    """No printer makes the ruler as long as it is said to have been measured.

    Args:
        measured_mm: what was said.
        true_mm: how long it is.
    """

    def __init__(self, measured_mm: float, true_mm: float) -> None:
        super().__init__(
            said(
                "No printer is off by so much ({measured} mm instead of {true} mm). Measure the printed ruler again, "
                "in millimetres.",
                measured=measured_mm,
                true=true_mm,
            )
        )


class UnknownCamera(BadValue):
    """What somebody typed names no camera."""


class BoardError(InputError):
    """The board contradicts itself; ``flags`` holds every way in which it does."""

    def __init__(self, sentence: Said, *, flags: object = None, field: str | None = None) -> None:
        super().__init__(sentence, field=field)
        self.flags = flags


class UnknownName(InputError):
    """A figure, tile, rule set or option that is not there under this name."""


class DraftGone(UnknownName):
    """What was photographed to be taught is no longer kept."""

    sentence = said("This photo is no longer kept. Hand it in again.")


class CitedRule(Protocol):
    """A rule as an error names it: its id, and the document and heading where it stands."""

    @property
    def id(self) -> str:
        """Rule set and name, as in ``toy/range``."""

    @property
    def source(self) -> str:
        """Where it stands: a message of the catalogues."""


class IllegalStep(InputError):
    """The rules of the match do not allow this now; the sentence says why.

    ``rule`` is the one that forbids it, None where that is the order of things (no turn has begun) and no rule of the
    game.
    """

    rule: CitedRule | None = None

    @classmethod
    def by(cls, rule: CitedRule, sentence: Said) -> Self:
        """The refusal of a step that this rule forbids."""
        refusal = cls(sentence)
        refusal.rule = rule
        return refusal

    def under(self, rule: CitedRule) -> Self:
        """The same refusal with the rule by which it is one; a rule that is named already stays."""
        return self if self.rule else _again(type(self), {**self.__dict__, "rule": rule})


class NotYours(IllegalStep):
    """Someone else has to decide this."""


class MovedOn(IllegalStep):
    """The match has gone on since the person who asks last looked at it."""


class PhotoUnreadable(InputError):
    """The picture file is missing, cut short, too large or no picture at all."""


class PhotoTooLarge(PhotoUnreadable):
    """The picture has more pixels or bytes than are ever decoded.

    Args:
        megapixels: how many it has.
        most: how many it may have.
        document: its name.
    """

    def __init__(self, megapixels: int, most: int, *, document: str | None = None) -> None:
        super().__init__(
            said(
                "This photo has {count} megapixels. Send it in a smaller size, {most} megapixels at most.",
                count=megapixels,
                most=most,
            ),
            document=document,
        )


class CannotDo(SightlineError):
    """The work could not be done with what is there; the message ends with what to do."""

    exit_status = 1


class PhotoError(CannotDo):
    """The picture is fine as a file, but the table cannot be read from it."""


class SizeMismatch(PhotoError):
    """The photo's size does not fit the camera's calibration.

    Args:
        photo_wh: its size.
        camera_wh: the size that the camera was calibrated for.
    """

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
    """The camera mirrors its pictures, in which no marker can be read."""

    sentence = said(
        "This picture is mirrored. Switch mirroring off in the camera or its program, or use the rear camera."
    )

    def __init__(self, *, document: str | None = None) -> None:
        super().__init__(document=document)


class PhotosDiffer(PhotoError):
    """A photo has another size than those before it, with which it is to be worked out together."""

    sentence = said(
        "This photo has another size than those before. Take all of them with one camera, held the same way, or begin "
        "again if those before were the wrong ones."
    )


class TooFewMarkers(PhotoError):
    """Fewer table markers were found than a pose needs.

    Args:
        seen: how many of the table's markers were found.
        needed: how many are needed.
    """

    def __init__(self, seen: int, needed: int) -> None:
        found = said("None of the table's printed markers can be seen.")
        if seen:
            found = counted("Only {n} printed marker can be seen.", "Only {n} printed markers can be seen.", seen)
        advice = said("Take the photo again with at least three markers whole, sharp and in the picture.")
        super().__init__(spaced(found, advice))
        self.seen = seen
        self.needed = needed


class PoseAmbiguous(PhotoError):
    """The markers that were found do not agree on where the camera is."""

    sentence = said(
        "The printed markers do not lie as the table's file says. Check that nobody moved them, then take the photo "
        "again."
    )


class NoTiles(PhotoError):
    """No tile of the tile set could be recognised."""

    sentence = said(
        "No tile of the tile set can be recognised. Move the camera closer or add light, then take the photo again."
    )


class NoTileShown(NoTiles):
    """No tile to be taught can be made out in the photo."""

    sentence = said(
        "No tile can be made out between the markers. Lay one tile alone in the middle, with nothing on it, and take "
        "the photo from above in even light."
    )


class NoFigureShown(PhotoError):
    """No figure to be taught can be made out in the photo."""

    sentence = said(
        "No figure can be made out between the markers. Stand one figure alone on the bare table, away from its edge, "
        "and take the photo from higher up."
    )


class NoDoorShown(PhotoError):
    """No door to be taught can be made out in the photo."""

    sentence = said(
        "No door can be made out between the markers. Lay one door flat and alone on a bare part of the table, and "
        "take the photo from above."
    )


class CameraError(CannotDo):
    """The camera does not deliver."""


class CameraNotFound(CameraError):
    """There is no such camera."""


class NoCameraChosen(CameraNotFound):
    """A picture of a live camera is wanted, and none is chosen."""

    sentence = said("No live camera is chosen. Choose one, or hand in photos.")


class OtherCameraChosen(CameraNotFound):
    """The page brings a picture of its own camera, and another one is chosen."""

    sentence = said("Another camera is chosen. Choose the camera of this phone or computer first.")


class CameraLost(CameraError):
    """The camera was there and is gone."""


class CameraBusy(CameraLost):
    """The camera is plugged in and cannot be opened."""


class StreamAway(CameraLost):
    """Nothing answers at the address of a camera, or no longer."""


class NoStreamThere(CameraNotFound):
    """Something answers at the address of a camera, and sends no pictures."""


class PicturesStopped(CameraError):
    """The camera is there and sends nothing new."""

    sentence = said(
        "The camera sends no new pictures. It is being opened again by itself; check its cable and its power."
    )


class PicturesDamaged(CameraError):
    """What the camera sends arrives damaged."""

    sentence = said("The camera's pictures arrive damaged. Check its cable, or use a shorter one.")


class RecordingEnded(CameraError):
    """The recording that is played back is over."""

    sentence = said("The recording is over. Start the program again to see it from the beginning.")


class RecordingBroken(CameraError):
    """A part of what is played back cannot be read."""


class CameraAlarm(CannotDo):
    """Something about the camera's place, the markers or the light no longer holds, or was just put right."""


class StripError(CannotDo):
    """The LED strip does not follow."""


class PortNotFound(StripError):
    """There is no such serial port."""


class PortBusy(StripError):
    """Another program holds the serial port, or we may not open it."""


class NoAnswer(StripError):
    """Something is on the port, but it does not answer as a strip."""


class WrongFirmware(StripError):
    """The strip answers in a version that we do not speak."""


class StripLost(StripError):
    """The strip was there and is gone."""


class StoreError(CannotDo):
    """What has to be kept cannot be written or read back."""


class RecordingFull(CannotDo):
    """A recording has reached its limit.

    Args:
        limit_mb: how large it may become.
    """

    def __init__(self, limit_mb: int) -> None:
        super().__init__(
            said("The recording has reached its {mb} MB and has ended. The table is watched all the same.", mb=limit_mb)
        )


class RecordingStopped(CannotDo):
    """A recording could not be written on, or not be begun; the table is watched all the same."""

    sentence = said(
        "The recording has ended, since it cannot be written. Free some space on the disk; the table is watched all "
        "the same."
    )


class NameTaken(StoreError):
    """Something else is kept under this name already.

    Args:
        name: the name.
    """

    def __init__(self, name: str) -> None:
        super().__init__(said("There is something of the name “{name}” already. Choose another name.", name=name))


class DiskFull(StoreError):
    """The disk is nearly full or takes nothing more.

    Args:
        free_mb: how much is free; None where nothing can be written at all.
    """

    sentence = said("Nothing can be written to the disk. Free some space, or the next steps are not kept.")

    def __init__(self, free_mb: int | None = None) -> None:
        little = said("Only {mb} MB are free on the disk. Free some space.", mb=free_mb)
        super().__init__(None if free_mb is None else little)
        self.free_mb = free_mb


class CalibrationError(CannotDo):
    """The lens or the table cannot be worked out from these pictures."""


MissingStep = Literal["table", "name", "photo", "reading"]

_STEPS: Mapping[MissingStep, Said] = {
    "table": said("The camera and the table are not set up yet. Take these steps first."),
    "name": said("The set-up has no name yet. Save it first."),
    "photo": said("No photo of the table was handed in yet. Take or choose one."),
    "reading": said("The table was not read yet. Take this step first."),
}


class StepMissing(CalibrationError):
    """A step of the set-up has to be taken before this one.

    Args:
        step: the table is not worked out, the set-up has no name, no photo was handed in, or the table was not read.
    """

    def __init__(self, step: MissingStep) -> None:
        super().__init__(_STEPS[step])
        self.step = step


class TooFewViews(CalibrationError):
    """Fewer pictures show the lens board well enough than a lens needs.

    Args:
        seen: how many do.
    """

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
    """A photo of the markers was taken from the place of one before, and says nothing new."""

    sentence = said("This photo is like one before. Carry the camera to another side of the table.")


class PhotosDisagree(CalibrationError):
    """The photos of the markers show no one table."""

    sentence = said(
        "The photos do not fit together. Lay the markers flat, do not move them between the photos, and let every "
        "photo show all of them."
    )
