"""The source of frames for a game, and how pictures reach one that has them pushed."""

from __future__ import annotations

from collections.abc import Callable

from assistant.app.live.game_files import ReadableGame
from vision.live.frames import FrameSource
from vision.photo.decoding import decode_photo
from vision.sources.names import SourceName
from vision.sources.opening import open_source
from vision.sources.push import PushedSource
from vision.sources.usb import CaptureSettings
from vision.sources.virtual import VirtualTable


def source_of(name: SourceName, game: ReadableGame, *, table: VirtualTable | None = None) -> FrameSource:
    """The source of that name, asked for pictures of the size that the lens was calibrated for.

    Raises:
        PhotoUnreadable: what is to be played back is not there.
    """
    lens = game.lens
    wanted = CaptureSettings() if lens is None else CaptureSettings(lens.width_px, lens.height_px)
    return open_source(name, wanted=wanted, table=table or game.shown)


def pushes_into(source: PushedSource, *, is_photo: bool) -> Callable[[bytes], None]:
    """What takes a JPEG as the next frame of a source; as a photo it holds until the next."""

    def take(jpeg: bytes) -> None:
        source.push(decode_photo(jpeg), is_photo=is_photo)

    return take
