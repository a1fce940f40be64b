"""Of how many parts a picture file is made, counted before a decoder walks through them.

A file of 200 kB may name a thousand passes over 50 megapixels, one of 20 MB as many million empty parts: minutes of
work for a picture that shows nothing. No camera writes such files.
"""

from __future__ import annotations

import re
import struct

MAX_SCANS = 64
"""Passes over a JPEG; those that are sharpened step by step have about ten."""

MAX_JPEG_PARTS = 10_000
"""Parts of a JPEG, and bytes between them that belong to none; a phone's depth map and colour profile take hundreds."""

MAX_PNG_PARTS = 50_000
"""Chunks of a PNG; of the largest picture that is taken, in chunks of 8 kB, there are 8,000."""

_MARKER_IN_SCAN = re.compile(rb"\xff(?=[^\x00\xd0-\xd7\xff])")
_MARKER = re.compile(rb"\xff[^\xff]")
_START_OF_SCAN, _END_OF_IMAGE = 0xDA, 0xD9
_WITHOUT_LENGTH = frozenset({0x00, 0x01, *range(0xD0, 0xDA)})


def has_jpeg_too_many_parts(data: bytes) -> bool:
    """Whether a JPEG names more passes or parts than any camera writes; what follows its picture is not looked at."""
    place, parts, scans = 2, 0, 0
    while parts <= MAX_JPEG_PARTS and scans <= MAX_SCANS:
        found = _MARKER.search(data, place)
        if found is None:
            return parts + len(data) - place > MAX_JPEG_PARTS
        parts += found.end() - 1 - place
        marker = data[found.end() - 1]
        if marker == _END_OF_IMAGE and scans:
            return False
        place = found.end()
        if marker in _WITHOUT_LENGTH:
            continue
        (length,) = struct.unpack_from(">H", data, place) if place + 2 <= len(data) else (2,)
        place += max(length, 2)
        if marker == _START_OF_SCAN:
            scans += 1
            coded = _MARKER_IN_SCAN.search(data, place)
            if coded is None:
                break
            place = coded.start()
    return parts > MAX_JPEG_PARTS or scans > MAX_SCANS


def has_png_too_many_parts(data: bytes) -> bool:
    """Whether a PNG is cut into more chunks than any program writes."""
    place, parts = 8, 0
    while place + 8 <= len(data) and parts <= MAX_PNG_PARTS:
        (length,) = struct.unpack_from(">I", data, place)
        if data[place + 4 : place + 8] == b"IEND":
            break
        place += length + 12
        parts += 1
    return parts > MAX_PNG_PARTS
