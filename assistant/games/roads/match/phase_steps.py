"""The end of a phase, and the options that remain in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from assistant.games.roads.match.answers import ask_at_the_end
from assistant.games.roads.match.duel import list_duels, list_opponents, list_unfought, may_fight, pair_of
from assistant.games.roads.match.psychology import find_bound_to_charge, find_bound_to_shuffle, list_escapes
from assistant.games.roads.match.shot_steps import PlayMelody, is_shot_open
from assistant.games.roads.match.state import (
    PHASE_WORDS,
    PHASES,
    STOPPING,
    Mark,
    MatchRoads,
    PhaseRoads,
    require_nothing_open,
)
from assistant.games.roads.match.turn_steps import TURNS, begin_turn
from assistant.games.roads.match.weapons import ClearJam, has_shot_left
from assistant.games.roads.rules.reasons import DRAWN_IN, FRENZY, MANY_SIDED, STUPIDITY
from assistant.match.game import Moment, Prompt, Step, require
from assistant.translations.messages import SILENCE, Said, counted, listed, named, said


def has_more(game: MatchRoads) -> bool:
    """Return whether a model of the side to play, or one that may still answer, has something to do in this phase."""
    return _HAS_MORE[game.phase](game)


def _may_watch(game: MatchRoads) -> bool:
    """Return whether a model could go on overwatch with something to shoot."""
    own = game.standing(game.active)
    return any(
        has_shot_left(game, piece.id)
        and not {*STOPPING, Mark.WATCH} & set(piece.marks)
        and not game.opponents_of(piece.id)
        for piece in own
    )


HAS_MOVED = frozenset({Mark.MOVED, Mark.RAN, Mark.CHARGED, Mark.WATCH, Mark.ROOTED, Mark.FALLEN, Mark.PRONE, *STOPPING})
"""Tokens of a model that has done its step, or makes none in this phase."""


def _may_move(game: MatchRoads) -> bool:
    """Return whether a model has not moved. One in contact with an enemy stays until it leaves its melee."""
    able = (piece for piece in game.standing(game.active) if not HAS_MOVED & set(piece.marks))
    return any(not list_opponents(game, piece.id) or Mark.LEAVING in piece.marks for piece in able)


def _may_shoot(game: MatchRoads) -> bool:
    return is_shot_open(game) or any(True for step in (PlayMelody, ClearJam) for _ in step.prompts(game))


def _may_meet(game: MatchRoads) -> bool:
    """Return whether a model of either side is drawn in, may advance, fight or shoot on overwatch."""
    if game.to_draw_in or game.to_advance or any(True for _ in ask_at_the_end(game)):
        return True
    if not game.ground:
        return True  # people see which models touch
    pairs = {
        pair_of((piece.id, enemy))
        for piece in game.standing()
        if may_fight(piece)
        for enemy in list_opponents(game, piece.id)
    }
    return bool(pairs - {*game.fought, *game.met_in_advance})


_HAS_MORE = {
    "setup": lambda game: True,
    "start": _may_watch,
    "move": _may_move,
    "shoot": _may_shoot,
    "melee": _may_meet,
}


def _word_what_follows(game: MatchRoads, idle: Sequence[str]) -> Said | None:
    """Return what the end of the phase gives up or skips, and what awaits models in contact; else None."""
    duels = list_duels(game)
    if game.phase == "melee" and duels:
        return counted("{n} fight is left", "{n} fights are left", len(duels))
    if idle:
        return _word_idle(idle)
    if game.phase == "start":
        return said("only overwatch is declared here; models move next")
    fighters = dict.fromkeys(name for pair in (*duels, *list_unfought(game)) for name in pair)
    if game.phase in ("move", "shoot") and fighters:
        return said("blows come in the melee phase: {fighters}", fighters=named(fighters))
    return None


def _word_idle(idle: Sequence[str]) -> Said:
    """The phases that are passed over, and why."""
    if tuple(idle) == ("melee",):
        return said("no melee: nobody is in contact")
    return said("nothing to do in: {phases}", phases=listed(PHASE_WORDS[phase] for phase in idle))


class NextPhase(Step[MatchRoads], frozen=True, kw_only=True, tag="next"):
    """The next phase; after melee the tests of models fighting alone, then the next side's turn."""

    rule = TURNS
    passes: Annotated[int, Meta(ge=0, le=len(PHASES))] = 0
    """Number of following phases to skip at once, since nobody can act in them."""

    @classmethod
    def prompts(cls, game: MatchRoads) -> Iterator[Prompt]:
        if game.find_open() is None:
            words: dict[str, str | Said] = {"side": str(game.active), "phase": PHASE_WORDS[game.phase]}
            text = said("{side}: end the {phase} phase", **words)
            if game.phase == "melee" and list_duels(game):
                text = said("{side}: fight no more, end the {phase} phase", **words)
            # The main action once nobody of the side has anything left in this phase, else the last but one.
            urgency, idle = -2 if has_more(game) else 1, find_idle(game)
            note = _word_what_follows(game, idle)
            passes: dict[str, Any] = {"passes": len(idle)} if idle else {}
            yield cls.prompt(text, side=game.active, urgency=urgency, note=note, **passes)

    def side(self, game: MatchRoads) -> str | None:
        return game.active

    @classmethod
    def moments(cls, game: MatchRoads) -> Iterator[Moment]:
        return ask_at_the_end(game)

    def check(self, game: MatchRoads) -> None:
        require(game.phase != "setup", said("begin the skirmish first"))
        require_nothing_open(game)
        near = named(game.to_draw_in)
        refusal = said("{to_draw_in} must be drawn into the melee, or stay out of it", to_draw_in=near)
        require(not game.to_draw_in, refusal, DRAWN_IN)
        bound = find_bound_to_charge(game) if game.phase == "move" else ()
        refusal = said("{bound}: in frenzy with an enemy in charge range, must charge", bound=named(bound))
        require(not bound, refusal, FRENZY)
        unfought = list_unfought(game) if game.phase == "melee" else ()
        pair = named(unfought[0]) if unfought else SILENCE
        refusal = said("{pair}: in a many-sided fight every model fights every enemy it touches", pair=pair)
        require(not unfought, refusal, MANY_SIDED)
        busy = said("somebody can do something in a phase that this would pass; end one phase at a time")
        require(not self.passes or self.passes <= len(find_idle(game)), busy)
        slow = find_bound_to_shuffle(game) if game.phase == "move" else ()
        refusal = said("{slow}: failed the stupidity test, must shuffle on until something stops it", slow=named(slow))
        require(not slow, refusal, STUPIDITY)

    def apply(self, game: MatchRoads) -> MatchRoads:
        after = _end_phase(game)
        for _ in range(self.passes):
            after = _end_phase(after)
        return after

    def title(self, game: MatchRoads) -> Said:
        ended = said("{side} ended the {phase} phase", side=str(game.active), phase=PHASE_WORDS[game.phase])
        why = _word_idle(find_idle(game)[: self.passes])
        return said("{ended}; {why}", ended=ended, why=why) if self.passes else ended


def find_idle(game: MatchRoads) -> tuple[PhaseRoads, ...]:
    """Return the phases after this one in which nobody can act."""
    idle: tuple[PhaseRoads, ...] = ()
    after = _end_phase(game)
    while len(idle) < len(PHASES) - 1 and after.find_open() is None and not has_more(after):
        idle, after = (*idle, after.phase), _end_phase(after)
    return idle


def _end_phase(game: MatchRoads) -> MatchRoads:
    """Return the game in the next phase, or in the next side's turn."""
    if game.phase != "melee":
        return _enter_phase(game, PHASES[PHASES.index(game.phase) + 1])
    assert game.active is not None
    if not game.escapes_asked:
        game = replace(game, escapes_asked=True, due=list_escapes(game, game.active))
        if game.due:
            return game
    sides = game.setup.sides
    return begin_turn(game, sides[(sides.index(game.active) + 1) % len(sides)])


def _enter_phase(game: MatchRoads, phase: PhaseRoads) -> MatchRoads:
    game = replace(game, phase=phase, reaction=None, has_many_sided=False)
    if phase != "melee":
        return game
    distances = game.distances()
    return game if distances is None else replace(game, to_draw_in=distances.drawn_in())
