"""Consistent Overhead Byte Stuffing (Cheshire and Baker, 1999): bytes without a zero, so a zero can end a frame."""

from __future__ import annotations

_FULL = 254
"""The longest run of bytes that one code byte can announce."""


def stuffed(plain: bytes) -> bytes:
    """Return the bytes without zeros, longer by at most one byte per 254."""
    framed = bytearray()
    *runs, last = plain.split(b"\0")
    for run in runs:
        framed += _blocks(run)
        framed += _short(run)
    framed += _blocks(last)
    if len(last) % _FULL or not last:  # a last run that fills its blocks needs no short block
        framed += _short(last)
    return bytes(framed)


def _blocks(run: bytes) -> bytes:
    """Return the full blocks of a run, which no zero follows."""
    return b"".join(b"\xff" + run[at : at + _FULL] for at in range(0, len(run) - _FULL + 1, _FULL))


def _short(run: bytes) -> bytes:
    """Return the rest of a run after its full blocks, as the block that implies the following zero."""
    rest = run[len(run) // _FULL * _FULL :]
    return bytes([len(rest) + 1]) + rest


def unstuffed(framed: bytes) -> bytes:
    """Return the original bytes. Raise ``ValueError`` if these are no frame."""
    plain, at = bytearray(), 0
    while at < len(framed):
        code = framed[at]
        block = framed[at + 1 : at + code]
        if code == 0 or 0 in block or len(block) < code - 1:
            raise ValueError("these bytes are no frame")
        plain += block
        at += code
        if code <= _FULL and at < len(framed):
            plain.append(0)
    return bytes(plain)
