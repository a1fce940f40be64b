"""Every error that Sightline raises on purpose, as one tree.

The exit status of the command line and the HTTP status of the page hang on the class, so that
``assistant.cli`` and ``web.problems.errors`` translate them in one place each. Errors of cv2, of the
operating system and of serial ports are mapped into this tree in exactly one file each. A bug stays
an ordinary Python exception.

    SightlineError
      InputError                 the user's document, file or argument is wrong (exit 2, HTTP 400)
        DocumentError            a document breaks its format
          UnknownFormat, MissingField, BadValue
            Unteachable, NoTileArchive, NoBackup, BadName, RulerMisread, UnknownCamera
        BoardError               the board contradicts itself (carries the status flags)
        UnknownName              a name that the document does not hold
          DraftGone              a photo of what is taught that is no longer kept
        IllegalStep              the rules of the match do not allow this now (HTTP 409)
          NotYours               it is for someone else to decide (HTTP 403)
          MovedOn                the match has gone on since the page was drawn
        PhotoUnreadable          the picture file cannot be decoded
          PhotoTooLarge          it is larger than is ever decoded
      CannotDo                   the work could not be done (exit 1, HTTP 503); says what to do
        PhotoError               SizeMismatch, TooFewMarkers, PoseAmbiguous, NoTiles, NoFigureShown, NoDoorShown
          NoTileShown            nothing to be taught is seen, as with the two before
          PhotosDiffer           a SizeMismatch among photos that belong together
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

from collections.abc import Mapping
from typing import ClassVar, Literal, Protocol


class Sentence(Protocol):
    """A sentence that every reader can be told in a language of theirs; as ``str`` it is English."""

    def worded(self, language: str) -> str:
        """The sentence in that language."""


class SightlineError(Exception):
    """Anything that Sightline refuses or cannot do, told in one plain sentence.

    Args:
        message: the sentence; ``sentence`` keeps it where it can be told in other languages.
    """

    exit_status: ClassVar[int] = 1
    http_status: ClassVar[int] = 500
    sentence: Sentence | None = None

    def __init__(self, message: str | Sentence = "") -> None:
        super().__init__(str(message))
        if not isinstance(message, str):
            self.sentence = message


class InputError(SightlineError):
    """Something handed in is wrong.

    Args:
        message: one sentence that names what is wrong and says what to do; ``sentence`` keeps it where it can be told
            in other languages.
        document: the file or document at fault, where there is one.
        field: the field at fault inside it, as a path like ``figures[2].cells``.
    """

    exit_status = 2
    http_status = 400

    def __init__(self, message: str | Sentence, *, document: str | None = None, field: str | None = None) -> None:
        where = [part for part in (document, field) if part]
        super().__init__(": ".join([*where, str(message)]))
        self.message = str(message)
        self.sentence = None if isinstance(message, str) else message
        self.document = document
        self.field = field

    def in_document(self, document: str, within: str = "") -> InputError:
        """The same error with the name of the document it was found in; ``within`` goes before its field."""
        named = type(self).__new__(type(self))
        named.__dict__.update(self.__dict__)
        field = f"{within}{self.field}" if self.field else self.field
        InputError.__init__(named, self.sentence or self.message, document=document, field=field)
        return named


class DocumentError(InputError):
    """A document breaks its format."""


class UnknownFormat(DocumentError):
    """The document does not name a format that this reader knows."""


class MissingField(DocumentError):
    """A field that the format asks for is not there."""


class BadValue(DocumentError):
    """A field holds what its format does not allow."""


TeachingFault = Literal["shape", "name", "alike", "scale"]


class Unteachable(BadValue):
    """What was taught cannot be kept so.

    Args:
        fault: a second photo shows another ``shape``, the ``name`` cannot be one or is ``alike`` another's, or the set
            holds pictures of another ``scale``.
        message: as of every wrong input.
        field: the field at fault.
    """

    def __init__(self, fault: TeachingFault, message: str, *, field: str | None = None) -> None:
        super().__init__(message, field=field)
        self.fault = fault


class NoTileArchive(BadValue):
    """A file is no zip with a tile set, or one that is damaged."""


class NoBackup(BadValue):
    """A file is no backup of ours, or one that is damaged."""


class BadName(BadValue):
    """What somebody typed cannot be a name of what is kept."""


class RulerMisread(BadValue):
    """No printer makes the ruler as long as it is said to have been measured."""


class UnknownCamera(BadValue):
    """What somebody typed names no camera."""


class BoardError(InputError):
    """The board contradicts itself; ``flags`` holds every way in which it does."""

    def __init__(
        self, message: str, *, flags: object = None, document: str | None = None, field: str | None = None
    ) -> None:
        super().__init__(message, document=document, field=field)
        self.flags = flags


class UnknownName(InputError):
    """A figure, tile, rule set or option that is not there under this name."""


class DraftGone(UnknownName):
    """What was photographed to be taught is no longer kept."""


class IllegalStep(InputError):
    """The rules of the match do not allow this now; the sentence says why."""

    http_status = 409


class NotYours(IllegalStep):
    """Someone else has to decide this."""

    http_status = 403


class MovedOn(IllegalStep):
    """The match has gone on since the person who asks last looked at it."""


class PhotoUnreadable(InputError):
    """The picture file is missing, cut short, too large or no picture at all."""


class PhotoTooLarge(PhotoUnreadable):
    """The picture has more pixels or bytes than are ever decoded."""


class CannotDo(SightlineError):
    """The work could not be done with what is there; the message ends with what to do."""

    exit_status = 1
    http_status = 503


class PhotoError(CannotDo):
    """The picture is fine as a file, but the table cannot be read from it."""


class SizeMismatch(PhotoError):
    """The photo's size does not fit the camera's calibration."""


class PictureMirrored(PhotoError):
    """The camera mirrors its pictures, in which no marker can be read.

    Args:
        picture: what is mirrored, such as the name of a file.
    """

    def __init__(self, picture: str = "this picture") -> None:
        super().__init__(
            f"{picture} is mirrored; switch mirroring off in the camera or its program, or use the rear camera"
        )


class PhotosDiffer(SizeMismatch):
    """A photo has another size than those before it, with which it is to be worked out together."""


class TooFewMarkers(PhotoError):
    """Fewer table markers were found than a pose needs.

    Args:
        seen: how many of the table's markers were found.
        needed: how many are needed.
    """

    def __init__(self, seen: int, needed: int) -> None:
        count = "none" if seen == 0 else f"only {seen}"
        super().__init__(
            f"{count} of the table's printed markers could be found and {needed} are needed; "
            "take the photo again with at least three markers whole, sharp and in the picture"
        )
        self.seen = seen
        self.needed = needed


class PoseAmbiguous(PhotoError):
    """The markers that were found do not agree on where the camera is."""


class NoTiles(PhotoError):
    """No tile of the tile set could be recognised."""


class NoTileShown(NoTiles):
    """No tile to be taught can be made out in the photo."""


class NoFigureShown(PhotoError):
    """No figure to be taught can be made out in the photo."""


class NoDoorShown(PhotoError):
    """No door to be taught can be made out in the photo."""


class CameraError(CannotDo):
    """The camera does not deliver."""


class CameraNotFound(CameraError):
    """There is no such camera."""


class NoCameraChosen(CameraNotFound):
    """A picture of a live camera is wanted, and none is chosen."""


class OtherCameraChosen(CameraNotFound):
    """The page brings a picture of its own camera, and another one is chosen."""


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

    def __init__(self) -> None:
        super().__init__("the camera sends no new pictures; it is being opened again, check its cable and its power")


class PicturesDamaged(CameraError):
    """What the camera sends arrives damaged."""

    def __init__(self) -> None:
        super().__init__("the camera's pictures arrive damaged; check its cable, or use a shorter one")


class RecordingEnded(CameraError):
    """The recording that is played back is over."""

    def __init__(self) -> None:
        super().__init__("the recording is over; start the program again to see it from the beginning")


class RecordingBroken(CameraError):
    """A part of what is played back cannot be read."""


class CameraAlarm(CannotDo):
    """Something about the camera's place, the markers or the light no longer holds, or was just put right.

    Args:
        name: what it is, as ``calibration.drift`` calls it.
        values: fill the named places of its sentence.
        sentence: the sentence in English.
    """

    def __init__(self, name: str, values: Mapping[str, float], sentence: str) -> None:
        super().__init__(sentence)
        self.name = name
        self.values = values


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
        name: its file.
        limit_mb: how large it may become.
    """

    def __init__(self, name: str, limit_mb: int) -> None:
        super().__init__(f"the recording {name} has reached its {limit_mb} MB; begin another one to go on")
        self.limit_mb = limit_mb


class RecordingStopped(CannotDo):
    """A recording could not be written on, or not be begun; the table is watched all the same."""


class NameTaken(StoreError):
    """Something else is kept under this name already."""


class DiskFull(StoreError):
    """The disk is nearly full or takes nothing more.

    Args:
        message: what is wrong and what to do.
        free_mb: how much is free; None where nothing can be written at all.
    """

    def __init__(self, message: str, free_mb: int | None = None) -> None:
        super().__init__(message)
        self.free_mb = free_mb


class CalibrationError(CannotDo):
    """The lens or the table cannot be worked out from these pictures."""


MissingStep = Literal["table", "name", "photo", "reading"]


class StepMissing(CalibrationError):
    """A step of the set-up has to be taken before this one.

    Args:
        step: the table is not worked out, the set-up has no name, no photo was handed in, or the table was not read.
        message: the sentence.
    """

    def __init__(self, step: MissingStep, message: str) -> None:
        super().__init__(message)
        self.step = step


class TooFewViews(CalibrationError):
    """Fewer pictures show the lens board well enough than a lens needs.

    Args:
        seen: how many do.
        needed: how many are needed.
    """

    def __init__(self, seen: int, needed: int) -> None:
        super().__init__(
            f"only {seen} pictures show the lens board well enough and {needed} are needed, better 10 to 15; "
            "take more, with the board tilted and in every part of the picture"
        )
        self.seen = seen
        self.needed = needed


class SamePlace(CalibrationError):
    """A photo of the markers was taken from the place of one before, and says nothing new."""


class PhotosDisagree(CalibrationError):
    """The photos of the markers show no one table."""
