"""A base on a ruin looks like a larger one behind it on the table: only one of the two is there."""

from assistant.table.roster import RosterFigure
from calibration.color import lab_from_bgr
from tests.vision.free.drawn_tables import VIEW, cloth, photo, plane
from vision.free.bases import BaseKind
from vision.free.choice import BaseSighting, choose_bases
from vision.free.rim_colors import read_rim_colors
from vision.free.rims import BasePose, RimPicture, fit_rim
from vision.free.search import BasePlace, rim_share

HEIGHT_MM = 40.0
RING, GREEN, BLACK = "#3caa3c", (60, 170, 60), (35, 35, 38)


def _sighting(picture, above, kind, place, elevation_mm):
    fit = fit_rim(picture, kind, BasePose(place, 0.0, elevation_mm))
    at = BasePlace(kind, fit.pose.center_mm, 0.0, 0.0, 0.0)
    return BaseSighting(fit, rim_share(above, at), read_rim_colors(picture, fit))


def test_what_is_seen_once_is_reported_once_and_as_unsure_who_stands_where():
    shown = photo(cloth(300), [((140.0, 90.0), 12.5, GREEN), ((140.0, 90.0), 11.0, BLACK)])
    picture, above = RimPicture(lab_from_bgr(shown), VIEW), plane(shown)
    figures = tuple(RosterFigure(f"digger-{n}", "digger", "diggers", (1, 1), 25.0, 30.0, RING) for n in range(3))
    kind = BaseKind(True, (25.0, 25.0), RING, figures)
    on_table = _sighting(picture, above, kind, (140.0, 90.0), 0.0)
    pixels = VIEW.image_from_table(on_table.fit.kind.outline_mm[:1] * 0 + on_table.fit.pose.center_mm, 0.0)
    ((x, y),) = VIEW.table_from_image(pixels, HEIGHT_MM)
    raised = _sighting(picture, above, kind, (float(x), float(y)), HEIGHT_MM)
    (chosen,) = choose_bases([on_table, raised])
    assert chosen.twin_log_odds is not None
    elsewhere = _sighting(picture, above, kind, (60.0, 40.0), HEIGHT_MM)
    assert choose_bases([on_table, elsewhere])[0].twin_log_odds is None
