"""From the initiative order to light: a pure function of the view, the clock and the settings.

Each figure has a segment of the strip, in the order of initiative:

- the active figure glows and breathes, a waiting one shines evenly, one that has acted is dim,
- wounds shorten the segment from its end; the last pixel fades before it goes out,
- stun flickers, at most three flashes a second (the threshold of WCAG 2.3.1),
- a white pixel walks through the active segment while the turn's time runs; overtime blinks slowly in white,
- the dark pixels between the segments count the rounds in faint white,
- a blow flashes the hurt figure's segment in white, twice a second for a moment; a death lights the whole strip and
  fades once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from assistant.errors import BadValue
from assistant.table.tracker import PALETTES, Rgb, Struck, TrackerEntry, TrackerView
from assistant.translations.messages import said

MIN_PIXELS, MAX_PIXELS = 8, 300

# A WS2812 draws at most 20 mA for each of its three colours at full duty and about 1 mA for itself (Worldsemi WS2812B
# datasheet). Newer 5 V variants draw 12 mA, so the estimate errs on the safe side.
CHANNEL_FULL_MA = 20
IDLE_PIXEL_MA = 1

# Levels are shares of perceived full brightness. Gamma turns them into duty.
BREATH_LOW, BREATH_HIGH, BREATH_S = 0.6, 1.0, 3.0
WAITING_LEVEL, ACTED_LEVEL = 0.5, 0.2
ROUND_LEVEL = 0.15
IDLE_LOW, IDLE_HIGH, IDLE_S = 0.08, 0.2, 6.0
# A living figure's first pixel stays visible however little health is left.
ALIVE_LEVEL = 0.35
# Six level changes a second make at most three flashes (a flash is a pair of changes).
FLICKER_STEPS_PER_S = 6
FLICKER_LEVELS = (1.0, 0.45, 0.8, 0.3, 0.9, 0.5, 1.0, 0.35, 0.7)
OVERTIME_BLINK_S = 1.0
# Two flashes a second, three in all. A death is a single one.
BLOW_S, BLOW_FLASH_S = 1.5, 0.5
WHITE: Rgb = (255, 255, 255)
BLACK: Rgb = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class LightSettings:
    """A strip's settings: ``brightness`` scales the duty of every pixel, ``limit_ma`` limits the whole strip.

    Raises:
        BadValue: a setting is out of its range.
    """

    pixel_count: int = 60
    brightness: float = 0.5
    gamma: float = 2.2
    limit_ma: int = 400
    palette: str = "everyone"

    def __post_init__(self) -> None:
        if not MIN_PIXELS <= self.pixel_count <= MAX_PIXELS:
            raise BadValue(
                said("A strip has {least} to {most} pixels.", least=MIN_PIXELS, most=MAX_PIXELS),
                field="pixel_count",
            )
        if not 0 < self.brightness <= 1:
            raise BadValue(said("The brightness must be above 0 and at most 1."), field="brightness")
        if not 1 <= self.gamma <= 3:
            raise BadValue(said("Gamma must be from 1 to 3."), field="gamma")
        if self.limit_ma < self.dark_ma:
            text = said(
                "{pixel_count} pixels draw {dark_ma} mA even when dark. Allow more.",
                pixel_count=self.pixel_count,
                dark_ma=self.dark_ma,
            )
            raise BadValue(text, field="limit_ma")
        if self.palette not in PALETTES:
            raise BadValue(
                said(
                    "There is no palette “{palette}”. Choose from {known}.",
                    palette=self.palette,
                    known=", ".join(PALETTES),
                ),
                field="palette",
            )

    @property
    def dark_ma(self) -> int:
        """Current of the strip, in milliamperes, while every pixel is dark."""
        return IDLE_PIXEL_MA * self.pixel_count


@dataclass(frozen=True, slots=True)
class LightFrame:
    """Drive values for the whole strip: three bytes a pixel, red, green, blue."""

    rgb: bytes

    def __post_init__(self) -> None:
        if len(self.rgb) % 3:
            raise ValueError("a light frame has three bytes for each pixel")

    @property
    def pixel_count(self) -> int:
        return len(self.rgb) // 3

    @property
    def pixels(self) -> tuple[Rgb, ...]:
        values = iter(self.rgb)
        return tuple(zip(values, values, values, strict=True))

    @property
    def current_ma(self) -> float:
        """Return the current, in milliamperes, of the strip with this frame."""
        return current_ma(self.rgb)

    def on_screen(self, gamma: float) -> tuple[Rgb, ...]:
        """Return the pixels for a screen: the drive values without the strip's gamma."""
        table = tuple(round(255 * (value / 255) ** (1 / gamma)) for value in range(256))
        return tuple((table[r], table[g], table[b]) for r, g, b in self.pixels)


@dataclass(frozen=True, slots=True)
class Segment:
    """The pixels of one figure: ``length`` pixels from ``first``. ``index`` is its place in the order."""

    index: int
    first: int
    length: int


def segments(view: TrackerView, pixel_count: int) -> tuple[Segment, ...]:
    """Return the segments in the order of the strip.

    A dark pixel separates them if each still has three pixels. If there are more figures than pixels, only those
    nearest to the active one get a pixel each.
    """
    shown = _shown_indices(view, pixel_count)
    if not shown:
        return ()
    gap = 1 if pixel_count >= 4 * len(shown) - 1 else 0
    length, longer = divmod(pixel_count - gap * (len(shown) - 1), len(shown))
    result, first = [], 0
    for place, index in enumerate(shown):
        own = length + (place < longer)
        result.append(Segment(index, first, own))
        first += own + gap
    return tuple(result)


def _shown_indices(view: TrackerView, pixel_count: int) -> range:
    count = len(view.order)
    if count <= pixel_count:
        return range(count)
    first = max(0, min(count - pixel_count, (view.active or 0) - pixel_count // 2))
    return range(first, first + pixel_count)


def light_frame(view: TrackerView, clock_s: float, settings: LightSettings) -> LightFrame:
    """Return the drive values of every pixel at a moment of the clock, within the current limit."""
    canvas = [BLACK] * settings.pixel_count
    parts = segments(view, settings.pixel_count)
    for part in parts:
        _paint_segment(canvas, part, view, clock_s, PALETTES[settings.palette])
    _paint_rounds(canvas, parts, view)
    if view.struck is not None and 0 <= clock_s - view.struck.since_s < BLOW_S:
        _paint_blow(canvas, parts, view.struck, clock_s - view.struck.since_s)
    if not parts:
        level = _wave(clock_s, IDLE_S, IDLE_LOW, IDLE_HIGH)
        canvas = [_scale(WHITE, level)] + [BLACK] * (settings.pixel_count - 1)
    duty = _duty_table(settings.gamma, settings.brightness)
    drive = bytes(duty[value] for pixel in canvas for value in pixel)
    return LightFrame(limit_current(drive, settings.limit_ma))


def _paint_segment(
    canvas: list[Rgb], part: Segment, view: TrackerView, clock_s: float, palette: tuple[Rgb, ...]
) -> None:
    entry = view.order[part.index]
    is_active = part.index == view.active
    level = _level(entry, is_active, clock_s, part.index)
    color = palette[entry.side_color]
    if is_active and view.timer and view.timer.left_at(clock_s) <= 0 and clock_s % OVERTIME_BLINK_S < 0.5:
        color = WHITE
    for offset in range(part.length):
        canvas[part.first + offset] = _scale(color, level * _fill(entry, part.length, offset))
    if is_active and view.timer and part.length > 1:
        passed = 1 - view.timer.left_at(clock_s) / view.timer.length_s
        canvas[part.first + min(part.length - 1, int(passed * part.length))] = WHITE


def _level(entry: TrackerEntry, is_active: bool, clock_s: float, index: int) -> float:
    if is_active:
        level = _wave(clock_s, BREATH_S, BREATH_LOW, BREATH_HIGH)
    else:
        level = ACTED_LEVEL if entry.has_acted or entry.is_idle else WAITING_LEVEL
    if entry.is_stunned:
        # Neighbours are two steps apart in the row of levels, so that each figure flickers independently.
        level *= FLICKER_LEVELS[(math.floor(clock_s * FLICKER_STEPS_PER_S) + 2 * index) % len(FLICKER_LEVELS)]
    return level


def _fill(entry: TrackerEntry, length: int, offset: int) -> float:
    """Return the share of a pixel filled by the health, 0 to 1."""
    if entry.health == 0:
        return 0.0
    share = min(1.0, max(0.0, length * entry.health / entry.health_max - offset))
    return max(share, ALIVE_LEVEL) if offset == 0 else share


def _paint_rounds(canvas: list[Rgb], parts: tuple[Segment, ...], view: TrackerView) -> None:
    """Light one dark pixel between segments for each round so far."""
    free = [left.first + left.length for left, right in pairwise(parts) if right.first > left.first + left.length]
    for pixel in free[: view.round]:
        canvas[pixel] = _scale(WHITE, ROUND_LEVEL)


def _paint_blow(canvas: list[Rgb], parts: tuple[Segment, ...], struck: Struck, age_s: float) -> None:
    """Paint a blow at its age: flashes of the hurt figures, or one fading flash of the whole strip for a death."""
    if struck.is_death:
        left = 1 - age_s / BLOW_S
        canvas[:] = [_brightest(pixel, _scale(WHITE, left)) for pixel in canvas]
    elif age_s % BLOW_FLASH_S < BLOW_FLASH_S / 2:
        for part in parts:
            if part.index in struck.places:
                canvas[part.first : part.first + part.length] = [WHITE] * part.length


def _brightest(one: Rgb, other: Rgb) -> Rgb:
    red, green, blue = (max(pair) for pair in zip(one, other, strict=True))
    return red, green, blue


def _wave(clock_s: float, period_s: float, low: float, high: float) -> float:
    """Return a breath: low at the start of each period, high in its middle."""
    return low + (high - low) * (1 - math.cos(2 * math.pi * clock_s / period_s)) / 2


def _scale(color: Rgb, level: float) -> Rgb:
    red, green, blue = color
    return round(red * level), round(green * level), round(blue * level)


@lru_cache(maxsize=8)
def _duty_table(gamma: float, brightness: float) -> bytes:
    """Return the duty for each value from 0 to 255. Lit values stay at least faintly visible."""
    table = (round(255 * brightness * (value / 255) ** gamma) for value in range(256))
    return bytes(max(duty, 1 if value >= 16 else 0) for value, duty in enumerate(table))


def current_ma(rgb: bytes) -> float:
    """Return the current of a strip, in milliamperes, with these drive values, three bytes a pixel."""
    return IDLE_PIXEL_MA * (len(rgb) // 3) + sum(rgb) * CHANNEL_FULL_MA / 255


def limit_current(rgb: bytes, limit_ma: int) -> bytes:
    """Darken the picture evenly to keep the limit. Return black if even a dark strip draws more.

    Rounding down makes the limit hold exactly.
    """
    idle_ma = IDLE_PIXEL_MA * (len(rgb) // 3)
    drawn = sum(rgb)
    allowed = max(0, limit_ma - idle_ma) * 255 // CHANNEL_FULL_MA
    if drawn <= allowed:
        return rgb
    return bytes(value * allowed // drawn for value in rgb)
