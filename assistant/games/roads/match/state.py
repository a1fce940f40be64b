"""The state of a `roads` skirmish: turns by side, open items, and the automatic consequences of each step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, Self

from msgspec.structs import replace

from assistant.games.roads.match.pending import (
    FEARS,
    TEST_WORDS,
    Ambush,
    AnnouncedShot,
    Charging,
    HitsDue,
    Leaping,
    Moving,
    PendingDuel,
    PendingTest,
    Reaction,
)
from assistant.games.roads.match.setup import FighterSetup, SetupRoads
from assistant.games.roads.rules.ruleset import Roads as Rules
from assistant.match.game import GameState, KeptRules, Name, Piece, Step, find_by_name, require
from assistant.match.ground import free_table_of
from assistant.rules.free_distance import Distances
from assistant.rules.reasons import Rule
from assistant.table.free_table import FreeTable
from assistant.translations.messages import SILENCE, Said, listed, named, said, said_in


class Mark:
    """Tokens beside a model, by their words in documents."""

    LEADER = "leader"
    DOWN = "down"
    FLEEING = "fleeing"
    WATCH = "watch"
    HIDDEN = "camouflaged"
    CHARGED = "charged"
    RAN = "ran"
    MOVED = "moved"
    SHOT = "shot"
    STILL = "still"
    AFRAID = "afraid"
    TERRIFIED = "terrified"
    DULLED = "dulled"
    RAGING = "frenzied"
    PRONE = "prone"

    ROOTED = "rooted"
    """Moves no more this turn, after a failed climb or a charge refused for fear. It may shoot."""

    FALLEN = "fallen"
    """Fell this turn, so it neither moves nor hides. It may shoot."""

    SHUFFLING = "shuffling"
    """Failed its stupidity test and must shuffle on this turn."""

    JUMPED = "jumped"
    """Attacks out of a jump this turn."""

    PLAYED = "played"
    """Played a melody this turn, so there is no prompt for another."""

    LEAVING = "leaving"
    """Leaves its melee at will this turn; the players have stated the outcome."""

    EMERGED = "emerged"
    """Came out of camouflage this turn: a fleeting target for a model on overwatch."""


MARKS_OF_A_TURN = (
    Mark.CHARGED, Mark.RAN, Mark.MOVED, Mark.SHOT, Mark.STILL, Mark.AFRAID, Mark.PRONE, Mark.ROOTED, Mark.FALLEN,
    Mark.JUMPED, Mark.EMERGED, Mark.SHUFFLING, Mark.LEAVING, Mark.PLAYED,
)  # fmt: skip
"""Tokens removed at every change of turn, whichever side plays: the seed says “this turn” of each."""

STOPPING: Mapping[str, Said] = {Mark.DOWN: said("down"), Mark.FLEEING: said("fleeing"), Mark.STILL: said("still")}
"""Tokens of models that do nothing of their own accord."""

PhaseRoads = Literal["setup", "start", "move", "shoot", "melee"]
PHASES: tuple[PhaseRoads, ...] = ("start", "move", "shoot", "melee")
PHASE_WORDS: Mapping[str, Said] = {
    "start": said_in("phase", "start"),
    "move": said_in("phase", "move"),
    "shoot": said_in("phase", "shoot"),
    "melee": said_in("phase", "melee"),
}

OpenItem = Literal["set-up", "hits", "test", "flight", "fight", "shot", "move"]
"""Kinds of open items, in the order in which they must be finished."""

_RULES = KeptRules(Rules)


class MatchRoads(GameState, frozen=True, kw_only=True):
    """A skirmish of `roads`."""

    moves_by_side = True
    setup: SetupRoads
    phase: PhaseRoads = "setup"
    active: str | None = None
    due: tuple[PendingTest, ...] = ()
    hits: tuple[HitsDue, ...] = ()
    duel: PendingDuel | None = None
    charging: Charging | None = None
    moving: Moving | None = None
    shot: AnnouncedShot | None = None
    ambush: Ambush | None = None
    leaping: Leaping | None = None
    reaction: Reaction | None = None
    escapes_asked: bool = False
    fought: tuple[tuple[str, str], ...] = ()
    has_many_sided: bool = False
    """Whether a many-sided fight has begun in this phase."""
    seasoned: tuple[str, ...] = ()
    """Models with a round of their present melee behind them, whose hatred is spent (“Ненависть”)."""
    flights: Mapping[str, int] = {}
    """The steps that each fleeing model has to run now."""
    fleeing_from: Mapping[str, tuple[str, ...]] = {}
    """The enemies that each flight leads straight away from. A fleer without an entry runs to the nearest edge."""
    to_draw_in: tuple[str, ...] = ()
    to_advance: tuple[str, ...] = ()
    """Models whose opponents are all out and that may move one step at once (C2)."""
    met_in_advance: tuple[tuple[str, str], ...] = ()
    """Pairs that an advance of this turn has brought into contact. They fight in the next melee phase."""
    climbed: Mapping[str, float] = {}
    """The steps that each model has climbed in this turn."""
    leapt: Mapping[str, float] = {}
    """The steps that each model has leapt in this turn, rises included."""
    gone: Mapping[str, float] = {}
    """The movement in steps that each model has used this turn and may continue after a jump (“Особые маневры”)."""
    wielded: Mapping[str, tuple[str, ...]] = {}
    """The weapons in hand of each model that changed them. Other models hold those of the set-up."""
    spent: Mapping[str, tuple[str, ...]] = {}
    """The misfired weapons of each model: thrown ones are used up, others jammed."""
    fired: Mapping[str, tuple[str, ...]] = {}
    """The weapons that each model has shot this turn."""
    noticed: tuple[tuple[str, str], ...] = ()
    """Camouflaged models found this turn, each with its finder."""

    @property
    def rules(self) -> Rules:
        return _RULES.under(self.options)

    def fighter(self, figure: str) -> FighterSetup:
        """Return the values of a model.

        Raises:
            UnknownName: there is no such model.
        """
        unknown = said("there is no model “{figure}” in this skirmish; choose one from the list", figure=figure)
        return find_by_name(self.setup.fighters, "id", figure, unknown)

    def starting_count(self, side: str) -> int:
        return sum(fighter.side == side for fighter in self.setup.fighters)

    def out_count(self, side: str) -> int:
        return self.starting_count(side) - len(self.standing(side))

    def distances(self) -> Distances | None:
        """Return the distances on the table, or None while no table is known."""
        table = self.table()
        return None if table is None else self.rules.distances(table)

    def table(self) -> FreeTable | None:
        """Return the table of this moment, or None while none is known."""
        return free_table_of(self) if self.ground else None

    def opponents_of(self, figure: str) -> tuple[str, ...]:
        """Return the enemies in contact with a model, or none while no table is known."""
        distances = self.distances()
        return () if distances is None else distances.opponents_of(figure)

    def spirit_of(self, figure: str) -> int:
        """Return the Spirit that a model tests on: its own, or that of a leader of its side within 3 steps (C3)."""
        distances = self.distances()
        if distances is None or figure not in distances.table.figure_by_id:
            return self.fighter(figure).spirit
        return distances.leading_spirit(distances.table.figure(figure))

    def with_gone(self, figure: str, steps: float) -> Self:
        """Return the game after a model used these steps of its movement."""
        return replace(self, gone={**self.gone, figure: self.gone.get(figure, 0.0) + steps})

    def without_gone(self, figure: str) -> Self:
        """Return the game with a model's movement over, with or without steps left."""
        return replace(self, gone={name: steps for name, steps in self.gone.items() if name != figure})

    def find_open(self) -> OpenItem | None:
        """Return the item to finish before anything else, or None if the side to play is free to act."""
        items: tuple[tuple[OpenItem, object], ...] = (
            ("set-up", self.phase == "setup"),
            ("hits", self.hits),
            ("test", self.due),
            ("flight", self.flights),
            ("fight", self.duel),
            ("shot", self.shot or self.reaction),
            ("move", self.moving),
        )
        return next((item for item, is_open in items if is_open), None)

    def is_free_in(self, phase: PhaseRoads) -> bool:
        """Return whether the side to play is free to act in this phase."""
        return self.phase == phase and self.find_open() is None

    def list_enemies(self) -> tuple[str, ...]:
        """Return the models that the side to play may attack."""
        return tuple(piece.id for piece in self.standing() if piece.side != self.active)

    def first_due(self, *dues: PendingTest) -> Self:
        """Return the game with these tests ahead of all others."""
        return replace(self, due=(*dues, *self.due))

    def side_to_act(self) -> str | None:
        """Return the side of the first due test, else the side to play."""
        if self.winner is not None:
            return None
        return self.due[0].side if self.due else self.active

    def side_awaited(self) -> str | None:
        """Return the side of the figure that was hit or runs, else the side to act."""
        figure = {
            "hits": self.hits[0].figure if self.hits else None,
            "flight": next(iter(self.flights), None),
        }.get(str(self.find_open()))
        return self.side_to_act() if self.winner is not None or figure is None else self.piece(figure).side

    def stage(self) -> Said | None:
        """Return the phase of the turn."""
        return PHASE_WORDS.get(self.phase)

    def turn_name(self) -> str:
        """Return the side to play, even while another side takes a test."""
        return str(self.active)

    def concluded(self) -> Self:
        """Return the game with the automatic consequences: models found, melees over, the last side as the winner."""
        if self.winner is not None or self.phase == "setup":
            return self
        game = self._with_found()._with_melees_over()
        left = sorted({piece.side for piece in game.standing()})
        return game.won_by(left[0], said("no enemy is left on the table")) if len(left) == 1 else game

    def with_noticed(self, found: Iterable[tuple[str, str]]) -> Self:
        """Return the game with these models found. The first finder of each counts."""
        by = dict(reversed(list(found)))
        fresh = [name for name in by if Mark.HIDDEN in self.piece(name).marks]
        shown = (self.piece(name).unmarked(Mark.HIDDEN).marked(Mark.EMERGED) for name in fresh)
        noticed = (*self.noticed, *((name, by[name]) for name in fresh))
        return replace(self.with_piece(*shown), noticed=noticed) if fresh else self

    def _with_found(self) -> Self:
        """Return the game with camouflaged models found within half an enemy's Mobility (“Маскировка”)."""
        hidden = [piece.id for piece in self.standing() if Mark.HIDDEN in piece.marks]
        distances = self.distances() if hidden else None
        if distances is None:
            return self
        figures = distances.table.figure_by_id
        return self.with_noticed(
            (name, other.id)
            for name in hidden
            if name in figures
            for other in distances.table.figures
            if other.side != figures[name].side and distances.detects(other, figures[name])
        )

    def _with_melees_over(self) -> Self:
        if not self.seasoned or not self.ground:
            return self
        fighting = _RULES.under(self.options).distances(free_table_of(self)).fighting()
        still = tuple(name for name in self.seasoned if name in fighting)
        return self if still == self.seasoned else replace(self, seasoned=still)


def rout(game: MatchRoads, side: str, ending: Said) -> MatchRoads:
    """Return the game lost by a side at once. The first other side with models left wins."""
    winners = [name for name in game.setup.sides if name != side and game.standing(name)]
    return game.won_by(winners[0] if winners else next(s for s in game.setup.sides if s != side), ending)


def take_out(game: MatchRoads, figure: str) -> MatchRoads:
    """Take a model out of the game. An enemy without an opponent left may advance a step (C2)."""
    before = game.opponents_of(figure)
    charge, duel = game.charging, game.duel
    reaction = game.reaction
    is_moot = reaction is not None and figure in (reaction.figure, reaction.shooter)
    stops = charge is not None and figure in (charge.figure, charge.target)
    after = replace(
        game.with_piece(game.piece(figure).gone()),
        hits=tuple(hit for hit in game.hits if hit.figure != figure),
        due=tuple(due for due in game.due if due.figure != figure and not (stops and due.kind in FEARS)),
        flights={name: steps for name, steps in game.flights.items() if name != figure},
        fleeing_from={name: enemies for name, enemies in game.fleeing_from.items() if name != figure},
        seasoned=tuple(name for name in game.seasoned if name != figure),
        charging=None if stops else charge,
        moving=None if game.moving is not None and game.moving.figure == figure else game.moving,
        leaping=None if game.leaping is not None and game.leaping.figure == figure else game.leaping,
        reaction=None if is_moot else reaction,
        ambush=None if game.ambush is not None and figure == game.ambush.shooter else game.ambush,
        shot=None if game.shot is not None and figure in (game.shot.figure, game.shot.target) else game.shot,
        duel=None if duel is not None and figure in duel.fighters else duel,
        to_draw_in=tuple(name for name in game.to_draw_in if name != figure),
        to_advance=tuple(name for name in game.to_advance if name != figure),
    )
    free = tuple(name for name in before if Mark.DOWN not in after.piece(name).marks and not after.opponents_of(name))
    return replace(after, to_advance=tuple(dict.fromkeys((*after.to_advance, *free))))


class FigureStep(Step[MatchRoads], frozen=True, kw_only=True):
    """A step of one model, decided by its side."""

    figure: Name

    def side(self, game: MatchRoads) -> str | None:
        return game.piece(self.figure).side

    def silent_rule(self, game: MatchRoads) -> Rule | None:
        """Return the rule whose source leaves the procedure to people, or None if it is defined."""
        return None

    def rule_at(self, game: MatchRoads) -> Rule:
        return self.silent_rule(game) or self.rule

    def rests_on_people(self, game: MatchRoads) -> bool:
        return self.by_hand or self.silent_rule(game) is not None

    @classmethod
    def is_open_to_some(cls, game: MatchRoads, **fields: Any) -> bool:
        """Return whether any model of the side to play may do it now, so that no prompt is useless."""
        return any(cls(figure=piece.id, **fields).is_allowed(game) for piece in game.standing(game.active))


def require_nothing_open(game: MatchRoads) -> None:
    """Refuse a step while anything is open: tests, flights, hits, a fight, a shot, or a watched move.

    Raises:
        IllegalStep: something is open.
    """
    require_nothing_due(game)
    require_no_shot(game)
    figure = "" if game.moving is None else game.moving.figure
    require(game.moving is None, said("{figure} is on its way; let it go on first", figure=figure))


def require_no_shot(game: MatchRoads) -> None:
    """Refuse a step before the roll of an announced shot.

    Raises:
        IllegalStep: a shot is announced.
    """
    is_open = game.shot is not None or game.reaction is not None
    require(not is_open, said("a shot is announced; finish it first"))


def require_nothing_due(game: MatchRoads) -> None:
    """Refuse a step while a test, a flight, hits or a fight are open.

    Raises:
        IllegalStep: one of them is.
    """
    require(not game.hits, said("work out the hits on {figure} first", figure=game.hits[0].figure if game.hits else ""))
    require(
        not game.due, said("a test is due first: {kind}", kind=TEST_WORDS[game.due[0].kind] if game.due else SILENCE)
    )
    require(not game.flights, said("{flights} must flee first", flights=named(game.flights)))
    require(game.duel is None, said("finish the fight first"))


def require_able(game: MatchRoads, figure: str) -> None:
    """Require that a model may act of its own accord.

    Raises:
        IllegalStep: it is off the table, down, fleeing, or must stand still this turn.
    """
    piece = game.piece(figure)
    require(piece.on_table, said("{figure} is out", figure=figure))
    stopped = [mark for mark in STOPPING if mark in piece.marks]
    require(
        not stopped,
        said(
            "{figure} can do nothing now: {stopped}", figure=figure, stopped=listed(STOPPING[mark] for mark in stopped)
        ),
    )


def add_hits(game: MatchRoads, due: HitsDue) -> MatchRoads:
    """Return the game with further hits that still need armour and wounds, if there are any."""
    return replace(game, hits=(*game.hits, due)) if due.hits else game


def drop_shot(game: MatchRoads, shooter: str) -> MatchRoads:
    """Return the game without the announced shot of a model that can no longer shoot, and without its reaction."""
    reaction = game.reaction
    shot = None if game.shot is not None and game.shot.figure == shooter else game.shot
    return replace(game, shot=shot, reaction=None if reaction is not None and reaction.shooter == shooter else reaction)


def start(setup: SetupRoads, options: Mapping[str, str], seed: str) -> MatchRoads:
    """Return the skirmish before its first event. Nothing is drawn at random."""
    pieces = {}
    for fighter in setup.fighters:
        abilities = {
            Mark.LEADER: fighter.is_leader,
            "fear": fighter.fear,
            "terror": fighter.terror,
            Mark.RAGING: fighter.frenzy,
        }
        pieces[fighter.id] = Piece(
            id=fighter.id,
            kind=fighter.kind,
            side=fighter.side,
            center_mm=fighter.center_mm,
            marks=tuple(sorted(mark for mark, holds in abilities.items() if holds)),
        )
    return MatchRoads(setup=setup, options=dict(options), pieces=pieces)
