"""A picture's table after a person corrected it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from loading import beside

from assistant.app.live.shots import Picture, ReadPicture, Shot
from assistant.table.board import Figure
from assistant.table.doubt import Doubt, Variant


def test_a_correction_keeps_the_worlds_of_other_places():
    tracked = beside(str(Path(__file__).parents[2] / "tracking" / "conftest.py"), "tracked_table")
    seen = tracked.observed([("imp", ((1, 1),)), ("marine", ((5, 6),)), ("trooper", ((7, 7),))])
    imp, _, trooper = seen.board.figures
    elsewhere = Figure("figure?1*", "imp", "demons", ((3, 0),))
    worlds = (Doubt((imp.id,), (Variant(0.6, (imp,)), Variant(0.4, (elsewhere,)))),)
    doubts = (
        Doubt((imp.id,), (Variant(0.6, (imp,)), Variant(0.4))),
        Doubt((), (Variant(0.6), Variant(0.4, (replace(elsewhere, id="figure?1"),)))),
    )
    picture = ReadPicture(Picture(b"", 1, 1), replace(seen, doubts=doubts, worlds=worlds), None, None)
    shot = Shot("photo-1", "photo", picture, None, 0.0)

    def moved(figure: Figure) -> Shot:
        figures = tuple(replace(f, cells=((7, 5),)) if f == figure else f for f in seen.board.figures)
        return replace(shot, corrected=replace(seen.board, figures=figures))

    assert shot.table.worlds == worlds
    assert moved(trooper).table.worlds == worlds
    assert moved(imp).table.worlds == ()
