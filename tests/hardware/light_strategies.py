"""Hypothesis strategies for views on the strip."""

from __future__ import annotations

from hypothesis import strategies as st

from assistant.table.tracker import PALETTES, SIDE_COLOR_COUNT, TrackerEntry, TrackerView, TurnTimer
from hardware.light import MAX_PIXELS, MIN_PIXELS, LightSettings

clocks_s = st.floats(0, 1e7)


@st.composite
def entries(draw: st.DrawFn) -> TrackerEntry:
    health_max = draw(st.integers(1, 40))
    return TrackerEntry(
        name=draw(st.text(max_size=8)),
        side_color=draw(st.integers(0, SIDE_COLOR_COUNT - 1)),
        health=draw(st.integers(0, health_max)),
        health_max=health_max,
        has_acted=draw(st.booleans()),
        is_stunned=draw(st.booleans()),
    )


@st.composite
def timers(draw: st.DrawFn) -> TurnTimer:
    length_s = draw(st.floats(1, 3600))
    return TurnTimer(length_s, draw(st.floats(0, length_s)), draw(clocks_s), draw(st.booleans()))


@st.composite
def views(draw: st.DrawFn) -> TrackerView:
    order = tuple(draw(st.lists(entries(), max_size=40)))
    active = draw(st.none() | st.integers(0, len(order) - 1)) if order else None
    return TrackerView(order, active, draw(st.integers(0, 30)), draw(st.none() | timers()))


@st.composite
def settings(draw: st.DrawFn) -> LightSettings:
    pixel_count = draw(st.integers(MIN_PIXELS, MAX_PIXELS))
    return LightSettings(
        pixel_count=pixel_count,
        brightness=draw(st.floats(0.01, 1)),
        gamma=draw(st.floats(1, 3)),
        limit_ma=draw(st.integers(pixel_count, 20_000)),
        palette=draw(st.sampled_from(sorted(PALETTES))),
    )
