"""How much current a light frame draws, and how it is kept below a limit.

A WS2812 draws at most 20 mA for each of its three colours at full duty and about 1 mA for itself
(Worldsemi WS2812B datasheet; newer 5 V variants draw 12 mA, so the estimate errs on the safe side).
"""

from __future__ import annotations

CHANNEL_FULL_MA = 20
IDLE_PIXEL_MA = 1


def current_ma(rgb: bytes) -> float:
    """Milliamperes that a strip draws while it shows these drive values (three bytes a pixel)."""
    return IDLE_PIXEL_MA * (len(rgb) // 3) + sum(rgb) * CHANNEL_FULL_MA / 255


def limit_current(rgb: bytes, limit_ma: int) -> bytes:
    """The same picture, darkened as a whole just so far that it keeps the limit.

    Values are rounded down, so the limit is kept exactly. A limit below what the dark strip draws
    gives black.
    """
    idle_ma = IDLE_PIXEL_MA * (len(rgb) // 3)
    drawn = sum(rgb)
    allowed = max(0, limit_ma - idle_ma) * 255 // CHANNEL_FULL_MA
    if drawn <= allowed:
        return rgb
    return bytes(value * allowed // drawn for value in rgb)
