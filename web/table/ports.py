"""What the Table view needs from the other rooms."""

from __future__ import annotations

from typing import Protocol

from assistant.app.live.game_files import ReadableGame
from assistant.app.live.shots import ReadPicture, SetUp


class PhotoReader(Protocol):
    """Turns an uploaded file into a read picture."""

    @property
    def game(self) -> ReadableGame:
        """The documents it reads by."""

    @property
    def setup(self) -> SetUp:
        """What the page needs to know of them."""

    def read(self, photo: bytes) -> ReadPicture:
        """The picture, read.

        Raises:
            PhotoUnreadable: the bytes are no picture, or a picture beyond the limits.
            PhotoError: the table cannot be read from it.
        """

    def read_side(self, photo: bytes, seen: ReadPicture, *, by_same_camera: bool) -> ReadPicture:
        """A read picture once more, together with a photo of the same table from another side.

        Raises:
            PhotoUnreadable: the bytes are no picture, or a picture beyond the limits.
            PhotoError: the table cannot be read from it, or something has moved since the picture.
        """
