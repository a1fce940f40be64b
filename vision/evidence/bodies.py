"""Bodies: does a figure's body stand on a cell, or does something else hide its print?

Dice, tokens and sweets hide print as figures do, chips have rims, and a tall body fills the next cell of the photo. A
network looks for an upright body on a base at each likely place, in the maps of the network for forms. It was fitted to
rendered tables and real boards (``vision.training.body_fit``). Its log odds count as far as no body on a nearby cell
hides the place. The other evidence counts a little less beside them (``vision/data/bodies.json``), since both see the
same picture. Where coins or dice stand for figures, bodies say nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
from jaxtyping import Float, Float32

from assistant.table.lattice import Cell
from assistant.table.roster import Roster
from calibration.arrays import Numbers, Singles
from vision.evidence.bases import has_stand_ins
from vision.evidence.figures import FigureSighting, by_place
from vision.evidence.forms import form_maps
from vision.evidence.looks import cut_at, radius_mm
from vision.evidence.occupancy import Occupancy
from vision.learned import MOST_LOG_ODDS, chance_of, learned_document, log_odds_of, run_in_batches
from vision.tiles.board_view import BoardView

_LEAST = 0.01
"""Chance of a figure from which a place is looked at: the weights were fitted to such places."""

_MOST = chance_of(MOST_LOG_ODDS)

Places = Mapping[Cell, Sequence[FigureSighting]]
"""The sightings on each cell, those of larger bases aside."""


@cache
def body_weights() -> Float[Numbers, " 3"]:
    """Return the weights of ``body_factors``."""
    return np.array(learned_document("bodies.json")["weights"])


def body_factors(
    log_odds: Float[Numbers, " n"], by_body: Float[Numbers, " n"], leaned_over: Float[Numbers, " n"]
) -> Float[Numbers, "n 3"]:
    """Return the factors of places: 1, the log odds by the other evidence, and those of a body as far as it shows."""
    return np.column_stack([np.ones(len(log_odds)), log_odds, by_body * (1 - leaned_over)])


def asks_for_bodies(roster: Roster) -> bool:
    """Return whether the box has figures on one cell, all of them upright bodies."""
    return any(figure.size == (1, 1) for figure in roster.figures) and not has_stand_ins(roster)


def weigh_bodies(
    found: Sequence[FigureSighting], board: BoardView, roster: Roster, occupancy: Occupancy
) -> list[FigureSighting]:
    """Weigh the sightings on one cell by the bodies there. The shares of the kinds stay.

    Args:
        found: the sightings by the other evidence.
        board: print and photo.
        roster: the box.
        occupancy: what bodies on nearby cells occlude of each cell, and where fallen figures lie.
    """
    places = likely_places(found)
    if not places or not asks_for_bodies(roster):
        return list(found)
    by_body = run_in_batches("bodies", body_maps(places, board, roster))[:, 0]
    before = np.array([chance_of_any(there) for there in places.values()])
    leans = np.array([occupancy.leaned_over.get(cell, 0.0) for cell in places])
    lying = np.array([min(occupancy.lying.get(cell, 0.0), _MOST) for cell in places])
    weights = body_weights()
    log_odds = body_factors(np.array([log_odds_of(chance) for chance in before]), by_body, leans) @ weights
    log_odds += np.log1p(-lying)  # what lies there does not stand there
    weighed = [one for one in found if one.cells[0] not in places or len(one.cells) > 1]
    for there, chance, now in zip(places.values(), before.tolist(), log_odds.tolist(), strict=True):
        for one in there:
            # What lies beyond the cap must not outvote a missing body.
            beyond = min(one.beyond, max(0.0, now + float(weights[1]) * one.beyond - MOST_LOG_ODDS))
            log_odds_now = log_odds_of(one.confidence * chance_of(now) / chance)
            weighed.append(replace(one, log_odds=log_odds_now, beyond=beyond))
    return weighed


def likely_places(found: Iterable[FigureSighting]) -> Places:
    """Return the likely places of figures on one cell."""
    places = {cells[0]: there for cells, there in by_place(found).items() if len(cells) == 1}
    return {cell: there for cell, there in places.items() if chance_of_any(there) >= _LEAST}


def chance_of_any(there: Iterable[FigureSighting]) -> float:
    """Return the chance of any figure at a place, at most the largest that is ever stated."""
    return min(math.fsum(one.confidence for one in there), _MOST)


def body_maps(places: Places, board: BoardView, roster: Roster) -> Float32[Singles, "n channels rows columns"]:
    """Return the maps of each place (``evidence.forms.form_maps``), for the smallest base of the box."""
    radius = min(radius_mm(figure) for figure in roster.figures if figure.size == (1, 1))
    likeliest = (max(there, key=lambda one: one.log_odds) for there in places.values())
    return form_maps([cut_at(board, one.center_px, radius) for one in likeliest])
