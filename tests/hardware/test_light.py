"""From the initiative order to pixels: each sign's look, and the current limit."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.errors import BadValue
from assistant.table.tracker import PALETTES, Struck, TrackerEntry, TrackerView, TurnTimer
from hardware.light import LightFrame, LightSettings, current_ma, light_frame, limit_current, segments

RAW = LightSettings(pixel_count=59, brightness=1, gamma=1, limit_ma=20_000)
FOUR = TrackerView(order=tuple(TrackerEntry(f"f{n}", n % 2, 10, 10) for n in range(4)), active=1, round=1)
MID_BREATH_S, END_BREATH_S = 1.5, 3.0


def segment_light(view, index, clock_s=MID_BREATH_S, settings=RAW):
    part = next(p for p in segments(view, settings.pixel_count) if p.index == index)
    return light_frame(view, clock_s, settings).pixels[part.first : part.first + part.length]


def with_entry(view, index, **changes):
    order = list(view.order)
    order[index] = replace(order[index], **changes)
    return replace(view, order=tuple(order))


def test_every_figure_has_a_segment_and_dark_pixels_part_them():
    parts = segments(FOUR, 59)
    assert [(p.index, p.first, p.length) for p in parts] == [(0, 0, 14), (1, 15, 14), (2, 30, 14), (3, 45, 14)]


def test_active_glows_above_waiting_and_acted_is_dim():
    view = with_entry(FOUR, 0, has_acted=True)
    acted, active, waiting = (sum(segment_light(view, n)[0]) for n in (0, 1, 2))
    assert active > 1.5 * waiting > 2 * 1.5 * acted > 0


def test_active_segment_breathes():
    assert sum(segment_light(FOUR, 1, MID_BREATH_S)[0]) > 1.5 * sum(segment_light(FOUR, 1, END_BREATH_S)[0])


def test_wounds_eat_into_the_segment_from_its_end():
    light = segment_light(with_entry(FOUR, 2, health=5), 2)
    assert all(any(pixel) for pixel in light[:7])
    assert not any(any(pixel) for pixel in light[7:])


def test_last_pixel_fades_with_the_health():
    light = segment_light(with_entry(FOUR, 2, health=9), 2)
    full, fading, gone = sum(light[11]), sum(light[12]), sum(light[13])
    assert full > fading > gone == 0


@pytest.mark.parametrize("pixel_count", [8, 60])
def test_last_point_of_health_is_still_visible(pixel_count):
    settings = LightSettings(pixel_count=pixel_count)
    view = with_entry(FOUR, 0, health=1, health_max=40, has_acted=True)
    assert any(segment_light(view, 0, settings=settings)[0])


def test_fallen_figure_is_dark():
    assert not any(any(pixel) for pixel in segment_light(with_entry(FOUR, 0, health=0), 0))


def test_stun_flickers_at_most_three_times_a_second():
    view = with_entry(FOUR, 2, is_stunned=True)
    levels = [sum(segment_light(view, 2, n / 60)[0]) for n in range(600)]
    turns = [n for n in range(1, 599) if (levels[n] - levels[n - 1]) * 1.0 != 0]
    assert len(set(levels)) >= 4
    for start in range(540):
        assert sum(start <= turn < start + 60 for turn in turns) <= 6


def test_white_hand_walks_with_the_time_and_overtime_blinks():
    timer = TurnTimer(length_s=14, left_s=14, as_of_s=100)
    view = replace(FOUR, timer=timer)
    for passed_s in range(14):
        light = segment_light(view, 1, 100 + passed_s + 0.5)
        assert [n for n, pixel in enumerate(light) if pixel == (255, 255, 255)] == [passed_s]
    white = [len(set(segment_light(view, 1, 120 + n / 4)[0])) == 1 for n in range(8)]
    assert white == [True, True, False, False, True, True, False, False]


def test_paused_timer_stands_still():
    timer = TurnTimer(length_s=14, left_s=5, as_of_s=100, is_running=False)
    assert timer.left_at(1e6) == 5


def test_dark_pixels_between_segments_count_the_rounds():
    for rounds, lit in ((0, 0), (1, 1), (2, 2), (9, 3)):
        pixels = light_frame(replace(FOUR, round=rounds), 0, RAW).pixels
        assert sum(any(pixels[n]) for n in (14, 29, 44)) == lit


def test_table_without_a_match_breathes_in_one_pixel():
    pixels = light_frame(TrackerView(), 3, RAW).pixels
    assert any(pixels[0])
    assert not any(map(any, pixels[1:]))


def test_more_figures_than_pixels_shows_those_round_the_active_one():
    view = TrackerView(order=tuple(TrackerEntry(str(n), 0) for n in range(30)), active=20)
    parts = segments(view, 8)
    assert [p.index for p in parts] == list(range(16, 24))
    assert all(p.length == 1 for p in parts)


def test_side_colors_come_from_the_chosen_palette():
    view = with_entry(FOUR, 2, side_color=4)
    for name, colors in PALETTES.items():
        got = segment_light(view, 2, settings=replace(RAW, palette=name))[0]
        assert got == tuple(round(channel * 0.5) for channel in colors[4])


@given(data=st.data())
def test_every_picture_keeps_the_limit_and_the_length(drawn, data):
    view, clock_s, settings = (data.draw(s) for s in (drawn.views(), drawn.clocks_s, drawn.settings()))
    frame = light_frame(view, clock_s, settings)
    assert frame.pixel_count == settings.pixel_count
    assert frame.current_ma <= settings.limit_ma
    assert frame == light_frame(view, clock_s, settings)


@given(data=st.data())
def test_segments_do_not_overlap_and_fit(drawn, data):
    view, settings = data.draw(drawn.views()), data.draw(drawn.settings())
    parts = segments(view, settings.pixel_count)
    taken = [pixel for p in parts for pixel in range(p.first, p.first + p.length)]
    assert len(taken) == len(set(taken))
    assert len(parts) == min(len(view.order), settings.pixel_count)
    assert not taken or 0 <= min(taken) <= max(taken) < settings.pixel_count
    assert view.active is None or view.active in [p.index for p in parts]


@given(rgb=st.binary(max_size=900).map(lambda b: b[: len(b) // 3 * 3]), limit_ma=st.integers(0, 20_000))
def test_limit_darkens_all_pixels_alike_and_only_when_it_must(rgb, limit_ma):
    result = limit_current(rgb, limit_ma)
    assert current_ma(result) <= max(limit_ma, len(rgb) // 3)
    assert result == rgb or current_ma(rgb) > limit_ma
    if limit_ma >= len(rgb) // 3:
        # Rounding down costs less than one step of each value.
        assert current_ma(result) >= min(current_ma(rgb), limit_ma) - (len(rgb) + 1) * 20 / 255


def test_screen_shows_a_pixel_as_bright_as_the_eye_sees_the_strip():
    frame = LightFrame(bytes([0, 55, 255]))
    assert frame.on_screen(2.2) == ((0, 127, 255),)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("pixel_count", 7),
        ("pixel_count", 301),
        ("brightness", 0),
        ("brightness", float("nan")),
        ("gamma", 0.9),
        ("limit_ma", 59),
        ("palette", "mud"),
    ],
)
def test_settings_out_of_range_are_named(field, value):
    with pytest.raises(BadValue) as caught:
        LightSettings(**{field: value})
    assert caught.value.field == field


@pytest.mark.parametrize(
    "make",
    [
        lambda: TrackerEntry("a", 6),
        lambda: TrackerEntry("a", 0, 3, 2),
        lambda: TrackerEntry("a", 0, 0, 0),
        lambda: TrackerView(active=0),
        lambda: TrackerView(round=-1),
        lambda: TurnTimer(0, 0, 0),
        lambda: TurnTimer(5, 6, 0),
        lambda: TurnTimer(5, 5, float("nan")),
        lambda: LightFrame(b"\0"),
    ],
)
def test_views_that_cannot_be_are_refused(make):
    with pytest.raises(ValueError, match=r"\w"):
        make()


def struck_view(**blow):
    order = (TrackerEntry("alpha", 0, 5, 5), TrackerEntry("imp", 1, 3, 4))
    return TrackerView(order, struck=Struck(since_s=10.0, **blow))


def test_who_is_hurt_flashes_at_most_three_times_a_second_and_nobody_else():
    view = struck_view(places=frozenset({1}), is_death=False)
    alpha, imp = segments(view, RAW.pixel_count)
    plain = light_frame(replace(view, struck=None), 10.0, RAW).pixels
    flashes = []
    for tick in range(200):
        pixels = light_frame(view, 10 + tick / 100, RAW).pixels
        assert pixels[: alpha.length] == plain[: alpha.length]
        flashes.append(len(set(pixels[imp.first + 1])) == 1)  # white
    begun = [tick for tick in range(200) if flashes[tick] and (tick == 0 or not flashes[tick - 1])]
    assert begun == [0, 50, 100]
    assert not any(flashes[150:]), "it is calm again"


def test_a_death_lights_the_whole_strip_once_and_fades():
    view = struck_view(places=frozenset(), is_death=True)
    sums = [sum(light_frame(view, 10 + tick / 20, RAW).rgb) for tick in range(32)]
    assert sums[0] == max(sums)
    assert all(later <= earlier for earlier, later in pairwise(sums))
    assert sums[30] == sum(light_frame(replace(view, struck=None), 11.5, RAW).rgb)
