"""The ruling card: one answer in a person's words, with its lines in picture pixels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from assistant.app.live.shots import Shot
from assistant.app.live.table_words import TableWords
from assistant.documents import ruling_document
from assistant.rules.flips import DoubtChange
from assistant.rules.ruleset import CellRules
from assistant.rules.ruling import HEADLINES, Blocker, Reason, Ruling, SightLine, verdict_of
from assistant.table.board import Figure
from assistant.table.silhouettes import find_hidden, point_at
from assistant.translations.catalogue import speak_id
from assistant.translations.messages import message
from assistant.translations.speech import Speech
from web.rulings.line_stop import find_stop
from web.rulings.rulebook import AttackOnCells
from web.rulings.settling import Settling
from web.scene.drawing import LOW_CONFIDENCE, ShotDrawing

MOST_OPEN_POINTS = 2
"""Most camera doubts on the card itself. The rest is among the changes that would flip the answer."""

SENTENCES = {
    "blocked": message("{attacker} cannot see {defender}."),
    "cover": message("{attacker} sees {defender}, who has cover."),
    "clear": message("{attacker} sees {defender}, who has no cover."),
}

BLOCKER_WORDS = {
    "wall": message("a wall"),
    "obstacle": message("an obstacle line"),
    "impassable": message("an impassable line"),
    "difficult": message("difficult ground"),
    "door": message("a closed door"),
    "figure": message("a figure"),
    "cell": message("blocking ground"),
    "terrain": message("terrain"),
    "range": message("the range"),
}


@dataclass(frozen=True)
class CardContext:
    """One answer with all data for its card, for one reader."""

    shot: Shot
    ruling: Ruling
    rules: CellRules
    speech: Speech
    drawing: ShotDrawing

    @property
    def is_still(self) -> bool:
        """Whether the answer's lines are valid on this picture. Nothing moves on a plan."""
        return self.shot.is_still or self.drawing.as_plan


def rule_on(
    shot: Shot, rules: CellRules, attacker: str, defender: str, speech: Speech, *, as_plan: bool = False
) -> CardContext:
    """Rule on one attack on a shot, in the reader's language.

    Raises:
        UnknownName: no such figure is on the board.
    """
    drawing = ShotDrawing(shot, as_plan=as_plan)
    ruling = AttackOnCells(rules, shot.table, attacker, defender).rule(speech.language, drawing.ways())
    return CardContext(shot, ruling, rules, speech, drawing)


def card_document(context: CardContext) -> dict[str, Any]:
    """Return the card as the page's JSON. ``ruling`` in it is the ruling/1 document itself.

    A picture with motion has no lines, since their figures may already be elsewhere on it.
    """
    shot, ruling, speech = context.shot, context.ruling, context.speech
    verdict = verdict_of(ruling)
    names = {part: speak_id(name, speech.language) for part, name in _pair(ruling).items()}
    plain = [one for one in ruling.reasons if "option" not in one.arguments and not _is_doubt(one)]
    of_the_house = [one for one in ruling.reasons if "option" in one.arguments]
    return {
        "shot": shot.id,
        "ruleset": ruling.ruleset,
        "source": shot.source,
        "taken_at_s": round(shot.taken_at_s, 3),
        **_drawn(context, names),
        "verdict": verdict,
        "headline": speech.text(HEADLINES[verdict]),
        "sentence": speech.text(SENTENCES[verdict], **names),
        "facts": _facts(ruling, speech),
        "is_still": context.is_still,
        "reasons": _reasons(plain, context, are_lit=context.is_still),
        "house": _reasons(of_the_house, context, are_lit=True),
        "stability": stability_document(ruling, speech),
        "open_points": _open_points(context),
        "doubts": [],
        "ruling": ruling_document(ruling, context.rules.rules, speech.language),
    }


def _pair(ruling: Ruling) -> dict[str, str]:
    return {"attacker": ruling.attacker, "defender": ruling.defender}


def _drawn(context: CardContext, names: dict[str, str]) -> dict[str, Any]:
    """Return everything in picture pixels: the frame, the two figures, the origins and the lines."""
    ruling, drawing, board = context.ruling, context.drawing, context.shot.board
    figures = {
        part: {"id": figure_id, "name": names[part], "base": drawing.base_px(board.figure(figure_id))}
        for part, figure_id in _pair(ruling).items()
    }
    shown: dict[str, Any] = {"frame": drawing.picture(), **figures, "origin": None, "origins": [], "lines": []}
    if not context.is_still:
        return shown
    words = TableWords(context.shot.table, language=context.speech.language)
    return shown | {
        "origin": None if ruling.origin is None else drawing.place_px(ruling.origin),
        "origins": [{"place": drawing.place_px(one.place), "is_clear": one.line_of_sight} for one in ruling.origins],
        "lines": [_line(line, context, words) for line in ruling.lines],
    }


def _line(line: SightLine, context: CardContext, words: TableWords) -> dict[str, Any]:
    """Return a line with its stop and the blocker there."""
    drawing, stop = context.drawing, find_stop(line, context.shot.board)
    start, end = drawing.place_px(line.start), drawing.place_px(line.end if stop is None else stop)
    hidden = find_hidden(start, end, drawing.faces(besides=frozenset(_pair(context.ruling).values())))
    return {
        "purpose": line.purpose,
        "from": start,
        "to": drawing.place_px(line.end),
        "hidden": [[point_at(start, end, share) for share in stretch] for stretch in hidden],
        "from_name": words.corner(list(line.start)),
        "to_name": words.corner(list(line.end)),
        "stop": None if stop is None else end,
        "blocked_by": None if line.blocked_by is None else _blocker(line.blocked_by, context),
    }


def _blocker(blocker: Blocker, context: CardContext) -> dict[str, Any]:
    return {
        "kind": blocker.kind,
        "text": context.speech.text(BLOCKER_WORDS[blocker.kind]),
        "id": blocker.id,
        "line": None if blocker.edge is None else context.drawing.edge_px(blocker.edge),
        "outline": None if blocker.cell is None else context.drawing.cell_px(blocker.cell),
    }


def _is_doubt(reason: Reason) -> bool:
    """Return whether the reason names a doubt of the camera."""
    return reason.rule.endswith("/doubt")


def _reasons(reasons: Iterable[Reason], context: CardContext, *, are_lit: bool) -> list[dict[str, Any]]:
    """Return reasons with the rule's place and words, and the indices of the drawn lines for each."""
    rules, ruling = context.rules.rules, context.ruling
    return [
        {
            "rule": reason.rule,
            "text": reason.text,
            "source": context.speech.text(rules[reason.rule].source) if reason.rule in rules else "",
            "says": context.speech.text(rules[reason.rule].summary) if reason.rule in rules else "",
            "lines": _lines_of(reason, ruling) if are_lit else [],
        }
        for reason in reasons
    ]


def _lines_of(reason: Reason, ruling: Ruling) -> list[int]:
    """Return the lines between both ends of a reason, or all from its origin."""
    ends = (reason.arguments.get(name) for name in ("origin", "target"))
    origin, target = (tuple(end) if isinstance(end, list) else None for end in ends)
    purpose = "cover" if reason.rule.endswith("/cover") else "sight"
    return [
        index
        for index, line in enumerate(ruling.lines)
        if line.purpose == purpose and line.start == origin and target in (None, line.end)
    ]


def stability_document(ruling: Ruling, speech: Speech) -> dict[str, Any]:
    """Return the answer's certainty by the picture, as a number and a sentence: the share of tables with it."""
    percent = speech.percent(ruling.stability)
    if ruling.stability >= 1:
        text = speech.text("Sure from this picture.")
    else:
        text = speech.text("{percent} sure from this picture.", percent=percent)
    return {"share": round(ruling.stability, 3), "percent": percent, "text": text}


def _facts(ruling: Ruling, speech: Speech) -> list[dict[str, str]]:
    yes, no = speech.text("yes"), speech.text("no")
    if ruling.range is None:
        reach = speech.text("no path")
    else:
        reach = speech.count("{n} space", "{n} spaces", int(ruling.range))
    facts = [
        {"fact": "range", "name": speech.text("Range"), "value": reach},
        {"fact": "sight", "name": speech.text("Line of sight"), "value": yes if ruling.line_of_sight else no},
    ]
    if ruling.cover is not None:
        facts.append({"fact": "cover", "name": speech.text("Cover"), "value": yes if ruling.cover else no})
    return facts


def _open_points(context: CardContext) -> list[dict[str, Any]]:
    """Return the likeliest camera doubts that would flip the answer, and badly seen ones of the two figures."""
    ruling = context.ruling
    settling = Settling(context.shot, context.drawing, context.speech)
    worded = [reason.text for reason in ruling.reasons if _is_doubt(reason)]
    flips = [DoubtChange(flip.kind, flip.subjects, flip.cells) for flip in ruling.flips]
    points = [settling.point(*each) for each in zip(worded, flips, strict=True)][:MOST_OPEN_POINTS]
    named = {name for flip in flips for name in flip.subjects}
    badly = [(text, figure) for text, figure in _seen_badly(context) if figure.id not in named]
    return [*points, *(settling.figure_point(*each) for each in badly)]


def _seen_badly(context: CardContext) -> Iterator[tuple[str, Figure]]:
    """Yield each of the two figures to check before trusting the answer, with the words for that."""
    shot, speech = context.shot, context.speech
    for figure_id in _pair(context.ruling).values():
        figure = shot.board.figure(figure_id)
        cells = frozenset(figure.cells)
        seen = next((s for s in shot.read.observation.figures if frozenset(s.cells) == cells), None)
        if seen is not None and seen.confidence < LOW_CONFIDENCE and figure.cells not in shot.statements.figures:
            text = speech.text(
                "{figure} was not seen clearly ({percent} sure): check where it stands.",
                figure=speak_id(figure.id, speech.language),
                percent=speech.percent(seen.confidence),
            )
            yield text, figure
