"""Legality of a match's events: the verdict, the rule with its source, and the legal alternatives.

The game judges each event again at its place in the match. This needs no stored data, so it works for every saved
match. A figure that the camera saw elsewhere is judged like a move of that figure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import msgspec

from assistant.documents.ruling import without_words
from assistant.errors import InputError, UnknownName
from assistant.match.asks import Ask, cite
from assistant.match.audience import Audience
from assistant.match.chance import chance_of_event
from assistant.match.game import GameState, Piece, Step, unknown_figure
from assistant.match.guide import speak
from assistant.match.house_reasons import HOUSE, find_house_reasons
from assistant.match.steps import Place, See
from assistant.match.system import MatchSystem
from assistant.match.timeline import Event, Timeline, title_of, type_of
from assistant.match.views import word_cited
from assistant.match.ways import Objection, WayFinder, find_rule, refusal_of
from assistant.rules.reasons import Rule
from assistant.rules.ruling import Reason
from assistant.translations.messages import Said, said

FORMAT = "sightline.legality/1"

LegalVerdict = Literal["yes", "no", "by hand", "set right"]

SENTENCES: Mapping[LegalVerdict, Said] = {
    "yes": said("Yes, that was legal."),
    "by hand": said("This was set by hand; the game's rules were not applied."),
    "set right": said("That set a figure right: it stands again where it stood before it was moved illegally."),
}

ENTERED = said("People entered what the rules in hand do not say. The rest was legal.")
"""The answer if people entered part of a step's outcome and the rules allowed the rest."""

_MOST_RETRACED = 3
"""Number of moved figures for which the answer lists the legal places."""


class MovedFigure(NamedTuple):
    """A figure that changed its place without a move, and the rules' objection to such a move.

    ``is_set_right``: it is back where it stood before somebody moved it illegally.
    """

    figure: str
    refusal: Objection | None
    is_set_right: bool = False


@dataclass(frozen=True, slots=True)
class Judgement:
    """The answer for one event.

    Args:
        verdict: ``by hand`` if the rules do not cover it, ``set right`` if a figure was put back.
        sentence: the answer in words, with the objection.
        rule: the rule that allows or forbids it.
        reasons: the rules' reasons for sight, range and cover, if the event depends on them, and the house options
            behind the answer.
        notes: facts that people entered.
        moved: the figures with a new place afterwards, and whether they might have moved there.
        alternatives: the questions of the command, with the answers that the rules allowed then.
        is_possible: whether the match can go on from there; the program never writes a refused command.
    """

    verdict: LegalVerdict
    sentence: Said
    rule: Rule
    reasons: tuple[Reason, ...] = ()
    notes: tuple[Said, ...] = ()
    moved: tuple[MovedFigure, ...] = ()
    alternatives: tuple[Ask, ...] = ()
    is_possible: bool = True


def no_event(seq: int, count: int, document: str | None = None) -> UnknownName:
    """Return the error about an event that a match does not have."""
    text = said("there is no event {last}; the match has {count}", last=seq, count=count)
    return UnknownName(text, document=document)


@dataclass(frozen=True, slots=True)
class MatchJudge:
    """The judge of one match's events, for one reader.

    Args:
        system: the game.
        seed: the match's seed, from which the program drew.
        audience: the reader; alternatives hidden from it are left out.
        with_alternatives: whether to list the legal alternatives, which takes a moment for each event.
    """

    system: MatchSystem[Any, Any]
    seed: str
    audience: Audience
    with_alternatives: bool = True

    def judge(self, event: Event, before: Timeline) -> Judgement:
        """Judge an event that happened to the match ``before``."""
        command, rule = event.command, self.system.rule_of(type_of(event.command))
        if isinstance(command, Step):
            rule = command.rule_at(before.game)
        try:
            different = find_differences(event, before, self.seed)
        except InputError as problem:
            broken = find_rule(self.system, type_of(command), problem) or rule
            sentence = said("No: {why}", why=problem.sentence)
            others, house = self._alternatives(event, before.game), self._house_reasons(command, before.game)
            return Judgement("no", sentence, broken, reasons=house, alternatives=others, is_possible=False)
        if different:
            return Judgement(
                "no", said("No: the program computes a different {fields}.", fields=", ".join(different)), rule
            )
        if not isinstance(command, Step):
            return Judgement("yes", SENTENCES["yes"], rule)
        moved = self._judge_moves(command, before)
        return Judgement(
            **self._verdict(command, moved, rule, before.game),
            reasons=(*_reasons_of(command), *self._house_reasons(command, before.game)),
            notes=tuple(self._notes(command, before.game)),
            moved=moved,
            alternatives=(*self._alternatives(event, before.game), *self._ways_of(moved, before.game)),
        )

    def document(self, event: Event, before: Timeline) -> dict[str, Any]:
        """Return the answer as ``sightline.legality/1``, every sentence in the reader's language."""
        found, language = self.judge(event, before), self.audience.language
        command = event.command
        return {
            "format": FORMAT,
            "seq": event.seq,
            "type": type_of(command),
            "title": title_of(command, before).worded(language),
            "verdict": found.verdict,
            "is_possible": found.is_possible,
            "sentence": found.sentence.worded(language),
            "rule": speak(cite(found.rule), language),
            "reasons": word_cited(found.reasons, {**before.game.rules.rules, HOUSE.id: HOUSE}, language),
            "notes": [note.worded(language) for note in found.notes],
            "moved": [_moved_document(one, language) for one in found.moved],
            "alternatives": [_ask_document(ask, command, language) for ask in found.alternatives],
        }

    def _verdict(
        self, step: Step[GameState], moved: tuple[MovedFigure, ...], rule: Rule, game: GameState
    ) -> dict[str, Any]:
        if step.rests_on_people(game):
            sentence = SENTENCES["by hand"] if step.by_hand else ENTERED
            return {"verdict": "by hand", "sentence": sentence, "rule": rule}
        refused = next((one for one in moved if one.refusal is not None and not one.is_set_right), None)
        if refused is None or refused.refusal is None:
            verdict: LegalVerdict = "set right" if any(one.is_set_right for one in moved) else "yes"
            source = self.system.rule_of("move") if moved and verdict == "yes" else rule
            return {"verdict": verdict, "sentence": SENTENCES[verdict], "rule": source}
        text = said("No: {figure} could not move there: {why}", figure=refused.figure, why=refused.refusal.sentence)
        return {"verdict": "no", "sentence": text, "rule": refused.refusal.rule or rule}

    def _notes(self, step: Step[GameState], game: GameState) -> Iterator[Said]:
        if hasattr(step, "ruling") and not game.ground:
            yield said("The camera did not see the table: the players stated range, sight and cover.")
        if getattr(step, "rolled_here", True) is False:
            yield said("The dice are as people typed them.")
        if step.is_secret and not self.audience.sees(str(step.side(game))):
            yield said("Only the side “{side}” may see what else was possible.", side=step.side(game))

    def _judge_moves(self, step: Step[GameState], before: Timeline) -> tuple[MovedFigure, ...]:
        """Judge as a move each figure that a step put elsewhere without counting movement."""
        if not isinstance(step, See | Place) or "move" not in self.system.commands:
            return ()
        game = before.game
        after = step.apply(game)
        return tuple(
            MovedFigure(piece.id, self._refuse_move(game, piece), self._is_set_right(before, piece))
            for piece in after.pieces.values()
            if _has_moved(game.pieces[piece.id], piece)
        )

    def _refuse_move(self, game: GameState, moved: Piece) -> Objection | None:
        objection: Objection | None = self._refuses(game)({"type": "move", "figure": moved.id, **_place_of(moved)})
        return objection

    def _is_set_right(self, before: Timeline, piece: Piece) -> bool:
        """Return whether a figure is back where it stood before the camera or a hand put it somewhere illegal."""
        last = before.last_moved(piece.id)
        if last is None or not isinstance(last.step, See | Place):
            return False
        stood, went = last.before.pieces[piece.id], last.after.pieces[piece.id]
        return not _has_moved(stood, piece) and self._refuse_move(last.before, went) is not None

    def _ways_of(self, moved: Iterable[MovedFigure], game: GameState) -> Iterator[Ask]:
        """Yield the legal moves of figures that could not have moved to their present places."""
        refused = [one.figure for one in moved if one.refusal is not None and not one.is_set_right]
        for figure in refused[:_MOST_RETRACED] if self.with_alternatives else ():
            ask = self._finder(game).find({"type": "move", "figure": figure}).ask
            if ask is not None and ask.refusal is None and ask.picks:
                yield ask

    def _alternatives(self, event: Event, game: GameState) -> tuple[Ask, ...]:
        step = event.command
        if not self.with_alternatives or not isinstance(step, Step) or isinstance(step, See | Place):
            return ()
        if step.is_secret and not self.audience.sees(str(step.side(game))):
            return ()
        return tuple(self._finder(game).retrace(_plain(step)))

    def _house_reasons(self, command: object, game: GameState) -> tuple[Reason, ...]:
        """Return the house options behind the answer, with the alternatives."""
        if not (self.with_alternatives and isinstance(command, Step)):
            return ()
        return tuple(find_house_reasons(command, game))

    def _finder(self, game: GameState) -> WayFinder:
        return WayFinder(self.system, game, self.audience, self._refuses(game))

    def _refuses(self, game: GameState) -> Any:
        return refusal_of(self.system, game, lambda step: self._require_known(step, game))

    def _require_known(self, step: Step[GameState], game: GameState) -> None:
        """Hide figures in another side's box, and its cards, from the reader."""
        if self.audience.is_judge:
            return
        for name in _names_in(step):
            if game.is_hidden_from(name, self.audience.side):
                raise unknown_figure(name)


def find_differences(event: Event, before: Timeline, seed: str) -> list[str]:
    """Return the fields in which an event differs from what the program would write at its place.

    ``seed`` is the header's. Document parts and fields from later versions of the program do not count.

    Raises:
        IllegalStep: the rules do not allow the event there.
    """
    command = event.command
    if not isinstance(command, Step):
        before.check(command, event.actor)
        return []
    settled: Step[GameState] = command.settle(before.game, chance_of_event(before.seed or seed, event.seq))
    command.check(before.game)
    written, now = _plain(command), _plain(settled)
    late = {name for name in command.filled_later if written.get(name) is None}
    return sorted(name for name in {*written, *now} - late if not _is_same(written.get(name), now.get(name)))


def _is_same(written: Any, now: Any) -> bool:
    """Return whether a value equals the written one.

    The wording of a ruling does not count, since versions choose it anew. Nor do house options newer than the ruling.
    """
    if not (isinstance(written, Mapping) and isinstance(now, Mapping) and written.get("format") == now.get("format")):
        return bool(written == now)
    return bool(without_words(written) == without_words(_without_new_options(now, written.get("options", {}))))


def _without_new_options(ruling: Mapping[str, Any], known: Mapping[str, str]) -> Mapping[str, Any]:
    """Return a ruling without the house options, and the reasons about them, that ``known`` lacks."""
    options = ruling.get("options", {})
    new = options.keys() - known.keys() if isinstance(options, Mapping) else ()
    if not new:
        return ruling
    reasons = [one for one in ruling.get("reasons", ()) if one.get("arguments", {}).get("option") not in new]
    return {**ruling, "reasons": reasons, "options": {name: options[name] for name in options.keys() - new}}


def _plain(step: Step[GameState]) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(step))
    return plain


def _names_in(step: Step[GameState]) -> Iterator[str]:
    for field in ("figure", "attacker", "defender", "demon", "target"):
        name = getattr(step, field, None)
        if isinstance(name, str):
            yield name


def _has_moved(before: Piece, after: Piece) -> bool:
    stood = before.on_table and (before.cells or before.center_mm is not None)
    return bool(stood) and (sorted(before.cells), before.center_mm) != (sorted(after.cells), after.center_mm)


def _place_of(piece: Piece) -> dict[str, Any]:
    if piece.center_mm is not None:
        return {"center_mm": list(piece.center_mm)}
    return {"cells": [list(cell) for cell in piece.cells]}


def _reasons_of(step: Step[GameState]) -> Iterator[Reason]:
    """Yield the reasons for sight, range and cover in the ruling of an event."""
    ruling = getattr(step, "ruling", None) or {}
    for one in ruling.get("reasons", ()):
        yield Reason(one["rule"], one["text"], one.get("arguments", {}), one.get("phrase", ""))


def _moved_document(moved: MovedFigure, language: str) -> dict[str, Any]:
    refusal, figure = moved.refusal, moved.figure
    if moved.is_set_right:
        text = said("{figure} stands again where it stood before it was moved illegally.", figure=figure)
        return {"figure": figure, "is_legal": True, "text": text.worded(language), "rule": None}
    if refusal is None:
        text = said("{figure} might have moved there.", figure=figure)
        return {"figure": figure, "is_legal": True, "text": text.worded(language), "rule": None}
    text = said("{figure} could not have moved there: {why}", figure=figure, why=refusal.sentence)
    rule = None if refusal.rule is None else speak(cite(refusal.rule), language)
    return {"figure": figure, "is_legal": False, "text": text.worded(language), "rule": rule}


def _ask_document(ask: Ask, command: object, language: str) -> dict[str, Any]:
    """Return a question with its answers; ``is_chosen`` marks the chosen one."""
    document: dict[str, Any] = speak(ask, language)
    written: dict[str, Any] = msgspec.to_builtins(command)
    picks = [
        {**{name: pick[name] for name in ("value", "text", "figure", "cells", "cost")}, "is_chosen": is_chosen}
        for pick in document["picks"]
        for filled in [{ask.field: pick["value"], **pick["fills"]}]
        for is_chosen in [all(_is_taken(value, written.get(name)) for name, value in filled.items())]
    ]
    return {"field": ask.field, "kind": ask.kind, "question": document["text"], "picks": picks}


def _is_taken(value: Any, taken: Any) -> bool:
    """Return whether an answer is the value of the command, or the beginning of its list."""
    if isinstance(value, list) and isinstance(taken, list | tuple):
        written, chosen = ([tuple(v) if isinstance(v, list) else v for v in part] for part in (value, taken))
        return bool(written == chosen[: len(written)] or sorted(written, key=str) == sorted(chosen, key=str))
    return bool(value == taken)
