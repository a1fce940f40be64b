"""The fit of rims finds how photos bend colours, and how much their measure counts."""

from __future__ import annotations

import numpy as np

from calibration.color import bgr_from_hex
from vision.evidence.rim_colors import RimPlace, rim_model_of
from vision.evidence.ring_strips import ANGLES, INSETS
from vision.training.labelled import labelled_scene
from vision.training.rim_fit import RimSample, rim_document, rim_samples
from vision.training.samples import table_of

ROSTER = ("#d8342c", "#2f6fd0", "#37a34a", "#c9a227", "#7d3fb5")


def hazy_table(number: int) -> list[RimSample]:
    """Return a table whose photo mixes all colours with grey. The network cannot tell its rings apart."""
    rng = np.random.default_rng(number)
    light = rng.uniform(0.8, 1.1)
    samples = []
    for label in rng.permutation(len(ROSTER)):
        strip = np.full((INSETS, ANGLES, 3), 100.0)
        strip[7:9] = bgr_from_hex(ROSTER[label])
        seen = np.clip(light * (50 + 0.6 * strip) + rng.normal(0, 3, strip.shape), 0, 255).astype(np.uint8)
        count = len(ROSTER)
        odds = np.full(count, 2.0) + rng.normal(0, 0.5, count)
        samples.append(RimSample(str(number), RimPlace([seen] * count, [True] * count, ROSTER, odds), int(label)))
    return samples


def test_haze_is_found_as_a_gain_below_one_and_the_measure_counts() -> None:
    document = rim_document([sample for number in range(8) for sample in hazy_table(number)])
    model = rim_model_of(dict(document))
    assert 0.2 < model.color.mean[-1] < 0.8
    assert model.weights[1] > 0 or model.weights[2] > 0


def test_every_base_with_a_ring_is_a_sample_with_its_own_ring() -> None:
    table = labelled_scene(*table_of(800_004, crowded=False))
    samples = list(rim_samples(table, table.name))
    assert len(samples) == sum(ring is not None for ring in table.rings.values())
    rings = {ring for ring in table.rings.values()}
    assert {sample.place.colors[sample.label] for sample in samples} <= rings
