"""The set-up as its view's JSON, every sentence in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assistant.app.setup.values import (
    STEPS,
    GameStepState,
    LensFound,
    LensState,
    SetUpPreview,
    SetUpState,
    SetUpStep,
    SheetSettings,
    TableState,
)
from assistant.translations.messages import message
from assistant.translations.speech import Speech
from calibration.lens_guidance import COLUMNS, ROWS, VIEWS_WANTED, Missing

SURE_SHARE = 0.005
"""Uncertainty of a good focal length. Half a per cent moves a figure's head by less than its base from a metre away."""

GOOD_RMS_PX = 0.5

STEP_TITLES: Mapping[SetUpStep, str] = {
    "camera": message("Camera"),
    "sheets": message("Print"),
    "lens": message("Lens"),
    "table": message("Table"),
    "game": message("Game"),
    "teach": message("Own tiles"),
    "save": message("Save"),
    "read": message("Try it"),
}

STEP_MINUTES: Mapping[SetUpStep, int] = {
    "camera": 1,
    "sheets": 10,
    "lens": 3,
    "table": 2,
    "teach": 20,
    "game": 1,
    "save": 1,
    "read": 1,
}
"""Minutes per step for a beginner, photos and reading included."""

SKIPPABLE: frozenset[SetUpStep] = frozenset({"sheets", "lens", "table", "teach"})

NEEDED_WITHOUT_GRID: frozenset[SetUpStep] = frozenset({"sheets", "table"})
"""Steps for the printed markers, which alone show where the camera is over a table without tiles."""

SHEET_TITLES: Mapping[str, str] = {
    "table-markers": message("Table markers"),
    "lens-board": message("Lens board"),
    "tiles": message("Tiles"),
    "base-rings": message("Base rings"),
    "door-labels": message("Door labels"),
}

CAMERA_TITLES: Mapping[str, str] = {
    "photos": message("Photos of a phone or camera"),
    "push": message("The camera of the phone or computer that shows this page"),
    "virtual": message("Simulated camera, to try everything out"),
}

USB_TITLE = message("USB or built-in camera {number}")

STABLE_NAME = "usb:usb-"
"""Prefix of a USB camera's Linux name, which does not depend on the socket."""


def setup_document(state: SetUpState, speech: Speech) -> dict[str, Any]:
    """Return everything in the view."""
    return {
        "step": state.step,
        "steps": [
            {
                "name": step,
                "title": speech.text(STEP_TITLES[step]),
                "status": state.statuses[step],
                "takes": _takes(step, speech, is_free=state.game.step_mm is not None),
            }
            for step in STEPS
        ],
        "source": state.source,
        "is_live": state.has_live_camera,
        "cameras": [{"name": name, "title": _camera_title(name, speech)} for name in state.cameras],
        "sheets": _sheets(state.sheets, speech),
        "lens": _lens(state.lens, is_skipped=state.statuses["lens"] == "skipped", speech=speech),
        "table": _table(state.table, is_skipped=state.statuses["table"] == "skipped", speech=speech),
        "game": _game(state.game),
        "name": state.name,
        "names": list(state.names),
        "look": None if state.look is None else _look(state.look, speech),
        "print_scale": None if state.print_scale is None else _print_scale(state.print_scale, speech),
    }


def _takes(step: SetUpStep, speech: Speech, *, is_free: bool) -> str:
    takes = speech.count("This step takes about {n} minute.", "This step takes about {n} minutes.", STEP_MINUTES[step])
    if step not in SKIPPABLE or (is_free and step in NEEDED_WITHOUT_GRID):
        return takes
    free = speech.text("You can leave it out.")
    return f"{takes} {free}"


def _camera_title(name: str, speech: Speech) -> str:
    if name.startswith("usb:") and name[4:].isdecimal():
        return speech.text(USB_TITLE, number=int(name[4:]) + 1)
    if name.startswith(STABLE_NAME):
        return name.removeprefix(STABLE_NAME).removesuffix("-video-index0").replace("_", " ")  # maker, model, number
    return speech.text(CAMERA_TITLES[name]) if name in CAMERA_TITLES else name


def _sheets(sheets: SheetSettings, speech: Speech) -> dict[str, Any]:
    return {
        "paper": sheets.paper,
        "measured_mm": sheets.measured_mm,
        "is_reprinted": sheets.is_reprinted,
        "files": [{"name": name, "title": speech.text(SHEET_TITLES[name])} for name in sheets.files],
    }


def _lens(lens: LensState, *, is_skipped: bool, speech: Speech) -> dict[str, Any]:
    missing = lens.missing
    return {
        "views": lens.views,
        "wanted": VIEWS_WANTED,
        "columns": COLUMNS,
        "rows": ROWS,
        "missing_parts": None if missing is None else [list(part) for part in missing.parts],
        "missing_tilts": [] if missing is None else list(missing.tilts),
        "next": None if missing is None else _next_sentence(missing, speech),
        "can_solve": lens.can_solve,
        "is_enough": lens.is_enough,
        "is_skipped": is_skipped,
        "found": None if lens.found is None else _lens_found(lens.found, speech),
    }


def _next_sentence(missing: Missing, speech: Speech) -> str:
    if missing.parts:
        return speech.text("Move the board to the marked part of the picture.")
    return missing.sentence().worded(speech.language)


def _lens_found(found: LensFound, speech: Speech) -> dict[str, Any]:
    kept = [rms for rms in found.view_rms_px if rms is not None]
    dropped = len(found.view_rms_px) - len(kept)
    is_good = found.rms_px < GOOD_RMS_PX and found.focal_uncertainty < SURE_SHARE
    advice = (
        speech.text("The lens is known well.")
        if is_good
        else speech.text("The lens is known roughly. Take more pictures with the board tilted, or begin again.")
    )
    return {
        "advice": advice,
        "is_good": is_good,
        "error": speech.text("Error {px} pixels", px=speech.number(found.rms_px, 2)),
        "focal": speech.text(
            "Focal length {px} pixels, ± {percent} %",
            px=speech.number(found.focal_px, 0),
            percent=speech.number(100 * found.focal_uncertainty, 2),
        ),
        "dropped": speech.count(
            "{n} picture did not fit and is left out.", "{n} pictures did not fit and are left out.", dropped
        )
        if dropped
        else None,
        "views": [None if rms is None else round(rms, 2) for rms in found.view_rms_px],
    }


def _table(table: TableState, *, is_skipped: bool, speech: Speech) -> dict[str, Any]:
    return {
        "photos": [list(ids) for ids in table.photos],
        "seen": [speech.count("{n} marker", "{n} markers", len(ids)) for ids in table.photos],
        "can_solve": len(table.photos) >= 2,
        "is_skipped": is_skipped,
        "next": _next_photo(len(table.photos), speech),
        "found": None if table.found is None else _table_found(table, speech),
    }


def _next_photo(count: int, speech: Speech) -> str:
    if count == 0:
        return speech.text("Get all markers into the picture, then take the first one.")
    if count == 1:
        return speech.text("Now from another side of the table.")
    return speech.text("That is enough. One more from a third side makes it more exact.")


def _table_found(table: TableState, speech: Speech) -> dict[str, Any]:
    found = table.found
    assert found is not None, "asked for only with a result"
    advice = speech.count(
        "{n} marker is known to {mm} mm.",
        "{n} markers are known to {mm} mm.",
        len(found.marker_ids),
        mm=speech.number(max(found.sigma_mm, 0.01), 2),
    )
    guessed = None
    if found.focal_uncertainty:
        guessed = speech.text(
            "The lens was estimated from the markers, to {percent} %. Heights are less sure than with the lens board.",
            percent=speech.number(100 * found.focal_uncertainty, 1),
        )
    return {
        "advice": advice,
        "guessed": guessed,
        "error": speech.text("Error {px} pixels", px=speech.number(found.reprojection_px, 2)),
        "markers": list(found.marker_ids),
        "faults": [fault.sentence.worded(speech.language) for fault in found.faults],
    }


def _game(game: GameStepState) -> dict[str, Any]:
    return {
        "tile_sets": list(game.tile_sets),
        "rosters": list(game.rosters),
        "with_figures": list(game.with_figures),
        "with_doors": list(game.with_doors),
        "tiles": game.tiles,
        "roster": game.roster,
        "step_mm": game.step_mm,
    }


def _print_scale(scale: float, speech: Speech) -> str:
    return speech.text(
        "The markers are printed at {percent} % of their size, by the tiles beside them. One tap puts the table right.",
        percent=speech.number(100 * scale, 1),
    )


def _look(look: SetUpPreview, speech: Speech) -> dict[str, Any]:
    return {
        "number": look.number,
        "width_px": look.image_wh[0],
        "height_px": look.image_wh[1],
        "outlines": [[[round(x, 1), round(y, 1)] for x, y in outline] for outline in look.outlines_px],
        "markers": list(look.marker_ids),
        "refusal": None if look.refusal is None else look.refusal.name.lower(),
        "sentence": None if look.refusal is None else speech.text(look.refusal.value),
        "is_taken": look.is_taken,
    }
