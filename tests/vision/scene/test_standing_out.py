"""In a crowd, a tile that stands out is read although none is likely; beside a clear one, a faint one waits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from vision.scene.tile_choice import _known, _standing_out


def test_the_one_placement_ahead_of_all_others_is_read_with_a_doubt(photographed: Any) -> None:
    placement = photographed.reading.seen.placements[0]
    faint = replace(placement, strength=1.8, log_odds=-4.0)
    behind = replace(placement, corner=(90, 90), strength=0.9, log_odds=-5.0)
    (found,) = _standing_out([behind, faint])
    assert found.key == faint.key
    assert 0 < found.log_odds < 3
    near = replace(behind, strength=1.5)
    assert _standing_out([near, faint]) == []
    assert _standing_out([replace(faint, strength=0.6)]) == []
    assert _standing_out([]) == []


def test_a_faint_tile_is_left_to_the_closer_search_beside_a_clear_one(photographed: Any) -> None:
    clear = replace(photographed.reading.seen.placements[0], log_odds=20.0)
    faint = replace(clear, corner=(90, 90), log_odds=1.4)
    assert _known([faint, clear]) == [clear]
    assert _known([faint]) == [faint]
