"""Recordings of a watched table: the judged frames and their results, in one file.

The file is a magic line and then blocks: a letter for the kind, the length and the CRC-32 of the content, and the
content. It only grows, without any buffer, so a crash costs at most the block being written. Reading stops at a broken
block.

A frame is stored as a JPEG and *judged as that JPEG*, so a replay has exactly the same pixels. While only noise
changes, no new picture is stored. The previous one replaces it, in judging and in replay.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal

import cv2
import msgspec
import numpy as np
from jaxtyping import Int

from assistant.errors import BadValue, PhotoUnreadable, StoreError
from assistant.translations.foreign import system_reason
from assistant.translations.messages import said
from calibration.arrays import BgrImage, Numbers
from vision.live.frames import Frame
from vision.photo.decoding import decode_photo

MAGIC = b"sightline.recording/1\n"
ENDING = ".slrec"

QUALITY = 92
"""JPEG quality. Markers stay within 0.05 pixels of their place in the uncompressed picture."""

KEEP_EVERY_S = 5.0
"""Longest time without a new picture, so that a change of the light is recorded."""

NOISE_STEPS = 3.0
"""Largest noise in grey steps of a block of 16 x 16 pixels. A sensor's noise stays under one."""

_BLOCK_PX = 16
_HEAD = struct.Struct("<cII")
_MAX_BLOCK_BYTES = 64 << 20

Facts = Mapping[str, Any]
"""JSON stored with the pictures."""

LineKind = Literal["frame", "again", "event"]
_LETTERS: Mapping[LineKind, bytes] = {"frame": b"F", "again": b"A", "event": b"E"}
_KINDS = {letter: kind for kind, letter in _LETTERS.items()}


class FrameFacts(msgspec.Struct, frozen=True):
    """The facts stored with a frame's picture."""

    sequence: int
    monotonic_s: float
    is_photo: bool = False


@dataclass(frozen=True)
class Block:
    """One block: a frame with its JPEG, a frame that repeats the previous picture, or an event.

    ``text`` is the JSON of the frame's or the event's facts.
    """

    kind: LineKind
    text: bytes
    jpeg: bytes = b""


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Map read errors of a file or folder during replay.

    Raises:
        StoreError: it cannot be read.
    """
    try:
        yield
    except OSError as problem:
        text = said("cannot be read ({reason}). Check the file's name.", reason=system_reason(problem))
        raise StoreError(text, document=str(path)) from None


def is_recording(path: Path) -> bool:
    """Return whether a file starts like a recording.

    Raises:
        StoreError: it cannot be read.
    """
    with reading(path), path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


class RecordingWriter:
    """Appends to a recording. Once it is full, ``is_full`` is true and nothing more is added.

    Raises:
        StoreError: the file already exists, or cannot be written.
    """

    def __init__(self, path: Path, limit_bytes: int) -> None:
        self.path = path
        self._limit_bytes = limit_bytes
        self.is_full = False
        self._kept: BgrImage | None = None
        self._kept_blocks: Numbers = np.zeros(())
        self._kept_s = -KEEP_EVERY_S
        try:
            # Without a buffer, a full disk cannot refuse the rest once more when the file is closed.
            self._file = path.open("xb", buffering=0)
        except OSError as problem:
            text = said(
                "cannot be written ({reason}); choose a new name in a folder that you may write to",
                reason=system_reason(problem),
            )
            raise StoreError(text, document=str(path)) from None
        try:
            self._write(MAGIC)
        except StoreError:
            self.close()
            path.unlink()
            raise

    def frame(self, frame: Frame) -> Frame:
        """Store a frame, and return it with its pixels in the recording.

        Raises:
            StoreError: the disk is full or gone.
        """
        facts = msgspec.json.encode(FrameFacts(frame.sequence, frame.monotonic_s, frame.is_photo))
        blocks = _blocks(frame.image_bgr)
        if self._kept is not None and self._looks_the_same(frame, blocks):
            self._add(Block("again", facts))
        else:
            _, jpeg = cv2.imencode(".jpg", frame.image_bgr, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
            data = jpeg.tobytes()
            self._kept, self._kept_blocks, self._kept_s = decode_photo(data), blocks, frame.monotonic_s
            self._add(Block("frame", facts, data))
        return Frame(self._kept, frame.sequence, frame.monotonic_s, frame.source, is_photo=frame.is_photo)

    def event(self, facts: Facts) -> None:
        """Store an event.

        Raises:
            StoreError: the disk is full or gone.
        """
        self._add(Block("event", msgspec.json.encode(facts)))

    def close(self) -> None:
        """End the recording. It is safe to call this twice."""
        self._file.close()

    def _looks_the_same(self, frame: Frame, blocks: Int[Numbers, "rows columns 3"]) -> bool:
        if frame.monotonic_s - self._kept_s >= KEEP_EVERY_S or blocks.shape != self._kept_blocks.shape:
            return False
        return float(np.abs(blocks - self._kept_blocks).max()) < NOISE_STEPS

    def _add(self, block: Block) -> None:
        body = struct.pack("<I", len(block.text)) + block.text + block.jpeg
        head = _HEAD.pack(_LETTERS[block.kind], len(body), zlib.crc32(body))
        if self.is_full or self._file.tell() + len(head) + len(body) > self._limit_bytes:
            self.is_full = True
            return
        self._write(head + body)

    def _write(self, data: bytes) -> None:
        left = memoryview(data)
        try:
            while left:
                left = left[self._file.write(left) :]
        except OSError as problem:
            text = said("cannot be written on ({reason}); make room on the disk", reason=system_reason(problem))
            raise StoreError(text, document=str(self.path)) from None


def _blocks(image_bgr: BgrImage) -> Int[Numbers, "rows columns 3"]:
    """Return the mean of each block of pixels, all channels together."""
    height, width = image_bgr.shape[:2]
    size_wh = (max(1, width // _BLOCK_PX), max(1, height // _BLOCK_PX))
    return cv2.resize(image_bgr, size_wh, interpolation=cv2.INTER_AREA).astype(np.int16)


def blocks_of(path: Path) -> Iterator[Block]:
    """Yield the blocks of a recording, up to the first broken or truncated one.

    Raises:
        BadValue: the file is not a recording.
        StoreError: it cannot be read.
    """
    with reading(path), path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            text = said("this is not a recording, a video or a folder of pictures; record one with sightline record")
            raise BadValue(text, document=str(path))
        while (block := _read_block(file)) is not None:
            yield block


def _read_block(file: BinaryIO) -> Block | None:
    head = file.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    letter, length, checksum = _HEAD.unpack(head)
    if letter not in _KINDS or not 4 <= length <= _MAX_BLOCK_BYTES:
        return None
    body = file.read(length)
    if len(body) < length or zlib.crc32(body) != checksum:
        return None
    (text_length,) = struct.unpack_from("<I", body)
    return Block(_KINDS[letter], body[4 : 4 + text_length], body[4 + text_length :])


def frames_of(path: Path, source: str) -> Iterator[Frame | Facts]:
    """Yield the frames of a recording and the events between them, in order.

    Raises:
        BadValue: the file is not a recording, or another program wrote it wrongly.
        StoreError: it cannot be read.
    """
    image_bgr: BgrImage | None = None
    try:
        for block in blocks_of(path):
            if block.kind == "event":
                yield msgspec.json.decode(block.text, type=dict[str, Any])
                continue
            if block.kind == "frame":
                image_bgr = decode_photo(block.jpeg)
            if image_bgr is not None:
                facts = msgspec.json.decode(block.text, type=FrameFacts)
                yield Frame(image_bgr, facts.sequence, facts.monotonic_s, source, is_photo=facts.is_photo)
    except (msgspec.DecodeError, PhotoUnreadable, ValueError) as problem:
        raise BadValue(
            said("this recording was not written by Sightline ({reason})", reason=str(problem)), document=str(path)
        ) from None
