"""A model's front and back: separated by the line across its middle, with the facing from the picture."""

import pytest

from assistant.app.live.free_measures import Fronts, fronts_of
from assistant.errors import UnknownName
from assistant.table.free_sighting import FreeSighting, FreeSpot
from tests.rules.free_tables import figure, table

SHOWN = table(
    figure("a", 300, 300, facing=90),
    figure("ahead", 310, 400),
    figure("back", 300, 200, "raiders"),
    figure("aside", 400, 310),
    figure("far", 300, 700),
)


def test_everybody_within_reach_is_before_behind_or_beside():
    sighting = FreeSighting(SHOWN, {"a": FreeSpot(0.1, facing_error_deg=5.0)})
    assert fronts_of(sighting, "a", 100.0) == Fronts(("ahead",), ("back",), ("aside",))
    assert fronts_of(sighting, "a", 10.0) == Fronts((), (), ())
    sharp = FreeSighting(SHOWN, {"a": FreeSpot(0.1, facing_error_deg=1.0)})
    assert fronts_of(sharp, "a", 100.0) == Fronts(("ahead", "aside"), ("back",), ())


def test_without_a_mark_nothing_is_reported():
    assert fronts_of(FreeSighting(SHOWN, {"a": FreeSpot(0.1)}), "a", 100.0) is None
    with pytest.raises(UnknownName):
        fronts_of(FreeSighting(SHOWN, {}), "nobody", 100.0)
