"""Drift detection: a pure state machine that checks the calibration frame by frame.

It believes a change (a bumped camera, a zoomed lens, a moved marker, focus, exposure, a lamp) once it has lasted
``CONFIRM_S``, well within a second. It corrects a bumped camera, a zoomed lens and a moved marker from the other
markers. For every other change it names one remedy.

Invariant: ``view`` and ``table`` always belong together. If most markers are off, the camera moved. If a few are off,
    those markers moved. Half and half is undecidable, and the alarm stays.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np

from assistant.errors import PhotoError
from assistant.table.camera import CameraLens, TableMarker, TableMarkers
from assistant.translations.messages import Said, message, said
from calibration.arrays import Corners, Doubles
from calibration.markers import MarkerSighting
from calibration.picture_stats import PictureStats
from calibration.pose import MARKERS_NEEDED, CameraView, solve_view_at_any_zoom, solve_zoom_in_place

CONFIRM_S = 0.39
"""Seconds until a change counts, five frames at ten a second: a hand over the table has moved on by then. Slightly
under 0.4, so that a frame on time counts however its time was rounded."""

SHIFT_OF_WIDTH = 0.0008
"""Displacement from which a marker has moved, as a share of the picture's width: 1.5 px of 1920, 15 times the noise."""

SETTLED_OF_WIDTH = 0.0004
"""Agreement between a new pose and the next frame from which the camera is still again."""

BLUR_RATIO = 0.55
"""Share of the original sharpness below which the blur has nearly doubled."""

DARK, BRIGHT = 12.0, 235.0
BLOWN_SHARE = 0.35

LIGHT_RATIO = 1.3
"""Brightness ratio that only a lamp exceeds. A camera's own control reverts smaller changes."""

WARMTH_RATIO = 1.2


class Alarm(enum.Enum):
    """A problem of the calibration, in one sentence for the page."""

    HIDDEN = message("The camera sees too few of the table's markers. Uncover them, or turn the camera back.")
    MOVING = message("The camera is moving. Rulings wait until it is still.")
    MARKERS_DISAGREE = message(
        "The markers have moved, or the camera's zoom has changed. Put them back, show the camera at least four, or "
        "set up the table again."
    )
    MARKER_ASTRAY = message("Marker {id} has moved. It does not count until it lies still.")
    BLURRED = message("The picture is out of focus. Let the camera focus again, or wipe the lens.")
    TOO_DARK = message("The picture is too dark. Switch on a lamp.")
    TOO_BRIGHT = message("The picture is too bright. Turn the lamp or the exposure down.")


class DriftCorrection(enum.Enum):
    """An automatic correction, in one sentence for the page."""

    CAMERA_MOVED = message("The camera moved by {mm} mm and {deg} degrees. Its position is known again.")
    MARKER_MOVED = message("Marker {id} has a new place. It counts from now on.")
    LENS_CHANGED = message("The camera's zoom or focus has changed. Its lens is measured again.")
    LIGHT_CHANGED = message("The light has changed. Colours are measured again.")


@dataclass(frozen=True)
class DriftEvent:
    """A change: an alarm raised or over, or an automatic correction.

    ``values`` fill the places of the kind's sentence: a marker's ``id``, or ``mm`` and ``deg`` of a motion.
    """

    kind: Alarm | DriftCorrection
    values: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    is_over: bool = False

    @property
    def sentence(self) -> Said:
        return said(self.kind.value, **{name: round(value, 1) for name, value in self.values.items()})

    @property
    def name(self) -> str:
        """The name of an alarm in ``DriftState.raised``, one for each marker."""
        return " ".join([self.kind.name, *(str(value) for key, value in self.values.items() if key == "id")])


@dataclass(frozen=True)
class FrameMeasurement:
    """The contents of one frame: its time, its markers, and statistics of the whole picture."""

    time_s: float
    sightings: tuple[MarkerSighting, ...]
    stats: PictureStats


@dataclass(frozen=True)
class DriftState:
    """The state of the watch.

    Args:
        table: where the markers lie, including corrections.
        lens: the camera's lens.
        view: the camera's pose.
        stats: statistics of its picture while all is well.
        since_s: the start of each suspicion.
        raised: current alarms.
        candidate: the pose of the last frame, while the camera is not where ``view`` says.
        bias_px: offset of each marker's corners (4, 2) from their projection while all was well, by id. A guessed lens
            and bent paper cause a permanent offset.
    """

    table: TableMarkers
    lens: CameraLens
    view: CameraView
    stats: PictureStats
    since_s: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    raised: frozenset[str] = frozenset()
    candidate: CameraView | None = None
    bias_px: Mapping[int, Corners] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def is_trusted(self) -> bool:
        """Whether rulings need no mark: no alarm, and no suspicion about the camera."""
        return not self.raised and Alarm.MOVING.name not in self.since_s

    @property
    def is_calm(self) -> bool:
        """Whether there is neither alarm nor suspicion."""
        return not self.raised and not self.since_s


def begin_watch(table: TableMarkers, view: CameraView, frame: FrameMeasurement) -> DriftState:
    """Begin the watch of a camera with a frame while all is well. ``view`` was solved from that frame."""
    return _with_bias(DriftState(table, view.lens, view, frame.stats), frame.sightings)


def update_watch(watch: DriftState, frame: FrameMeasurement) -> tuple[DriftState, tuple[DriftEvent, ...]]:
    """Return the watch after one more frame, and its events."""
    watch, picture = _watch_picture(watch, frame)
    watch, place = _watch_place(watch, frame)
    return watch, (*picture, *place)


def _watch_picture(watch: DriftState, frame: FrameMeasurement) -> tuple[DriftState, tuple[DriftEvent, ...]]:
    now, usual = frame.stats, watch.stats
    is_dark, is_bright = now.brightness < DARK, now.brightness > BRIGHT or now.blown_share > BLOWN_SHARE
    is_blurred = not is_dark and not is_bright and now.sharpness < BLUR_RATIO * usual.sharpness
    events: list[DriftEvent] = []
    for alarm, is_on in ((Alarm.TOO_DARK, is_dark), (Alarm.TOO_BRIGHT, is_bright), (Alarm.BLURRED, is_blurred)):
        watch, more = _update_alarm(watch, frame.time_s, alarm, is_on)
        events += more
    is_other_light = not (is_dark or is_bright) and (
        _ratio(now.brightness, usual.brightness) > LIGHT_RATIO or _ratio(now.warmth, usual.warmth) > WARMTH_RATIO
    )
    watch, lasts = _update_suspicion(watch, DriftCorrection.LIGHT_CHANGED.name, frame.time_s, is_other_light)
    if lasts:
        # Keep the sharpness, so that blur is still noticed when the light changes.
        watch = _clear_alarm(
            replace(watch, stats=replace(now, sharpness=usual.sharpness)), DriftCorrection.LIGHT_CHANGED.name
        )
        events.append(DriftEvent(DriftCorrection.LIGHT_CHANGED))
    return watch, tuple(events)


def _ratio(a: float, b: float) -> float:
    low, high = sorted((max(a, 1e-3), max(b, 1e-3)))
    return high / low


def _watch_place(watch: DriftState, frame: FrameMeasurement) -> tuple[DriftState, tuple[DriftEvent, ...]]:
    shifts_px = _shifts_px(watch, frame.sightings)
    watch, events = _update_alarm(watch, frame.time_s, Alarm.HIDDEN, len(shifts_px) < MARKERS_NEEDED)
    if len(shifts_px) < MARKERS_NEEDED:
        return watch, events
    limit_px = SHIFT_OF_WIDTH * watch.lens.width_px
    astray = [marker_id for marker_id, shift_px in shifts_px.items() if shift_px > limit_px]
    if 2 * len(astray) > len(shifts_px) or len(shifts_px) - len(astray) < MARKERS_NEEDED:
        watch, more = _watch_camera(watch, frame)
    else:
        watch, over = _camera_stands(watch, frame)
        watch, moved = _watch_markers(watch, frame, astray)
        more = (*over, *moved)
    return watch, (*events, *more)


def _shifts_px(watch: DriftState, sightings: Sequence[MarkerSighting]) -> dict[int, float]:
    """Return the distance of each marker of the table from its projection. For a repeated id, the nearer one counts."""
    places = {marker.id: marker.corners_mm for marker in watch.table.markers}
    shifts: dict[int, float] = {}
    for sighting in sightings:
        if sighting.id in places:
            expected = watch.view.image_from_table(places[sighting.id]) + watch.bias_px.get(sighting.id, 0.0)
            shift_px = float(np.linalg.norm(sighting.corners_px - expected, axis=1).mean())
            shifts[sighting.id] = min(shift_px, shifts.get(sighting.id, np.inf))
    return shifts


def _with_bias(watch: DriftState, sightings: Sequence[MarkerSighting]) -> DriftState:
    """Return the watch with the offsets of the markers that the view rests on measured anew."""
    places = {m.id: m.corners_mm for m in watch.table.markers if m.id in watch.view.markers_seen}
    bias_px = {s.id: s.corners_px - watch.view.image_from_table(places[s.id]) for s in sightings if s.id in places}
    return replace(watch, bias_px=MappingProxyType(bias_px))


def _watch_camera(watch: DriftState, frame: FrameMeasurement) -> tuple[DriftState, tuple[DriftEvent, ...]]:
    """Handle a moved or zoomed camera (most markers off): take its new pose once it is still."""
    try:
        view = _view_again(watch, frame.sightings)
    except PhotoError:
        watch, events = _update_alarm(replace(watch, candidate=None), frame.time_s, Alarm.MARKERS_DISAGREE, True)
        return watch, events
    watch, over = _update_alarm(watch, frame.time_s, Alarm.MARKERS_DISAGREE, False)
    stands_still = watch.candidate is not None and _apart_px(watch, view, watch.candidate) < (
        SETTLED_OF_WIDTH * watch.lens.width_px
    )
    watch, lasts = _update_suspicion(watch, Alarm.MOVING.name, frame.time_s, True)
    if lasts and stands_still:
        moved_mm, turned_deg = motion(watch.view, view)
        event = DriftEvent(DriftCorrection.CAMERA_MOVED, {"mm": moved_mm, "deg": turned_deg})
        if not view.lens_is_guessed and view.lens != watch.lens:
            event = DriftEvent(DriftCorrection.LENS_CHANGED)
        watch = _clear_alarm(replace(watch, view=view, lens=view.lens, candidate=None), Alarm.MOVING.name)
        watch = _with_bias(watch, frame.sightings)
        return watch, (*over, event)
    watch, events = _update_alarm(replace(watch, candidate=view), frame.time_s, Alarm.MOVING, True)
    return watch, (*over, *events)


def _view_again(watch: DriftState, sightings: Sequence[MarkerSighting]) -> CameraView:
    """Return the pose of a camera that moved, or was zoomed where it stands, whichever the markers fit better.

    Raises:
        PhotoError: they fit neither.
    """
    image_wh = (watch.lens.width_px, watch.lens.height_px)
    if watch.view.lens_is_guessed:
        return solve_view_at_any_zoom(sightings, watch.table, None, image_wh=image_wh)
    try:
        zoomed = solve_zoom_in_place(sightings, watch.table, watch.view)
    except PhotoError:
        return solve_view_at_any_zoom(sightings, watch.table, watch.lens, image_wh=image_wh)
    try:
        moved = solve_view_at_any_zoom(sightings, watch.table, watch.lens, image_wh=image_wh)
    except PhotoError:
        return zoomed
    # A zoom that moves no marker is none.
    is_zoom = abs(zoomed.lens.matrix[0][0] / watch.lens.matrix[0][0] - 1) > 2 * SHIFT_OF_WIDTH
    return min(moved, zoomed, key=_misfit) if is_zoom else moved


def _misfit(view: CameraView) -> tuple[int, float]:
    return len(view.markers_left_out), view.reprojection_px


def _camera_stands(watch: DriftState, frame: FrameMeasurement) -> tuple[DriftState, tuple[DriftEvent, ...]]:
    """Handle an unmoved camera: most markers are in place."""
    watch, moving = _update_alarm(replace(watch, candidate=None), frame.time_s, Alarm.MOVING, False)
    watch, disagree = _update_alarm(watch, frame.time_s, Alarm.MARKERS_DISAGREE, False)
    return watch, (*moving, *disagree)


def _watch_markers(
    watch: DriftState, frame: FrameMeasurement, astray: Sequence[int]
) -> tuple[DriftState, tuple[DriftEvent, ...]]:
    """Handle single markers that are off: raise an alarm at once, and take their new places once they are still."""
    events: list[DriftEvent] = []
    for marker_id in (marker.id for marker in watch.table.markers):
        alarm = DriftEvent(Alarm.MARKER_ASTRAY, {"id": marker_id})
        watch, lasts = _update_suspicion(watch, alarm.name, frame.time_s, marker_id in astray)
        if not lasts:
            if marker_id not in astray and alarm.name in watch.raised:  # back in place, or off the table
                watch = _clear_alarm(watch, alarm.name)
                events.append(replace(alarm, is_over=True))
            continue
        sighting = next(s for s in frame.sightings if s.id == marker_id)
        moved = _laid_anew(watch, sighting)
        if moved is None:
            if alarm.name not in watch.raised:
                events.append(alarm)
                watch = replace(watch, raised=watch.raised | {alarm.name})
            continue
        # A marker that no longer lies quite flat would else be off at once, and be taken anew for ever.
        corners_mm = next(marker.corners_mm for marker in moved.markers if marker.id == marker_id)
        bias_px = {**watch.bias_px, marker_id: sighting.corners_px - watch.view.image_from_table(corners_mm)}
        watch = replace(_clear_alarm(watch, alarm.name), table=moved, bias_px=MappingProxyType(bias_px))
        events.append(DriftEvent(DriftCorrection.MARKER_MOVED, {"id": marker_id}))
    return watch, tuple(events)


def _laid_anew(watch: DriftState, sighting: MarkerSighting) -> TableMarkers | None:
    """Return the table with a marker at its new place, or None if it does not lie flat there in its own size."""
    old = next(marker for marker in watch.table.markers if marker.id == sighting.id)
    places = watch.view.table_from_image(sighting.corners_px)
    if np.isnan(places).any():
        return None
    laid = _congruent(np.array(old.corners_mm, dtype=np.float64), places)
    if np.linalg.norm(laid - places, axis=1).max() > 0.02 * np.linalg.norm(laid[2] - laid[0]):
        return None
    a, b, c, d = ((float(x), float(y)) for x, y in laid)
    markers = tuple(TableMarker(old.id, (a, b, c, d)) if m.id == old.id else m for m in watch.table.markers)
    return replace(watch.table, markers=markers)


def _congruent(shape: Corners, places: Corners) -> Corners:
    """Return the shape (N, 2), moved and turned to fit the places best."""
    flat, spot = shape - shape.mean(axis=0), places - places.mean(axis=0)
    turn = np.arctan2((flat[:, 0] * spot[:, 1] - flat[:, 1] * spot[:, 0]).sum(), (flat * spot).sum())
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    laid: Doubles = flat @ spin + places.mean(axis=0)
    return laid


def motion(before: CameraView, after: CameraView) -> tuple[float, float]:
    """Return how far a camera moved, in millimetres, and turned, in degrees."""
    moved_mm = float(np.linalg.norm(after.camera_center_mm - before.camera_center_mm))
    turn = after.camera_from_table[:3, :3] @ before.camera_from_table[:3, :3].T
    return moved_mm, float(np.degrees(np.arccos(np.clip((np.trace(turn) - 1) / 2, -1, 1))))


def _apart_px(watch: DriftState, one: CameraView, other: CameraView) -> float:
    corners = np.array([corner for marker in watch.table.markers for corner in marker.corners_mm])
    gaps = np.linalg.norm(one.image_from_table(corners) - other.image_from_table(corners), axis=1)
    return float(np.nan_to_num(gaps, nan=np.inf).mean())


def _update_alarm(
    watch: DriftState, time_s: float, alarm: Alarm, is_on: bool
) -> tuple[DriftState, tuple[DriftEvent, ...]]:
    """Return the watch with an alarm raised once its cause has lasted, or ended with its cause."""
    watch, lasts = _update_suspicion(watch, alarm.name, time_s, is_on)
    if lasts and alarm.name not in watch.raised:
        return replace(watch, raised=watch.raised | {alarm.name}), (DriftEvent(alarm),)
    if not is_on and alarm.name in watch.raised:
        return replace(watch, raised=watch.raised - {alarm.name}), (DriftEvent(alarm, is_over=True),)
    return watch, ()


def _update_suspicion(watch: DriftState, name: str, time_s: float, is_on: bool) -> tuple[DriftState, bool]:
    """Return the watch with a suspicion begun, kept or dropped, and whether it has lasted long enough."""
    if not is_on:
        return (watch, False) if name not in watch.since_s else (_without(watch, name), False)
    if name not in watch.since_s:
        watch = replace(watch, since_s=MappingProxyType({**watch.since_s, name: time_s}))
    return watch, time_s - watch.since_s[name] >= CONFIRM_S


def _without(watch: DriftState, name: str) -> DriftState:
    kept = {key: value for key, value in watch.since_s.items() if key != name}
    return replace(watch, since_s=MappingProxyType(kept))


def _clear_alarm(watch: DriftState, name: str) -> DriftState:
    """Return the watch without this suspicion and its alarm."""
    return replace(_without(watch, name), raised=watch.raised - {name})
