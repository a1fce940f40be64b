"""The table's problems, part by part, each with one button."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assistant.app.problems import Problem, ProblemList
from assistant.errors import UnknownName
from assistant.translations.messages import message, said
from assistant.translations.speech import Speech
from web.parts import Parts, parts
from web.people.session import current_speech
from web.problems.errors import word_error
from web.serving.roles import Right
from web.serving.routes import Answer, get, post


@dataclass(frozen=True, slots=True)
class TablePart:
    """One part of the table: its name, its sentence while all is well, and its button's words."""

    title: str
    well: str
    act: str


PARTS: Mapping[str, TablePart] = {
    "safe": TablePart(message("Safe mode"), "", message("Try again")),
    "camera": TablePart(message("Camera"), message("It sends pictures."), message("Try the camera again")),
    "table": TablePart(message("Markers"), message("The camera sees them, each in its place."), message("Look again")),
    "recording": TablePart(
        message("Recording"), message("The camera's pictures are being recorded."), message("Start a new recording")
    ),
    "strip": TablePart(message("LED strip"), message("It is lit."), message("Look for the strip again")),
    "disk": TablePart(
        message("Disk"), message("There is room, and every step is saved."), message("Check the disk again")
    ),
    "tournament": TablePart(
        message("Tournament"), message("The desk receives this table's messages."), message("Try again")
    ),
    "matches": TablePart(message("Matches"), "", message("Try again")),
}
"""The parts in the page's order. An unlisted part appears under its own name."""


OF_CAMERA = frozenset({"camera", "table", "recording"})
"""Parts that only a table with a camera has."""


def watches_table(page: Parts) -> bool:
    """Return whether a camera or photos show the table. False during a match without them."""
    return page.match.is_watched


class NothingToDo(UnknownName):
    """This part has no button."""

    http_status = 404


def parts_document(found: ProblemList, speech: Speech) -> list[dict[str, Any]]:
    """Return every watched part with a problem or a state of its own, those with problems first."""
    wrong = {problem.part: problem for problem in found.problems}
    known = [name for name in PARTS if name in found.watches or name in wrong or name in found.states]
    if "table" not in found.confirmed:  # without a picture the markers' places are unknown
        known = [name for name in known if name != "table"]
    names = [*wrong, *(name for name in known if name not in wrong)]
    return [_part(name, wrong.get(name), found, speech) for name in names]


def _part(name: str, problem: Problem | None, found: ProblemList, speech: Speech) -> dict[str, Any]:
    part = PARTS.get(name, TablePart(name.capitalize(), "", message("Try again")))
    state = found.states.get(name)
    well = speech.text(part.well) if state is None else state.worded(speech.language)
    return {
        "part": name,
        "title": speech.text(part.title),
        "is_well": problem is None,
        "sentence": well if problem is None else word_error(problem.error, speech),
        "since_s": None if problem is None else round(problem.since_s, 3),
        "button": speech.text(part.act) if problem is not None and name in found.remedies else None,
    }


@get("/problems", Right.WATCH, "The state of every part of the table, those with problems first.")
def problems() -> Answer:
    found = parts_document(parts().problems, current_speech())
    return {"parts": [one for one in found if watches_table(parts()) or one["part"] not in OF_CAMERA]}


@post(
    "/problems/<part>/remedy", Right.SHOW, None, "Press the button of a problem: look again, search again.", status=202
)
def remedy(part: str) -> Answer:
    act = parts().problems.remedies.get(part)
    if act is None:
        raise NothingToDo(said("Nothing can be done about this from the page."))
    act()
    return {"part": part}
