"""The answer card for two taps on a table without a grid: verdict, distances with errors, lines, reasons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assistant.app.live.free_answers import kind_at
from assistant.app.live.free_match import PlayedMove, TakenTable
from assistant.app.live.free_measures import Fronts
from assistant.app.live.free_shots import FreeShot
from assistant.app.live.table_words import move_words, plane_words_of
from assistant.documents import ruling_document
from assistant.rules.free_flips import FreeFlip
from assistant.rules.reasons import word_ruling
from assistant.rules.ruleset import FreeRules
from assistant.rules.ruling import HEADLINES, Reason, Ruling, SightLine, verdict_of
from assistant.table.free_sighting import FreeSpot
from assistant.table.silhouettes import find_hidden, point_at
from assistant.translations.catalogue import speak_id, translate
from assistant.translations.speech import Speech
from web.free.drawing import FreeDrawing
from web.rulings.card import BLOCKER_WORDS, SENTENCES, stability_document
from web.scene.drawing import BASE_TOP_MM

MOST_FLIPS = 3
"""Most doubtful figures on a card. Nobody at a table answers more questions."""


def free_card(
    shot: FreeShot, ruling: Ruling, flips: Sequence[FreeFlip], rules: FreeRules, speech: Speech
) -> dict[str, Any]:
    """Return the card as the page's JSON. ``ruling`` in it is the ruling/1 document itself."""
    worded = word_ruling(ruling, rules.rules, speech.language)
    say = plane_words_of(rules, shot.sighting.table, speech.language)
    named = word_ruling(ruling, rules.rules, speech.language, say)
    verdict, drawing = verdict_of(ruling), FreeDrawing(shot, speech)
    names = {part: speak_id(name, speech.language) for part, name in _pair(ruling).items()}
    sight = [line for line in ruling.lines if line.purpose == "sight"]
    lines = [_line(line, shot, ruling, drawing, speech) for line in sight]
    return {
        "shot": shot.id,
        "verdict": verdict,
        "headline": speech.text(HEADLINES[verdict]),
        "sentence": speech.text(SENTENCES[verdict], **names),
        "attacker": _who(shot, ruling.attacker, drawing, speech),
        "defender": _who(shot, ruling.defender, drawing, speech),
        "facts": _facts(shot, ruling, speech),
        "lines": lines,
        "above": _from_above(shot, sight, speech) if any(line["hidden"] for line in lines) else None,
        "reasons": [_reason(reason, rules, speech) for reason in named.reasons],
        "stability": stability_document(ruling, speech),
        "doubts": [*_doubts(shot, ruling, speech), *(_flip(flip, speech) for flip in flips[:MOST_FLIPS])],
        "ruling": ruling_document(worded, rules.rules, speech.language),
    }


def reason_document(reason: Reason, rules: FreeRules, speech: Speech) -> dict[str, str]:
    """Return a reason with its rule's place in the sources."""
    return _reason(reason, rules, speech)


def _pair(ruling: Ruling) -> dict[str, str]:
    return {"attacker": ruling.attacker, "defender": ruling.defender}


def _who(shot: FreeShot, name: str, drawing: FreeDrawing, speech: Speech) -> dict[str, Any]:
    figure = shot.sighting.table.figure(name)
    return {"id": name, "name": speak_id(name, speech.language), "base": drawing.base(figure)}


def _facts(shot: FreeShot, ruling: Ruling, speech: Speech) -> list[dict[str, str]]:
    yes, no = speech.text("yes"), speech.text("no")
    facts = [
        {"fact": "contact", "name": speech.text("Base contact"), "value": yes if ruling.adjacent else no},
        {"fact": "sight", "name": speech.text("Line of sight"), "value": yes if ruling.line_of_sight else no},
    ]
    if ruling.cover is not None:
        facts.append({"fact": "cover", "name": speech.text("Cover"), "value": yes if ruling.cover else no})
    if ruling.range is not None and ruling.distance_mm is not None and not ruling.adjacent:
        errors = [shot.sighting.spots[name].error_mm for name in _pair(ruling).values() if name in shot.sighting.spots]
        value = distance_words(ruling.distance_mm, ruling.range, sum(error**2 for error in errors) ** 0.5, speech)
        facts.append({"fact": "range", "name": speech.text("Distance"), "value": value})
    return facts


def distance_words(length_mm: float, steps: float, error_mm: float, speech: Speech) -> str:
    """Return a distance in steps and millimetres, ± twice its standard deviation."""
    return speech.text(
        "{steps} steps, {mm} ± {error} mm",
        steps=speech.number(steps, 2),
        mm=speech.number(length_mm, 1),
        error=speech.number(max(2 * error_mm, 0.1), 1),
    )


def _line(line: SightLine, shot: FreeShot, ruling: Ruling, drawing: FreeDrawing, speech: Speech) -> dict[str, Any]:
    table, stop = shot.sighting.table, line.blocked_by
    heights = [float(table.figure(name).elevation_mm) + BASE_TOP_MM for name in _pair(ruling).values()]
    start, end = drawing.project([line.start], heights[0])[0], drawing.project([line.end], heights[1])[0]
    hidden = find_hidden(start, end, drawing.faces(frozenset(_pair(ruling).values()), min(heights)))
    return {
        "from": start,
        "to": end,
        "hidden": [[point_at(start, end, share) for share in stretch] for stretch in hidden],
        "is_free": stop is None,
        "blocked_by": None if stop is None else speech.text(BLOCKER_WORDS[stop.kind]),
        "blocker": None if stop is None else stop.id,
    }


def _from_above(shot: FreeShot, sight: Sequence[SightLine], speech: Speech) -> dict[str, Any]:
    """Return the same lines on the table from above, in millimetres, where nothing occludes them."""
    drawn = FreeDrawing(shot, speech, from_above=True).document()
    return {
        "size": [float(side) for side in shot.sighting.table.size_mm],
        "terrain": drawn["terrain"],
        "figures": drawn["figures"],
        "lines": [
            {"from": line.start, "to": line.end, "hidden": [], "is_free": line.blocked_by is None} for line in sight
        ],
    }


def _reason(reason: Reason, rules: FreeRules, speech: Speech) -> dict[str, str]:
    rule = rules.rules.get(reason.rule)
    source, says = ("", "") if rule is None else (rule.source, rule.summary)
    return {
        "rule": reason.rule,
        "text": reason.text,
        "source": translate(source, speech.language),
        "says": translate(says, speech.language),
    }


def _flip(flip: FreeFlip, speech: Speech) -> dict[str, str | None]:
    """Return a doubtful figure that decides the answer, with the other answer. People can settle it by ``figure``."""
    values = {
        "figure": speak_id(flip.figure.id if flip.is_counted else kind_at(flip.figure.id), speech.language),
        "percent": speech.percent(flip.chance),
        "headline": speech.text(HEADLINES[verdict_of(flip.otherwise)]),
    }
    if flip.is_counted:
        text = speech.text("{figure} was not seen clearly ({percent} sure). Without it: {headline}.", **values)
    else:
        text = speech.text("If {figure} stands at the question mark ({percent} sure): {headline}.", **values)
    return {"text": text, "figure": flip.figure.id}


def _doubts(shot: FreeShot, ruling: Ruling, speech: Speech) -> list[dict[str, str | None]]:
    """Return the points to check before trusting the answer. People can settle those with a ``figure``."""
    doubts: list[dict[str, str | None]] = []
    for name in _pair(ruling).values():
        spot: FreeSpot | None = shot.sighting.spots.get(name)
        who = speak_id(name, speech.language)
        if spot is not None and spot.kinds:
            kinds = ", ".join(speak_id(kind, speech.language) for kind in spot.kinds)
            text = speech.text("The base alone does not show who {figure} is: {kinds}.", figure=who, kinds=kinds)
            doubts.append({"text": text, "figure": None})
        elif spot is not None and spot.confidence < 0.9:
            text = speech.text(
                "{figure} was not seen clearly ({percent} sure): check where it stands.",
                figure=who,
                percent=speech.percent(spot.confidence),
            )
            doubts.append({"text": text, "figure": name})
    return doubts


def front_words(name: str, fronts: Fronts | None, speech: Speech) -> str:
    """Return the figures in the circle round a model, divided into front and back."""
    if fronts is None:
        return speech.text(
            "The picture does not show which way {figure} faces.", figure=speak_id(name, speech.language)
        )

    def named(names: Sequence[str]) -> str:
        return ", ".join(speak_id(other, speech.language) for other in names)

    parts = []
    if fronts.before:
        parts.append(speech.text("In front of it: {names}.", names=named(fronts.before)))
    if fronts.behind:
        parts.append(speech.text("Behind it: {names}.", names=named(fronts.behind)))
    if fronts.beside:
        parts.append(
            speech.text("In front or behind, the picture does not show which: {names}.", names=named(fronts.beside))
        )
    return " ".join(parts) if parts else speech.text("Nobody else stands within the circle.")


def taken_document(taken: TakenTable, speech: Speech) -> dict[str, Any]:
    """Return the result of a match taking its table, in the reader's words, or a question with its answers."""
    return {
        "moves": [_played_document(played, speech) for played in taken.moves],
        "news": [sentence.worded(speech.language) for sentence in taken.news],
    }


def _played_document(played: PlayedMove, speech: Speech) -> dict[str, Any]:
    language = speech.language
    parts = [move_words(played.move, speech)]
    if played.title is not None:
        parts.append(speech.text("Played: {title}.", title=played.title.worded(language)))
    if played.refusal is not None:
        refusal = played.refusal.worded(language)
        parts.append(speech.text("Against the rules: {why}. The match keeps the old place.", why=refusal))
    if played.question is not None:
        parts.append(played.question.worded(language))
    return {
        "figure": played.move.figure,
        "text": " ".join(parts),
        "is_refused": played.refusal is not None,
        "choices": [
            {"text": choice.text.worded(language), "command": dict(choice.command)} for choice in played.choices
        ],
    }
