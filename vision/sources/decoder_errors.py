"""Errors of the decoders: they give back a full picture from damaged bytes, and only standard error is told.

Standard error belongs to a whole process, so only one that does nothing but capture may listen to it.

PyAV does not take its place: the settings of a USB camera (focus, buffer) are in OpenCV's reach alone, so that somebody
would have to listen here all the same; and of 60 pictures cut in half its ``is_corrupt`` told none, this tells all.
"""

from __future__ import annotations

import os

_STDERR = 2

COMPLAINTS = (
    b"Corrupt JPEG",  # libjpeg: bytes that are no code, or an end before the end
    b"Premature end",
    b"Unsupported marker",
    b"error while decoding",  # FFmpeg: blocks that could not be decoded
    b"concealing",
    b"overread",
    b"corrupt decoded frame",
)


class DecoderErrors:
    """Listens to this process's standard error; what is no complaint about a picture is passed on."""

    def __init__(self) -> None:
        self._heard, told = os.pipe()
        os.set_blocking(self._heard, False)
        self._before = os.dup(_STDERR)
        os.dup2(told, _STDERR)
        os.close(told)

    def has_complained(self) -> bool:
        """Whether a decoder complained since this was asked last."""
        heard = self._drained()
        for line in heard.splitlines(keepends=True):
            if not any(complaint in line for complaint in COMPLAINTS):
                os.write(self._before, line)
        return any(complaint in heard for complaint in COMPLAINTS)

    def close(self) -> None:
        """Gives standard error back."""
        self.has_complained()
        os.dup2(self._before, _STDERR)
        os.close(self._before)
        os.close(self._heard)

    def _drained(self) -> bytes:
        heard = b""
        while True:
            try:
                part = os.read(self._heard, 65536)
            except BlockingIOError:
                return heard
            heard += part
