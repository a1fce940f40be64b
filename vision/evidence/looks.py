"""Figure kinds by their looks: compare bodies and bases with each kind's taught views.

The points of a place in the photo (``evidence.figure_views``) are compared with the taught points of each possible
kind: how often does a point of this colour, at this height on the outline and this distance from the middle of the
base, occur among them? Tint decides. Brightness counts little, since shadows change it. Points that every kind shows,
such as those of the ground round it, and points that look like the print behind them say little. How far colours and
forms tell the kinds of this box is read off its taught views (``box_model``): each is compared with all others. The
numbers of ``vision/data/looks.json`` were chosen on rendered boxes and real pieces (see ``vision/README.md``).

The result multiplies the odds of ring and look. Without a ring, or if kinds share one, the look alone decides as far as
it can. An occluder, bad light or a shared look leaves a doubt.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from itertools import compress

import numpy as np
from jaxtyping import Bool, Float, Float32, UInt8

from assistant.table.lattice import Cell
from assistant.table.roster import Roster, RosterFigure
from calibration.arrays import Flags, Levels, Numbers, Singles
from calibration.color import hue_plane, light_from_gamma
from vision.evidence.bases import ring_of, shapes_of
from vision.evidence.figure_views import (
    Foot,
    ViewPoints,
    base_shares,
    cut_points,
    is_on_figure,
    outline_shares,
    places_px,
    points_of,
)
from vision.evidence.figures import FigureSighting, by_place, of_each_kind
from vision.evidence.forms import form_likeness, form_of, taught_form
from vision.learned import chance_of, learned_document, log_odds_of
from vision.photo.paper_light import LIGHT_NOISE
from vision.tiles.board_view import BoardView

_WIDTHS = np.array([0.6, 0.4, 0.18, 0.18, 0.6])
"""Kernel widths of the comparison: share of the outline, of the base, colour (2), logarithm of brightness."""

_UNLIKE = 0.004
"""Floor of a point's likeness, so that neighbours do not decide."""

_PRINTED, _STRANGE = 0.5, 0.008
"""Density at a point that looks like the print behind it, and of a stranger's points. Nearby values do as well on
painted boxes, one-coloured boxes and real pieces."""

_FAR_OUT = 1.3
_POINTS = 200
"""Points of a place, and of each view of a kind. More cost time without more information."""
LEAST_POINTS = 30
"""Fewest points of an informative look."""

_STRANGEST = 0.5
"""Greatest log odds of a stranger over the best kind. At 1, up to one in five figures of one-coloured boxes counts
as a stranger in light that is off by a quarter."""

_LEAST_FOR_LARGE, _MOST_FOR_LARGE = -1.0, 3.5
"""Range of the log odds for a large base by its look."""

_NO_RING_EXPECTED = 0.75
"""Log odds that offset a missing ring if no figure has one. A place without a trace of a ring is likely empty only if
others have rings. Maximum likelihood over 122 places of 18 rendered tables."""

_LEAST_KIND_CHANCE = 0.01

_LOOK_STEPS, _FORM_STEPS = np.append(np.geomspace(0.2, 1.0, 8), 1.2), np.geomspace(1 / 2.7, 2.7, 9)
"""Steps of the slopes for one box, in parts of the usual ones, which hold if the views say little. Taught views that
share a light make colours look too sure, so a slope of the look grows little."""

_LOOK_SPREAD, _FORM_SPREAD = 1.0, 0.25
"""Standard deviations of a box's slopes around the usual ones, in natural logarithms."""

_TAUGHT_WEIGHT = 0.5
"""Weight of a taught view in the fit of the slopes: views of one kind share light and ground."""

_ASKED_POINTS = 60
"""Points of a taught view that is compared with the others. Thrice as many take thrice the time and change nothing."""


@dataclass(frozen=True, eq=False)
class KnownKind:
    """A kind of the roster with its taught views.

    Args:
        model: one of its figures.
        count: its number in the box.
        views: the points of each view in comparison form, (N, 5).
        forms: the form of each view (``taught_form``), or None without taught views or with a base of several cells.
    """

    model: RosterFigure
    count: int
    views: tuple[Float[Numbers, "_n 5"], ...]
    forms: Float32[Singles, "views numbers"] | None = None

    @cached_property
    def taught(self) -> Float[Numbers, "n 5"] | None:
        """The points of all its views, or None without any."""
        return np.concatenate(self.views) if self.views else None

    @property
    def height_radii(self) -> float:
        """Its height in halves of the shorter side of its base."""
        return self.model.height_mm / radius_mm(self.model)


@dataclass(frozen=True)
class LookModel:
    """The trained parameters of the looks.

    Args:
        slope: log odds per unit of likeness over a stranger.
        in_box: prior that a figure without a known ring comes from the box.
        mistake: probability that a look misleads altogether, by an occluder or a wrong place.
        form_slope: log odds per unit of the forms' likeness.
        form_stranger: forms' likeness above which the kind is likelier than a stranger, where ``form_between`` has too
            few views.
        form_between: that likeness otherwise, from 0 for taught views of the likest other kind to 1 for their own.
        form_mistake: probability that a form misleads altogether. A view from another height changes it much.
        rim: weight of a rim colour taken from a photo, relative to a named ring.
    """

    slope: float
    in_box: float
    mistake: float
    form_slope: float
    form_stranger: float
    form_between: float
    form_mistake: float
    rim: float


@cache
def look_model() -> LookModel:
    """Return the shipped model, from ``vision/data/looks.json``."""
    return LookModel(**learned_document("looks.json"))


def apply_looks(found: Sequence[FigureSighting], board: BoardView, roster: Roster) -> list[FigureSighting]:
    """Weigh the sightings with the looks of the roster's figures. Return them unchanged without taught looks."""
    kinds = known_kinds(roster)
    if not any(kind.taught is not None for kind in kinds):
        return list(found)
    return [sighting for there in by_place(found).values() for sighting in _weigh_place(there, kinds, board)]


@lru_cache(maxsize=8)
def known_kinds(roster: Roster) -> tuple[KnownKind, ...]:
    """Return the kinds of the roster by base and name, each with the views of all its figures."""
    members: dict[tuple[str, tuple[float, float]], list[RosterFigure]] = {}
    for figure in roster.figures:
        members.setdefault((figure.kind, figure.base_size_mm), []).append(figure)
    return tuple(_known_kind(figures) for figures in members.values())


def _known_kind(figures: Sequence[RosterFigure]) -> KnownKind:
    model = figures[0]
    kind = KnownKind(model, len(figures), ())
    # Figures of a kind may hold the same views. The views of one count for all.
    stored = dict.fromkeys(view for figure in figures if figure.look is not None for view in figure.look.views)
    points = [points_of(view) for view in stored]
    rows = [compared(one, kind.height_radii) for one in points]
    is_known = [len(row) >= LEAST_POINTS for row in rows]
    forms = [taught_form(one) for one in compress(points, is_known)] if model.size == (1, 1) else []
    return replace(kind, views=tuple(compress(rows, is_known)), forms=np.stack(forms) if forms else None)


@lru_cache(maxsize=32)
def box_model(kinds: tuple[KnownKind, ...]) -> LookModel:
    """Return the model for these kinds: as far as colours and forms tell their taught views apart.

    Figures of one plastic differ in form alone, painted ones in colours first. Each view is asked who it is by all
    others, and the slopes that answer best are chosen, beside the usual ones if the views say little. Where other kinds
    are nearly as alike as the own one, a stranger may be, too.
    """
    usual = look_model()
    own_forms, other_forms = [], []
    odds = -((np.log(_LOOK_STEPS) / _LOOK_SPREAD) ** 2)[:, None] / 2 - (np.log(_FORM_STEPS) / _FORM_SPREAD) ** 2 / 2
    for own, looks, forms in _asked_views([(kind.views, kind.forms) for kind in kinds if kind.forms is not None]):
        by_look = usual.slope * _LOOK_STEPS[:, None, None] * looks
        power = by_look + usual.form_slope * _FORM_STEPS[:, None] * forms
        odds = odds + _TAUGHT_WEIGHT * (power[:, :, own] - np.logaddexp.reduce(power, axis=2))
        if len(forms) > 1:
            own_forms.append(forms[own])
            other_forms.append(np.delete(forms, own).max())
    look, form = np.unravel_index(odds.argmax(), odds.shape)
    slope, form_slope = usual.slope * float(_LOOK_STEPS[look]), usual.form_slope * float(_FORM_STEPS[form])
    fitted = replace(usual, slope=slope, form_slope=form_slope)
    if not own_forms:
        return fitted
    same, other = float(np.median(own_forms)), float(np.median(other_forms))
    return replace(fitted, form_stranger=other + usual.form_between * (same - other))


def _asked_views(
    taught: Sequence[tuple[tuple[Float[Numbers, "_n 5"], ...], Float32[Singles, "_views numbers"]]],
) -> Iterator[tuple[int, Float[Numbers, " kinds"], Float[Numbers, " kinds"]]]:
    """Yield the kind of each view, and its likeness and form's likeness to the other views of each kind."""
    for own, (views, forms) in enumerate(taught):
        for number in range(len(views) if len(views) > 1 else 0):
            others = [
                (views[:number] + views[number + 1 :], np.delete(forms, number, axis=0)) if kind == own else there
                for kind, there in enumerate(taught)
            ]
            asked = views[number][:_ASKED_POINTS]
            densities = np.array([density(asked, np.concatenate(rows)) for rows, _ in others])
            alike = over_strangers(densities)
            yield own, alike, np.array([form_likeness(forms[number], known) for _, known in others])


def radius_mm(figure: RosterFigure) -> float:
    """Return half the shorter side of its base."""
    return min(figure.base_size_mm) / 2


def compared(points: ViewPoints, height_radii: float) -> Float[Numbers, "n 5"]:
    """Return the points on a figure of that height in comparison form, (N, 5)."""
    return _rows(_some_of(points, height_radii), height_radii)


def _some_of(points: ViewPoints, height_radii: float) -> ViewPoints:
    """Return the compared points on a figure of that height, by a fixed random choice."""
    on_it = is_on_figure(points.across, points.up, points.tilt_deg, height_radii)
    return points.chosen(np.random.default_rng(0).permutation(np.flatnonzero(on_it))[:_POINTS])


def _rows(points: ViewPoints, height_radii: float) -> Float[Numbers, "n 5"]:
    high = outline_shares(points.up, points.tilt_deg, height_radii)
    out = np.minimum(base_shares(points.across, points.up, points.tilt_deg), _FAR_OUT)
    rows: Numbers = np.column_stack([np.column_stack([high, out]) / _WIDTHS[:2], _colors(points.bgr)])
    return rows


def _colors(bgr: UInt8[Levels, "n 3"]) -> Float[Numbers, "n 3"]:
    """Return tint (2) and logarithm of brightness of display values, in comparison form."""
    light = light_from_gamma(bgr)
    bright = light.mean(axis=-1) + LIGHT_NOISE
    colors: Numbers = np.column_stack([hue_plane(light) / bright[:, None], np.log(bright)]) / _WIDTHS[2:]
    return colors


def over_strangers(
    densities: Float[Numbers, "kinds n"],
    printed: Float[Numbers, " n"] | float = 0.0,
    on_it: Bool[Flags, "kinds n"] | bool = True,
) -> Float[Numbers, " kinds"]:
    """Return how much better each kind explains a figure's points than a stranger does: mean log likelihood ratios.

    Args:
        densities: the density of each kind's taught points at each point.
        printed: how far each point looks like the print behind it, 0 to 1.
        on_it: whether a point may belong to a figure of that kind.
    """
    common = densities.mean(axis=0) + _PRINTED * printed + _UNLIKE
    ratios = np.log((densities + common) / (_STRANGE + common))
    alike: Numbers = np.where(on_it, ratios, 0.0).mean(axis=1)
    return alike


def density(seen: Float[Numbers, "n 5"], taught: Float[Numbers, "m 5"]) -> Float[Numbers, " n"]:
    """Return the density of the taught points at each point, 1 where all of them lie."""
    # Single precision takes a third of the time of double here, and this function dominates the time of a look.
    a, b = seen.astype(np.float32), taught.astype(np.float32)
    # No matrix product: it would wake all cores and make them wait for one another.
    off = np.einsum("ik,jk->ij", a, b) - (a**2).sum(axis=1)[:, None] / 2 - (b**2).sum(axis=1) / 2
    density: Numbers = np.exp(off).mean(axis=1)
    return density


def _weigh_place(
    there: Sequence[FigureSighting], kinds: Sequence[KnownKind], board: BoardView
) -> Iterator[FigureSighting]:
    cells = there[0].cells
    fitting = [kind for kind in kinds if fits(kind.model, cells)]
    if not any(kind.taught is not None for kind in fitting):
        yield from there
        return
    before = {sighting.kind: sighting for sighting in of_each_kind(there)}
    seen = max(there, key=lambda sighting: (sighting.model is not None, sighting.log_odds))
    x, y = board.frame.table_from_frame(np.array([seen.center_px]))[0].tolist()
    likely, forms = _likeness_at(board, (x, y), fitting)
    model = box_model(tuple(fitting)) if len(cells) == 1 else look_model()
    somebody = min(1.0, math.fsum(sighting.confidence for sighting in there))
    more = _evidence_of_large(likely.values(), model) if len(cells) > 1 else _without_rings(kinds)
    somebody = chance_of(log_odds_of(somebody) + more)
    prior = by_rings({k: s.confidence for k, s in before.items()}, fitting, model)
    shares = weighed(prior, likely, forms, model)
    odds = log_odds_of_shares(shares, somebody)
    surest = max(odds, key=odds.__getitem__)
    for name, share in shares.items():
        if share * somebody > _LEAST_KIND_CHANCE or name == surest:
            kept = before.get(name)
            known = None if name is None else next(k.model for k in fitting if k.model.kind == name)
            yield replace(seen, model=kept.model if kept else known, log_odds=odds[name], rivals=())


def log_odds_of_shares(shares: Mapping[str | None, float], somebody: float) -> dict[str | None, float]:
    """Return the log odds of each kind, and of None for a stranger, from the shares given that a figure is there.

    Args:
        shares: the share of each kind, given that a figure is there.
        somebody: the chance that a figure is there.
    """
    return {name: log_odds_of(share * somebody) for name, share in shares.items()}


def _evidence_of_large(likely: Iterable[float | None], model: LookModel) -> float:
    """Return the log odds of a large base on exactly these cells, by its look.

    Neither a shifted place nor several small figures look like that. A small base gets no such evidence: a figure on
    the next cell reaches far enough into this one to look like a figure.
    """
    known = [value for value in likely if value is not None]
    odds = model.slope * max(known) if known else 0.0
    return min(max(odds, _LEAST_FOR_LARGE), _MOST_FOR_LARGE)


def _without_rings(kinds: Sequence[KnownKind]) -> float:
    """Return the log odds that offset a missing ring at a base of one cell."""
    return 0.0 if any(ring_of(kind.model) for kind in kinds) else _NO_RING_EXPECTED


def weighed(
    prior: Mapping[str | None, float],
    likely: Mapping[str, float | None],
    forms: Mapping[str, float],
    model: LookModel,
) -> dict[str | None, float]:
    """Return the share of each kind, and of None for a stranger, given that a figure is there. They add up to 1.

    Args:
        prior: the prior of each kind and of None.
        likely: the likeness of each kind's look over a stranger's, None without taught views.
        forms: the likeness of each kind's form, if known.
        model: the trained parameters.
    """
    of_form = {name: model.form_slope * (value - model.form_stranger) for name, value in forms.items()}
    of_look = {name: model.slope * value for name, value in likely.items() if value is not None}
    return _updated(_updated(prior, of_form, model.form_mistake), of_look, model.mistake)


def _updated(
    prior: Mapping[str | None, float], evidence: Mapping[str, float], mistake: float
) -> dict[str | None, float]:
    """Return the shares after evidence, log odds over a stranger, that is misleading with probability ``mistake``."""
    # Bad light or an occluder makes every kind unlike its taught views. That alone is no evidence for a stranger.
    stranger = min(0.0, max(evidence.values(), default=0.0) + _STRANGEST)
    power = {name: math.exp(value - stranger) for name, value in evidence.items()}
    # A kind without evidence gets a neutral likelihood.
    raw = {name: share * power.get(name or "", 1.0) for name, share in prior.items()}
    total, before = sum(raw.values()) or 1.0, sum(prior.values()) or 1.0
    return {name: (1 - mistake) * raw[name] / total + mistake * prior[name] / before for name in raw}


def by_rings(
    before: Mapping[str | None, float], kinds: Sequence[KnownKind], model: LookModel
) -> dict[str | None, float]:
    """Return the chance of each kind, and of None for a stranger, by the rings alone."""
    box = sum(kind.count for kind in kinds)
    by_kind: dict[str, float] = {}
    left_open = before.get(None, 0.0)
    for kind in kinds:
        same = [k for k in kinds if ring_of(k.model) and ring_of(k.model) == ring_of(kind.model)] or [kind]
        by_ring = sum(before.get(k.model.kind, 0.0) for k in same) * kind.count / sum(k.count for k in same)
        trust = 1.0 if kind.model.ring else model.rim
        by_kind[kind.model.kind] = trust * by_ring
        left_open += (1 - trust) * by_ring
    shared = {kind.model.kind: left_open * model.in_box * kind.count / box for kind in kinds}
    return {None: left_open * (1 - model.in_box), **{name: by_kind[name] + shared[name] for name in shared}}


def fits(figure: RosterFigure, cells: Sequence[Cell]) -> bool:
    """Return whether a figure's base takes exactly such cells."""
    columns, rows = ({cell[axis] for cell in cells} for axis in (0, 1))
    return any(shape.size_cells == (len(columns), len(rows)) for shape in shapes_of(figure))


def _likeness_at(
    board: BoardView, center_mm: tuple[float, float], kinds: Sequence[KnownKind]
) -> tuple[dict[str, float | None], dict[str, float]]:
    """Return the figure's likeness to each kind, None without a taught look or without visible points, and its form's.

    Only kinds on one cell have a form.
    """
    light = light_at(board, center_mm)
    likely: dict[str, float | None] = {kind.model.kind: None for kind in kinds}
    forms: dict[str, float] = {}
    known = [(kind, kind.taught) for kind in kinds if kind.taught is not None]
    for radius in dict.fromkeys(radius_mm(kind.model) for kind, _ in known):
        foot = Foot(center_mm, board.thickness_mm, radius)
        cut = cut_points(board.photo, board.view, foot, light)
        some = _some_of(cut, max(kind.height_radii for kind, _ in known if radius_mm(kind.model) == radius))
        heights = [kind.model.height_mm / radius for kind, _ in known]
        on_it = [is_on_figure(some.across, some.up, some.tilt_deg, height) for height in heights]
        densities = [density(_rows(some, height), taught) for height, (_, taught) in zip(heights, known, strict=True)]
        over = over_strangers(np.array(densities), _printed(board, foot, some), np.array(on_it))
        form: Float32[Singles, " numbers"] | None = None
        for (kind, _), shown, value in zip(known, on_it, over.tolist(), strict=True):
            if radius_mm(kind.model) != radius or np.count_nonzero(shown) < LEAST_POINTS:
                continue
            likely[kind.model.kind] = value
            if kind.forms is not None:
                form = form_of(cut) if form is None else form
                forms[kind.model.kind] = form_likeness(form, kind.forms)
    return likely, forms


def _printed(board: BoardView, foot: Foot, points: ViewPoints) -> Float[Numbers, " n"]:
    """Return how far points show the print behind them, 0 to 1."""
    behind = board.view.table_from_image(places_px(board.view, foot, points.across, points.up), board.thickness_mm)
    column, row = np.round(board.frame.frame_from_table(behind)).astype(int).T
    height, width = board.board_mask.shape
    column, row, inside = (
        np.clip(column, 0, width - 1),
        np.clip(row, 0, height - 1),
        (column >= 0) & (column < width) & (row >= 0) & (row < height),
    )
    off = _colors(points.bgr) - _colors(board.print_image[row, column])
    shown: Numbers = np.where(inside & (board.board_mask[row, column] > 0), np.exp(-0.5 * (off**2).sum(axis=1)), 0.0)
    return shown


def cut_at(board: BoardView, center_px: tuple[float, float], radius: float) -> ViewPoints:
    """Return all points of the photo that may belong to a figure there, its base of that radius in millimetres."""
    x, y = board.frame.table_from_frame(np.array([center_px]))[0].tolist()
    return cut_points(board.photo, board.view, Foot((x, y), board.thickness_mm, radius), light_at(board, (x, y)))


def light_at(board: BoardView, center_mm: tuple[float, float]) -> Float[Numbers, " 3"]:
    """Return the colour of white at a place of the board, linear, (3,)."""
    height, width = board.gain.shape[:2]
    column, row = np.round(board.frame.frame_from_table(np.array([center_mm]))[0]).astype(int)
    light: Numbers = board.gain[np.clip(row, 0, height - 1), np.clip(column, 0, width - 1)]
    return light
