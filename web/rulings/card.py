"""The ruling card: one answer as a person reads it, with its lines in picture pixels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from assistant.app.live.place_names import speak_name
from assistant.app.live.shots import Shot
from assistant.documents import ruling_document
from assistant.rules.flips import DoubtChange
from assistant.rules.ruling import HEADLINES, Reason, Ruling, ShotVerdict, verdict_of
from assistant.table.board import Board, Figure
from assistant.translations.speech import Speech
from web.rulings.lines import LineWords, lines_of
from web.rulings.rulebook import RuleBook
from web.rulings.settling import Settling
from web.scene.drawing import LOW_CONFIDENCE, ShotDrawing

NOT_DRAWN: dict[str, Any] = {"origin": None, "origins": [], "lines": []}

MOST_OPEN_POINTS = 2
"""What the card tells at once of what the camera left open; the rest stands among what would flip the answer."""


def card_document(
    shot: Shot, ruling: Ruling, rules: RuleBook, speech: Speech, *, as_plan: bool = False
) -> dict[str, Any]:
    """The card as the JSON that the page shows; ``ruling`` in it is the ruling/1 document itself.

    A picture on which something moves has no lines: what they stand for may be elsewhere on it already.
    """
    verdict = verdict_of(ruling)
    board = shot.board
    drawing = ShotDrawing(shot, as_plan=as_plan)
    is_still = shot.is_still or as_plan
    drawn = _drawn(ruling, LineWords(shot, drawing, speech), drawing) if is_still else NOT_DRAWN
    return {
        "shot": shot.id,
        "ruleset": ruling.ruleset,
        "source": shot.source,
        "taken_at_s": round(shot.taken_at_s, 3),
        "frame": drawing.picture(),
        "attacker": _who(board, ruling.attacker, drawing, speech),
        "defender": _who(board, ruling.defender, drawing, speech),
        "verdict": verdict,
        "headline": speech.text(HEADLINES[verdict]),
        "sentence": _sentence(board, ruling, verdict, speech),
        "facts": _facts(ruling, speech),
        "is_still": is_still,
        **drawn,
        "reasons": _reasons([one for one in ruling.reasons if _is_plain(one)], ruling, rules, speech, are_lit=is_still),
        "house": _reasons([one for one in ruling.reasons if _is_of_the_house(one)], ruling, rules, speech),
        "stability": stability_document(ruling, speech),
        "open_points": _open_points(shot, ruling, Settling(shot, speech, as_plan=as_plan), speech),
        "doubts": [],
        "ruling": ruling_document(ruling, rules.rule_set(ruling.ruleset).rules, speech.language),
    }


def _drawn(ruling: Ruling, lines: LineWords, drawing: ShotDrawing) -> dict[str, Any]:
    """What is drawn of the answer over the picture."""
    origins = [{"place": drawing.place_px(one.place), "is_clear": one.line_of_sight} for one in ruling.origins]
    return {
        "origin": None if ruling.origin is None else drawing.place_px(ruling.origin),
        "origins": origins,
        "lines": [lines.document(line) for line in ruling.lines],
    }


def _who(board: Board, figure_id: str, drawing: ShotDrawing, speech: Speech) -> dict[str, Any]:
    figure = board.figure(figure_id)
    return {"id": figure_id, "name": speak_name(figure, speech.language), "base": drawing.base_px(figure)}


def _is_plain(reason: Reason) -> bool:
    return not _is_of_the_house(reason) and not _is_open(reason)


def _is_open(reason: Reason) -> bool:
    """Whether it says what the camera left open."""
    return reason.rule.endswith("/doubt")


def _open_points(shot: Shot, ruling: Ruling, settling: Settling, speech: Speech) -> list[dict[str, Any]]:
    """The likeliest of what the camera could not tell and would make the answer another one, and who was seen badly."""
    worded = [reason.text for reason in ruling.reasons if _is_open(reason)]
    flips = [DoubtChange(flip.kind, flip.subjects, flip.cells) for flip in ruling.flips]
    told = [settling.point(*each) for each in zip(worded, flips, strict=True)][:MOST_OPEN_POINTS]
    spoken = {name for flip in flips for name in flip.subjects}
    badly = [(text, figure) for text, figure in _seen_badly(shot, ruling, speech) if figure.id not in spoken]
    return [*told, *(settling.figure_point(*each) for each in badly)]


def _is_of_the_house(reason: Reason) -> bool:
    """Whether it says which option of the house the answer rests on."""
    return "option" in reason.arguments


def _reasons(
    told: Sequence[Reason], ruling: Ruling, rules: RuleBook, speech: Speech, *, are_lit: bool = True
) -> list[dict[str, Any]]:
    """Reasons with their sources, and which of the drawn lines each speaks of."""
    return [
        {
            "rule": reason.rule,
            "text": reason.text,
            "source": rules.source(ruling.ruleset, reason.rule, speech.language),
            "lines": lines_of(reason, ruling) if are_lit else [],
        }
        for reason in told
    ]


def stability_document(ruling: Ruling, speech: Speech) -> dict[str, Any]:
    """How many of the tables that the picture could show give this answer, as a share and in a sentence."""
    if ruling.stability >= 1:
        text = speech.text("Every table that the picture could show gives this answer.")
    else:
        text = speech.text(
            "The answer is the same in {percent} of the tables that the picture could show.",
            percent=speech.percent(ruling.stability),
        )
    return {"share": round(ruling.stability, 3), "percent": speech.percent(ruling.stability), "text": text}


def _sentence(board: Board, ruling: Ruling, verdict: ShotVerdict, speech: Speech) -> str:
    names = {
        "attacker": speak_name(board.figure(ruling.attacker), speech.language),
        "defender": speak_name(board.figure(ruling.defender), speech.language),
    }
    if verdict == "blocked":
        return speech.text("{attacker} cannot see {defender}.", **names)
    if verdict == "cover":
        return speech.text("{attacker} sees {defender}, who has cover.", **names)
    return speech.text("{attacker} sees {defender}, who has no cover.", **names)


def _facts(ruling: Ruling, speech: Speech) -> list[dict[str, str]]:
    yes, no = speech.text("yes"), speech.text("no")
    if ruling.range is None:
        reach = speech.text("no way there")
    else:
        reach = speech.count("{n} space", "{n} spaces", int(ruling.range))
    facts = [
        {"fact": "range", "name": speech.text("Range"), "value": reach},
        {"fact": "sight", "name": speech.text("Line of sight"), "value": yes if ruling.line_of_sight else no},
    ]
    if ruling.cover is not None:
        facts.append({"fact": "cover", "name": speech.text("Cover"), "value": yes if ruling.cover else no})
    return facts


def _seen_badly(shot: Shot, ruling: Ruling, speech: Speech) -> Iterator[tuple[str, Figure]]:
    """Which of the two a person should look at before believing the answer, with the words for that."""
    for figure_id in (ruling.attacker, ruling.defender):
        figure = shot.board.figure(figure_id)
        cells = frozenset(figure.cells)
        seen = next((s for s in shot.read.observation.figures if frozenset(s.cells) == cells), None)
        if seen is not None and seen.confidence < LOW_CONFIDENCE and figure.cells not in shot.told.figures:
            text = speech.text(
                "{figure} was not seen clearly ({percent} sure): check where it stands.",
                figure=speak_name(figure, speech.language),
                percent=speech.percent(seen.confidence),
            )
            yield text, figure
