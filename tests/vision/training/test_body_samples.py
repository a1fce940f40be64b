"""Places for the fit of bodies: every figure and every thing, and some empty cells."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.evidence.forms import MAPS
from vision.training.body_samples import body_samples, joined_bodies
from vision.training.labelled import labelled_scene
from vision.training.samples import table_of


def test_every_figure_and_every_thing_is_a_place_and_a_thing_costs_most() -> None:
    known = labelled_scene(*table_of(810_602, crowded=False))
    taken = {cell for cells in known.figures for cell in cells}
    things = frozenset(sorted(known.board.cells - taken)[:3])
    plain, cluttered = (
        body_samples(replace(known, things=under), np.random.default_rng(1))
        for under in (frozenset[tuple[int, int]](), things)
    )
    assert plain.stood.sum() == cluttered.stood.sum() == sum(len(cells) == 1 for cells in known.figures)
    assert (cluttered.importance[~cluttered.stood] >= 2).sum() >= (plain.importance[~plain.stood] >= 2).sum() + 2
    assert (plain.importance[plain.stood] == 1).all()
    both = joined_bodies([plain, cluttered])
    assert both.maps.shape == (len(plain.stood) + len(cluttered.stood), *MAPS)
    assert np.isnan(both.stated[~both.stood]).any(), "nobody was likely on most empty cells"
