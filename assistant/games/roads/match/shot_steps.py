"""Shots and the target's reactions (rules C5). The known rules lack the roll of a shot, so people type in its hits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace as moved
from typing import Annotated, Any, Self

from msgspec import Meta
from msgspec.structs import replace

from assistant.games.roads.match.ambush import lay_ambush
from assistant.games.roads.match.answers import ask_reaction, ask_targets, may_react
from assistant.games.roads.match.duel import list_opponents
from assistant.games.roads.match.movement import (
    LEAVING,
    ask_enemy,
    at_moment,
    find_watchers,
    halt,
    require_length,
    require_no_contact,
    require_room,
    reveal,
    word_steps,
)
from assistant.games.roads.match.pending import AnnouncedShot, HitsDue, Moving, Reaction, ReactionKind
from assistant.games.roads.match.psychology import find_watch_target
from assistant.games.roads.match.state import (
    FigureStep,
    Mark,
    MatchRoads,
    add_hits,
    require_able,
    require_no_shot,
    require_nothing_due,
)
from assistant.games.roads.match.turn_steps import DieFace
from assistant.games.roads.match.weapons import (
    has_shot_left,
    is_of_kind,
    is_out_of_range,
    list_unfired,
    list_weapons,
    needed_of_house,
    weapon,
)
from assistant.games.roads.rules.checks import evades, watch_modifier
from assistant.games.roads.rules.movement import (
    MEASURED_MM,
    TAKE_COVER_STEPS,
    exact,
    find_cover_places,
    is_within,
    list_cover,
    overlaps,
    touches_at,
)
from assistant.games.roads.rules.reasons import (
    CAMOUFLAGE,
    DRAWN_IN,
    DUCK,
    IN_MELEE,
    MISFIRE,
    OUT_OF_RANGE,
    SHOOT_FIRST,
    SIGHT,
    STUPIDITY,
    TAKE_COVER,
    WATCH,
)
from assistant.match.asks import Ask, Asks, Draft, ask_number, ask_thing
from assistant.match.chance import Chance
from assistant.match.game import Count, Integer, Moment, Name, PointMm, Prompt, ShownDie, Step, require
from assistant.match.rulings import sight_document
from assistant.rules.reasons import Rule
from assistant.table.free_table import FreeFigure
from assistant.translations.messages import Said, counted, listed, message, named, said

SHOTS = Rule(
    "roads/shots",
    message("the known rules lack the roll of a shot; it begins with “Вне диапазона дальности”"),
    message("A shot needs line of sight, a weapon at hand, and a model that may shoot this turn."),
)
MELODIES = Rule(
    "roads/melodies",
    message("rules, “Drawing into melee” and “Stupidity”: name Melodies; their chapter is lacking"),
    message("A model within a step of a fight may play a melody, a stupid one may not. The players know its effect."),
)
REACTIONS = Rule(
    "roads/reactions",
    message("rules, “Реакции на выстрел”"),
    message("The target of a shot may duck, take cover or shoot first."),
)

FIRST_SHOT_CHANGE = -1
"""Penalty for shooting first, in haste (“Стрельба на опережение”)."""

UNNAMED = "weapon"
"""The weapon of a shot without a named one."""

WayMoment = Annotated[float, Meta(ge=0, le=50)]


def _ask_shot_at(draft: Draft[MatchRoads]) -> Ask:
    """The target, each with its distance, whether the farthest weapon reaches it, and what the program's die needs."""
    asked, game, figure = ask_enemy(draft, said("Shoot at whom?")), draft.game, str(draft.fields.get("figure"))
    arms = list_unfired(game, figure) if figure in game.pieces else ()
    ranges = [None if known is None else known.range_steps for known in (weapon(game, arm) for arm in arms)]
    needed, longest = needed_of_house(game, "shot_roll"), max((steps or 0 for steps in ranges), default=0)
    if not arms or game.distances() is None:
        return asked
    picks = []
    for pick in asked.picks:
        if None in ranges or any(not is_out_of_range(game, figure, str(pick.figure), arm) for arm in arms):
            facts = [] if None in ranges else [said("in range")]
            if needed is not None:
                change = Shoot(figure=figure, target=str(pick.figure)).find_change(game)
                facts.append(said("hits on {needed} or more", needed=needed - change))
        else:
            facts = [said("out of range, which is {steps}", steps=word_steps(longest))]
        facts = [*([pick.note] if pick.note is not None else []), *facts]
        picks.append(replace(pick, note=listed(facts) if facts else None))
    return replace(asked, picks=tuple(picks))


def _ask_weapon(draft: Draft[MatchRoads]) -> Ask | None:
    """Ask for the weapon of a shot, out of the carried ones. If the set-up describes none of them, people know."""
    owned = dict.fromkeys(list_weapons(draft.game, str(draft.fields.get("figure"))))
    if not any(weapon(draft.game, name) for name in owned):
        return None
    picks = ((name, named([name])) for name in owned if not is_of_kind(draft.game, name, "melee"))
    return ask_thing("weapon", said("Which weapon?"), picks)


def _ask_hits(draft: Draft[MatchRoads]) -> Ask | None:
    if needed_of_house(draft.game, "shot_roll") is not None:
        return None
    reaction, total = draft.game.reaction, draft.fields.get("total")
    if reaction is not None and not reaction.is_first and isinstance(total, int):
        change = Shoot(figure=reaction.shooter, target=reaction.figure).find_change(draft.game)
        if evades(reaction.total, total + change):
            return None  # the sum has missed: no hits are left to ask for
    text = said("Roll as your rules say: how many hits?")
    return replace(ask_number("hits", text, range(4)), note=_word_shot(draft))


def _word_shot(draft: Draft[MatchRoads]) -> Said:
    """Return the known facts of a shot, and a note that the players' own rules define its roll."""
    game, fields = draft.game, draft.fields
    shooter, target, arm = (str(fields.get(name, "")) for name in ("figure", "target", "weapon"))
    facts, known, distances = [], weapon(game, arm), game.distances()
    if distances is not None and {shooter, target} <= set(distances.table.figure_by_id):
        figures = distances.table.figure_by_id
        away = distances.between_mm(figures[shooter], figures[target]) / float(distances.step_mm)
        facts.append(said("{target} is {steps} away", target=target, steps=word_steps(round(away, 1))))
    if known is not None and known.range_steps is not None:
        facts.append(said("{weapon} reaches {steps}", weapon=arm, steps=word_steps(known.range_steps)))
    if known is not None and known.strength:
        facts.append(said("{weapon}: strength {strength}", weapon=arm, strength=known.strength))
    is_known = {shooter, target} <= set(game.pieces)
    if is_known and (change := Shoot(figure=shooter, target=target).find_change(game)):
        facts.append(said("{change} to hit", change=f"{change:+d}"))
    own = said("The house rules of a new match can let the program roll.")
    return own if not facts else said("{facts}. {own}", facts=listed(facts), own=own)


def _ask_total(draft: Draft[MatchRoads]) -> Ask | None:
    reaction = draft.game.reaction
    if reaction is None or reaction.is_first or reaction.how == "shoot first":
        return None
    if needed_of_house(draft.game, "shot_roll") is not None:
        return None  # the program's die is that roll
    text = said("Total of the shooter's roll? {total} or more hits", total=reaction.total)
    return ask_number("total", text, range(1, 13), value=reaction.total)


def _ask_melody(draft: Draft[MatchRoads]) -> Ask:
    melodies = draft.game.fighter(str(draft.fields.get("figure"))).melodies
    return ask_thing("melody", said("Which melody?"), ((name, named([name])) for name in melodies))


def _ask_reaction(draft: Draft[MatchRoads]) -> Ask:
    picks: tuple[tuple[ReactionKind, Said], ...] = (
        ("duck", said("ducks")),
        ("take cover", said("takes cover")),
        ("shoot first", said("tries to shoot first")),
    )
    return ask_thing("how", said("How?"), picks)


def is_shot_open(game: MatchRoads) -> bool:
    """Return whether a model of the side to play may shoot at an enemy in its phase, as far as the program can tell.

    Any enemy out of camouflage stands for all. The program checks the line of sight when a model shoots.
    """
    target = next((enemy for enemy in game.list_enemies() if Mark.HIDDEN not in game.piece(enemy).marks), None)
    if target is None or not game.is_free_in("shoot"):
        return False
    own = [piece.id for piece in game.standing(game.active)]
    shots = (
        Shoot(figure=name, target=target, weapon=arm) for name in own for arm in (UNNAMED, *list_weapons(game, name))
    )
    return any(shot.is_allowed(game) for shot in shots)


def _can_be_answered(game: MatchRoads) -> bool:
    """Return whether any enemy of the side to play could react to a shot."""
    return any(may_react(game, enemy) for enemy in game.list_enemies())


class Shoot(FigureStep, frozen=True, kw_only=True, tag="shoot"):
    """A shot in one's own turn or on overwatch.

    With devices of their own, the shooter announces it first, so that the target may react. A camouflaged shooter stays
    hidden only if a ``silent`` weapon kills at once and no witness then passes a Mobility test (C5).

    Args:
        target: the enemy.
        weapon: the weapon by its name.
        hits: the hits that people rolled; the known rules lack that roll.
        silent: whether the weapon is silent.
        kills: the word of older matches that the target dies at once; what comes of the hits decides it now.
        total: the shooter's roll before ``change``. It hits a target that ducked or took cover only if the sum of both
            is no less than the target's. The program fills in its own die.
        moment: when a moving target is shot at: the number of legs behind it and a share of the next.
        misfire_test: whether the roll called for a misfire test.
        misfires: whether that test failed, as it always does for a thrown weapon.
        change: -1 on overwatch at a fleeting target or a charger, -1 for shooting first; filled in.
        ruling: the line of sight at that moment; filled in.
    """

    rule = SHOTS
    target: Annotated[Name, Asks(_ask_shot_at)]
    weapon: Annotated[Name, Asks(_ask_weapon)] = UNNAMED
    total: Annotated[Integer | None, Asks(_ask_total)] = None
    hits: Annotated[Count, Asks(_ask_hits)] = 0
    silent: bool = False
    kills: bool = False
    moment: WayMoment | None = None
    misfire_test: bool = False
    misfires: bool = False
    change: Integer = 0
    ruling: dict[str, Any] | None = None
    roll: DieFace | None = None
    """The program's die, if the house lets it roll (`shot_roll`)."""

    filled_later = frozenset({"roll"})

    @classmethod
    def prompts(cls, game: MatchRoads) -> Iterator[Prompt]:
        pair = find_open_shot(game)
        if game.find_open() == "shot" and pair is not None:
            figure, target = pair
            text = said("{figure} shoots at {target}", figure=figure, target=target)
            yield cls.prompt(text, side=game.piece(figure).side, figure=figure, target=target)
        if game.find_open() == "move" and game.moving is not None:
            yield from cls._prompt_at(game, game.moving)
        if game.find_open() is not None:
            return
        if is_shot_open(game):
            needed = needed_of_house(game, "shot_roll")
            here = said("The program rolls: hits on {needed} or more. Nobody reacts", needed=needed)
            text = said("Shoot at once: nobody reacts") if _can_be_answered(game) else said("Shoot")
            yield cls.prompt(text, side=game.active, note=None if needed is None else here)
        for piece in game.standing():
            if piece.side != game.active and Mark.WATCH in piece.marks:
                text = said("{figure} shoots on overwatch", figure=piece.id)
                yield cls.prompt(text, side=piece.side, urgency=-1, figure=piece.id)

    @classmethod
    def _prompt_at(cls, game: MatchRoads, moving: Moving) -> Iterator[Prompt]:
        """Yield shots on overwatch at a model on its way: early, half way or late."""
        legs = len(moving.path)
        moments = (
            (said("as it starts to move"), 0.0),
            (said("half way"), legs / 2),
            (said("before it arrives"), float(legs) if moving.how != "charge" else legs - 0.1),
        )
        for name in find_watchers(game, moving.figure):
            for when, moment in moments[: 3 if legs else 1]:
                if moment >= moving.moment:
                    text = said("{figure} shoots on overwatch: {when}", figure=name, when=when)
                    side = game.piece(name).side
                    yield cls.prompt(text, side=side, figure=name, target=moving.figure, moment=moment)

    def settle(self, game: MatchRoads, chance: Chance) -> Self:
        step = self
        if self.misfire_test and is_of_kind(game, self.weapon, "thrown"):
            step = replace(step, misfires=True)
        known = weapon(game, self.weapon)
        silent = self.silent if known is None else self.silent or known.silent
        step = replace(step, change=self.find_change(game), silent=silent)
        step = step._rolled(game, chance)
        then = self._then(game)
        return replace(step, ruling=sight_document(then, self.figure, self.target)) if game.ground else step

    def _rolled(self, game: MatchRoads, chance: Chance) -> Self:
        """Fill in the program's die and its hits, if the house lets it roll; else keep what people entered."""
        needed = needed_of_house(game, "shot_roll")
        if needed is None:
            return replace(self, roll=None)
        roll, reaction = chance.die(), game.reaction
        is_far = is_out_of_range(self._then(game), self.figure, self.target, self.weapon)
        is_evaded = reaction is not None and not reaction.is_first and evades(reaction.total, roll + self.change)
        is_hit = roll + self.change >= needed and not is_far and not is_evaded
        return replace(self, roll=roll, total=None if reaction is None else roll, hits=int(is_hit))

    def supposed(self, game: MatchRoads) -> Self:
        """Return the shot as `settle` makes it but with the bare answer on sight, to test whether it is allowed."""
        step, then = replace(self, change=self.find_change(game)), self._then(game)
        if needed_of_house(game, "shot_roll") is not None:
            step = replace(step, total=_ANY_TOTAL)
        table = then.table()
        if table is None:
            return step
        verdict = game.rules.verdict(table, table.figure(self.figure), table.figure(self.target))
        return replace(step, ruling={"line_of_sight": verdict.line_of_sight})

    @classmethod
    def moments(cls, game: MatchRoads) -> Iterator[Moment]:
        yield from ask_reaction(game)
        yield from ask_targets(game)

    def check(self, game: MatchRoads) -> None:
        require_nothing_due(game)
        self._check_turn(game)
        self._check_moment(game)
        self._check_shooter(game)
        self._check_announced(game)
        self._check_target(game)
        self._check_weapon(game)
        if game.reaction is not None and not game.reaction.is_first:
            self._check_reaction(game.reaction)

    def has_revealed(self) -> bool:
        return self.roll is not None

    def apply(self, game: MatchRoads) -> MatchRoads:
        game = self._then(game)
        piece = game.piece(self.figure)
        stays_hidden = Mark.HIDDEN in piece.marks and self.silent and self.hits > 0
        first = game.reaction if game.reaction is not None and game.reaction.is_first else None
        shot = game.shot if first is not None else None
        game = replace(game, reaction=None if first is None else replace(first, is_first=False), shot=shot)
        piece = piece if stays_hidden else reveal(piece)
        game = game.with_piece(piece.unmarked(Mark.WATCH).marked(Mark.SHOT))
        fired = (*game.fired.get(self.figure, ()), self.weapon)
        game = replace(game, fired={**game.fired, self.figure: fired})
        if self.misfires:
            gone = (*game.spent.get(self.figure, ()), self.weapon)
            game = replace(game, spent={**game.spent, self.figure: gone})
        if stays_hidden:
            game = lay_ambush(game, self.figure, self.target)
        weapons = (self.weapon,) * self.hits
        due = HitsDue(figure=self.target, by=self.figure, hits=self.hits, weapons=weapons, is_shot=True)
        return add_hits(game, due)

    def title(self, game: MatchRoads) -> Said:
        pair = {"figure": self.figure, "target": self.target}
        if game.reaction is not None and game.reaction.is_first:
            return counted(
                "{figure} shoots first, at -1 to hit, at {target}: {n} hit",
                "{figure} shoots first, at -1 to hit, at {target}: {n} hits",
                self.hits,
                **pair,
            )
        if self.change:
            return counted(
                "{figure} shoots on overwatch, at -1 to hit, at {target}: {n} hit",
                "{figure} shoots on overwatch, at -1 to hit, at {target}: {n} hits",
                self.hits,
                **pair,
            )
        return counted(
            "{figure} shoots at {target}: {n} hit", "{figure} shoots at {target}: {n} hits", self.hits, **pair
        )

    def dice_shown(self, game: MatchRoads) -> tuple[ShownDie, ...]:
        return () if self.roll is None else (ShownDie(str(self.roll), whose=self.figure),)

    def silent_rule(self, game: MatchRoads) -> Rule | None:
        """Return the rule: the fragment lacks the roll to hit, even out of range, so people state the result."""
        return SHOTS

    def _then(self, game: MatchRoads) -> MatchRoads:
        """Return the game at the moment of the shot."""
        moving = game.moving
        if moving is None or moving.figure != self.target or self.moment is None:
            return game
        return at_moment(game, self.moment)

    def find_change(self, game: MatchRoads) -> int:
        """Return the penalty to the roll: for overwatch, or for shooting first."""
        reaction = game.reaction
        if reaction is not None and reaction.is_first and reaction.figure == self.figure:
            return FIRST_SHOT_CHANGE
        if Mark.WATCH not in game.piece(self.figure).marks:
            return 0
        return watch_modifier(find_watch_target(game, self.figure, self.target), game.rules.options)

    def _check_turn(self, game: MatchRoads) -> None:
        piece, reaction = game.piece(self.figure), game.reaction
        if reaction is not None and reaction.is_first:
            pair = (reaction.figure, reaction.shooter)
            refusal = said("{figure} shoots at {shooter} first", figure=reaction.figure, shooter=reaction.shooter)
            require((self.figure, self.target) == pair, refusal, SHOOT_FIRST)
        elif game.active == piece.side:
            require(game.phase == "shoot", said("models shoot in the shooting phase"))
            ran = said("{figure} ran or is on overwatch this turn", figure=self.figure)
            require(not {Mark.RAN, Mark.WATCH} & set(piece.marks), ran)
        else:
            refusal = said("only a model on overwatch shoots in the turn of {side}", side=game.active)
            require(Mark.WATCH in piece.marks, refusal, WATCH)

    def _check_moment(self, game: MatchRoads) -> None:
        if self.moment is None:
            return
        moving = None if game.moving is None or game.moving.figure != self.target else game.moving
        require(moving is not None, said("{target} is not on the way", target=self.target), WATCH)
        assert moving is not None, "the target is on its way"
        passed = said("{target} has passed that place, or does not pass it", target=self.target)
        require(moving.moment <= self.moment <= len(moving.path), passed, WATCH)

    def _check_shooter(self, game: MatchRoads) -> None:
        marks, then = game.piece(self.figure).marks, self._then(game)
        require_able(game, self.figure)
        spare = game.reaction is not None and game.reaction.is_first and self.weapon in list_unfired(game, self.figure)
        again = said("{figure} cannot shoot (again) this turn", figure=self.figure)
        require(Mark.SHOT not in marks or spare, again)
        dull = said("{figure} failed its stupidity test and does not shoot", figure=self.figure)
        require(Mark.DULLED not in marks, dull, STUPIDITY)
        require(not then.opponents_of(self.figure), said("{figure} is fighting", figure=self.figure), IN_MELEE)
        distances = game.distances()
        near = distances is not None and self.figure in distances.drawn_in()
        refusal = said("{figure} is within a step of a fight and does not shoot", figure=self.figure)
        require(not near, refusal, DRAWN_IN)

    def _check_target(self, game: MatchRoads) -> None:
        piece, target = game.piece(self.figure), game.piece(self.target)
        is_enemy = target.on_table and target.side != piece.side
        require(is_enemy, said("{target} is not an enemy on the table", target=self.target))
        hidden = said("{target} is camouflaged and cannot be shot at", target=self.target)
        require(Mark.HIDDEN not in target.marks, hidden, CAMOUFLAGE)
        pair = {"figure": self.figure, "target": self.target}
        sees = self.ruling is None or bool(self.ruling["line_of_sight"])
        if game.shot is not None and game.shot.target == self.target:
            gone = said("{target} has taken cover out of sight of {figure}: no hits", **pair)
            require(sees or not self.hits, gone, TAKE_COVER)
        else:
            require(sees, said("{figure} does not see {target}", **pair), SIGHT)

    def _check_weapon(self, game: MatchRoads) -> None:
        names = {"figure": self.figure, "weapon": self.weapon}
        blade = said("the {weapon} of {figure} does not shoot", **names)
        require(not is_of_kind(game, self.weapon, "melee"), blade)
        owned = list_weapons(game, self.figure)
        lacks = said("{figure} carries: {weapons}", figure=self.figure, weapons=named(owned))
        described = weapon(game, self.weapon) is not None or all(weapon(game, name) is not None for name in owned)
        require(self.weapon in owned or not described, lacks)
        used_up = self.weapon in game.spent.get(self.figure, ())
        if is_of_kind(game, self.weapon, "thrown"):
            require(not used_up, said("{figure} has thrown the last {weapon}", **names), MISFIRE)
        require(not used_up, said("the {weapon} of {figure} is jammed", **names), MISFIRE)
        far = is_out_of_range(self._then(game), self.figure, self.target, self.weapon)
        refusal = said("{target} is out of range: no hits; still roll for a misfire", target=self.target)
        require(not (far and self.hits), refusal, OUT_OF_RANGE)

    def _check_announced(self, game: MatchRoads) -> None:
        """Require that an announced shot comes before any other, except a quicker one."""
        shot = game.shot
        if shot is None or (game.reaction is not None and game.reaction.is_first):
            return
        pair = {"shooter": shot.figure, "figure": shot.target}
        is_this = (self.figure, self.target) == (shot.figure, shot.target)
        require(is_this, said("{shooter} shoots at {figure} before anybody else", **pair))

    def _check_reaction(self, reaction: Reaction) -> None:
        pair = {"shooter": reaction.shooter, "figure": reaction.figure}
        is_shooter = (self.figure, self.target) == (reaction.shooter, reaction.figure)
        require(is_shooter, said("{shooter} shoots at {figure} before anybody else", **pair))
        if reaction.how == "shoot first":
            return
        theirs: dict[str, str | int] = {"target": self.target, "total": reaction.total}
        missing = said("enter the total of {figure}'s roll; {target} has {total}", figure=self.figure, **theirs)
        require(self.total is not None, missing, DUCK)
        total = (self.total or 0) + self.change
        refusal = said("{target} has {total} against {total_2}: no hits", total_2=total, **theirs)
        require(not (evades(reaction.total, total) and self.hits), refusal, DUCK)


class AnnounceShot(FigureStep, frozen=True, kw_only=True, tag="announce"):
    """A shot is announced before its roll, so that its target may react (“Реакции на выстрел”)."""

    rule = REACTIONS
    label = said("Announce a shot")
    target: Annotated[Name, Asks(_ask_shot_at)]
    moment: WayMoment | None = None

    @classmethod
    def prompts(cls, game: MatchRoads) -> Iterator[Prompt]:
        if is_shot_open(game) and _can_be_answered(game):
            # Not at once before the roll: it asks the other side about a shot without shooter and target yet.
            note = said("The target may duck, take cover or shoot first")
            yield cls.prompt(said("Shoot"), side=game.active, urgency=1, note=note)
        moving = game.moving
        if game.find_open() == "move" and moving is not None:
            for name in find_watchers(game, moving.figure):
                text = said("{figure} announces a shot on overwatch", figure=name)
                place = moving.moment or len(moving.path) / 2
                yield cls.prompt(
                    text, side=game.piece(name).side, urgency=-1, figure=name, target=moving.figure, moment=place
                )

    def check(self, game: MatchRoads) -> None:
        require_no_shot(game)
        step = Shoot(figure=self.figure, target=self.target, moment=self.moment, weapon=_any_weapon(game, self.figure))
        step.supposed(game).check(game)

    def apply(self, game: MatchRoads) -> MatchRoads:
        shot = AnnouncedShot(figure=self.figure, target=self.target, moment=self.moment)
        moving = game.moving
        if moving is not None and moving.figure == self.target and self.moment is not None:
            game = at_moment(game, self.moment)
        return replace(game, shot=shot)

    def title(self, game: MatchRoads) -> Said:
        return said("{figure} is about to shoot at {target}", figure=self.figure, target=self.target)


def _any_weapon(game: MatchRoads, figure: str) -> str:
    """Return a weapon that the model may shoot with, as far as the set-up describes its weapons."""
    return next(iter(list_unfired(game, figure)), UNNAMED)


def find_open_shot(game: MatchRoads) -> tuple[str, str] | None:
    """Return the next shooter and target: a quicker target first, then the announced shooter; None without a shot."""
    shot, reaction = game.shot, game.reaction
    if reaction is not None and reaction.is_first:
        return reaction.figure, reaction.shooter
    if shot is not None:
        return shot.figure, shot.target
    return None if reaction is None else (reaction.shooter, reaction.figure)


def _find_cover(game: MatchRoads, figure: str) -> PointMm | None:
    """Return the nearest place in cover within a step without contact with an enemy; None without one."""
    distances = game.distances()
    if distances is None or figure not in distances.table.figure_by_id:
        return None
    if list_opponents(game, figure):
        return None  # leaving a melee is no step into cover
    own = distances.table.figure(figure)
    others = [other for other in distances.table.figures if other.id != figure]
    places = find_cover_places(distances, own)
    return next((place for place in places if not any(_is_in_way(own, place, other) for other in others)), None)


def _is_in_way(own: FreeFigure, place: PointMm, other: FreeFigure) -> bool:
    """Return whether a model there would touch an enemy, or overlap a friend's base."""
    if other.side != own.side:
        return touches_at(own, place, other)
    return overlaps(moved(own, center_mm=exact(place)), other) and not overlaps(own, other)


class CallOffShot(Step[MatchRoads], frozen=True, kw_only=True, tag="call_off"):
    """An announced shot is cancelled because its shooter can no longer take it, such as after a correction."""

    rule = REACTIONS

    @classmethod
    def prompts(cls, game: MatchRoads) -> Iterator[Prompt]:
        pair = find_open_shot(game)
        if game.find_open() == "shot" and pair is not None and cls().is_allowed(game):
            yield cls.prompt(said("{figure} cannot shoot any more", figure=pair[0]))

    def check(self, game: MatchRoads) -> None:
        pair = find_open_shot(game)
        require(pair is not None, said("no shot is announced"))
        require_nothing_due(game)
        figure, target = ("", "") if pair is None else pair
        arms = (UNNAMED, *list_weapons(game, figure)) if pair is not None else ()
        shots = (Shoot(figure=figure, target=target, weapon=arm, total=_ANY_TOTAL) for arm in arms)
        could = any(shot.supposed(game).is_allowed(game) for shot in shots)
        require(not could, said("{figure} takes the shot that was announced", figure=figure))

    def apply(self, game: MatchRoads) -> MatchRoads:
        return replace(game, shot=None, reaction=None)

    def title(self, game: MatchRoads) -> Said:
        pair = find_open_shot(game)
        return said("{figure} cannot shoot any more", figure="" if pair is None else pair[0])


_ANY_TOTAL = 0
"""A roll of the shooter, for a question about the right to shoot alone."""


class PlayMelody(FigureStep, frozen=True, kw_only=True, tag="melody"):
    """A model plays one of the Melodies on its sheet. Their effects are in a chapter that the fragment lacks."""

    rule = MELODIES
    label = said("A model plays a melody")
    melody: Annotated[Name, Asks(_ask_melody)]

    @classmethod
    def prompts(cls, game: MatchRoads) -> Iterator[Prompt]:
        for piece in game.standing(game.active) if game.is_free_in("shoot") else ():
            melodies = () if Mark.PLAYED in piece.marks else game.fighter(piece.id).melodies
            if melodies and cls(figure=piece.id, melody=melodies[0]).is_allowed(game):
                yield cls.prompt(said("{figure} plays a melody", figure=piece.id), side=game.active, figure=piece.id)

    def check(self, game: MatchRoads) -> None:
        require_nothing_due(game)
        require_no_shot(game)
        require_able(game, self.figure)
        piece = game.piece(self.figure)
        require(game.active == piece.side, said("it is the turn of {side}", side=game.active))
        dull = said("{figure} failed its stupidity test and plays no melody", figure=self.figure)
        require(Mark.DULLED not in piece.marks, dull, STUPIDITY)
        lies = said("{figure} lies in cover and only shoots this turn", figure=self.figure)
        require(Mark.PRONE not in piece.marks, lies, TAKE_COVER)
        melodies = game.fighter(self.figure).melodies
        knows = said("{figure} plays: {melodies}", figure=self.figure, melodies=named(melodies))
        require(self.melody in melodies, knows, MELODIES)

    def apply(self, game: MatchRoads) -> MatchRoads:
        return game.with_piece(game.piece(self.figure).marked(Mark.PLAYED))

    def title(self, game: MatchRoads) -> Said:
        return said("{figure} plays {melody}", figure=self.figure, melody=self.melody)

    def silent_rule(self, game: MatchRoads) -> Rule | None:
        return MELODIES


class ReactToShot(FigureStep, frozen=True, kw_only=True, tag="react"):
    """The target of an announced shot ducks, takes cover, or tries to shoot first.

    ``roll`` is the target's D6, before its Mobility; ``shooter_roll`` counts for shooting first. A model taking cover
    moves into cover within a step, at ``center_mm`` or where the program finds some. Without any, it lies down.
    ``moment`` is that of the shot, as in `Shoot`.
    """

    rule = REACTIONS
    reveals = True
    finds_place = True
    shooter: Name
    how: Annotated[ReactionKind, Asks(_ask_reaction)]
    center_mm: PointMm | None = None
    rolled_here: bool = True
    roll: DieFace = 1
    shooter_roll: DieFace = 1
    moment: WayMoment | None = None

    @classmethod
    def prompts(cls, game: MatchRoads) -> Iterator[Prompt]:
        shot = game.shot
        if game.find_open() == "shot" and shot is not None and game.reaction is None and may_react(game, shot.target):
            plus = f"{game.fighter(shot.target).mobility:+d}"
            words: Mapping[ReactionKind, tuple[Said, Said]] = {
                "duck": (
                    said("{figure} ducks", figure=shot.target),
                    said("The shot must reach its roll, D6 {mobility}", mobility=plus),
                ),
                "take cover": (
                    said("{figure} takes cover", figure=shot.target),
                    said(
                        "The shot must reach its roll, D6 {mobility}; it moves into cover or lies down", mobility=plus
                    ),
                ),
                "shoot first": (
                    said("{figure} tries to shoot first", figure=shot.target),
                    said("Both roll D6 and add Mobility; if higher, it shoots before, at -1 to hit"),
                ),
            }
            side = game.piece(shot.target).side
            task = said("{figure} answers the shot, or not", figure=shot.target)
            for how, (text, note) in words.items():
                step = cls(figure=shot.target, shooter=shot.figure, how=how, moment=shot.moment)
                if step.settle(game, Chance("what if")).is_allowed(game):
                    yield cls.prompt(
                        text,
                        side=side,
                        task=task,
                        note=note,
                        figure=shot.target,
                        shooter=shot.figure,
                        how=how,
                        moment=shot.moment,
                    )

    @classmethod
    def moments(cls, game: MatchRoads) -> Iterator[Moment]:
        """Yield the moments for a reaction to an unannounced shot, which waits for the target's side."""
        yield from ask_targets(game)

    def side(self, game: MatchRoads) -> str | None:
        """Return the target's side; without an announced shot, the shooter's, which alone may announce one."""
        return game.piece(self.shooter if game.shot is None else self.figure).side

    def settle(self, game: MatchRoads, chance: Chance) -> Self:
        step = replace(self, roll=chance.die(), shooter_roll=chance.die()) if self.rolled_here else self
        if self.how != "take cover" or self.center_mm is not None:
            return step
        return replace(step, center_mm=_find_cover(self._then(game), self.figure))

    def check(self, game: MatchRoads) -> None:
        require(game.reaction is None, said("{figure} has reacted to this shot", figure=self.figure))
        shot = game.shot
        pair = {"figure": self.figure, "shooter": self.shooter}
        if shot is None:  # on a shared tablet a reaction announces the shot that it answers
            Shoot(figure=self.shooter, target=self.figure, moment=self.moment).check(game)
        else:
            is_this = (shot.figure, shot.target) == (self.shooter, self.figure)
            refusal = said("{shooter} announced no shot at {figure}", **pair)
            require(is_this, refusal, REACTIONS)
            require_nothing_due(game)
        stopped = said("{figure} is down or fleeing and cannot react", figure=self.figure)
        lies = said("{figure} lies in cover and only shoots this turn", figure=self.figure)
        only_shoots = Mark.PRONE in game.piece(self.figure).marks
        require(not only_shoots or self.how == "shoot first", lies, TAKE_COVER)
        require(may_react(game, self.figure), stopped)
        if self.how == "shoot first":
            refusal = said("{figure} has no weapon left to shoot with first", figure=self.figure)
            ready = has_shot_left(game, self.figure) and self._could_shoot_first(self._then(game))
            require(ready, refusal, SHOOT_FIRST)
        if self.how == "take cover":
            self._check_cover(self._then(game))

    def apply(self, game: MatchRoads) -> MatchRoads:
        total = self.roll + game.fighter(self.figure).mobility
        against = self.shooter_roll + game.fighter(self.shooter).mobility
        is_first = self.how == "shoot first" and evades(total, against)
        reaction = Reaction(figure=self.figure, shooter=self.shooter, how=self.how, total=total, is_first=is_first)
        if game.moving is not None and game.moving.figure == self.figure and self.moment is not None:
            game = at_moment(game, self.moment)
        game = replace(game, reaction=reaction)
        if self.how != "take cover":
            return game
        game = halt(game, self.figure)
        piece = game.piece(self.figure)
        center = piece.center_mm if self.center_mm is None else self.center_mm
        covered = replace(piece, center_mm=center).marked(Mark.MOVED)
        if self.center_mm is None:
            return game.with_piece(covered.marked(Mark.PRONE))
        # «То же самое случается, если модель вынуждена двигаться по любой причине» (“Дозор”, seed 003)
        return game.with_piece(covered.unmarked(Mark.WATCH))

    def _could_shoot_first(self, game: MatchRoads) -> bool:
        """Return whether it might shoot at the shooter now with any weapon that it carries."""
        reaction = Reaction(figure=self.figure, shooter=self.shooter, how=self.how, total=0, is_first=True)
        then = replace(game, reaction=reaction)
        arms = (UNNAMED, *list_weapons(game, self.figure))
        shots = (Shoot(figure=self.figure, target=self.shooter, weapon=arm) for arm in arms)
        return any(shot.supposed(then).is_allowed(then) for shot in shots)

    def _then(self, game: MatchRoads) -> MatchRoads:
        """Return the game at the moment of the shot."""
        is_moving = game.moving is not None and game.moving.figure == self.figure
        return game if not is_moving or self.moment is None else at_moment(game, self.moment)

    def _check_cover(self, game: MatchRoads) -> None:
        """Require that it ends in cover within a step, or lies down without any (“В укрытие!”)."""
        distances = game.distances()
        if distances is None or self.figure not in distances.table.figure_by_id:
            return
        figure = distances.table.figure(self.figure)
        if self.center_mm is None:
            near = said("{figure} has cover within a step and moves into it", figure=self.figure)
            require(_find_cover(game, self.figure) is None, near, TAKE_COVER)
            return
        require(not list_opponents(game, self.figure), said("{figure} is fighting", figure=self.figure), LEAVING)
        require_length(game, self.figure, (self.center_mm,), TAKE_COVER_STEPS, TAKE_COVER)
        there = moved(figure, center_mm=exact(self.center_mm))
        is_covered = any(is_within(there, piece, MEASURED_MM) for piece in list_cover(distances.table))
        bare = said("{figure} would be in no cover there; it takes cover within a step or lies down", figure=figure.id)
        require(is_covered, bare, TAKE_COVER)
        require_no_contact(game, self.figure, self.center_mm)
        require_room(game, self.figure, self.center_mm)

    def title(self, game: MatchRoads) -> Said:
        mobility = game.fighter(self.figure).mobility
        numbers = {"roll": self.roll, "mobility": mobility, "total": self.roll + mobility}
        if self.how == "duck":
            return said(
                "{figure} ducks: {roll} + {mobility} = {total}. The shot needs {total} or more",
                figure=self.figure,
                **numbers,
            )
        if self.how == "take cover":
            return said(
                "{figure} takes cover: {roll} + {mobility} = {total}. The shot needs {total} or more",
                figure=self.figure,
                **numbers,
            )
        theirs = game.fighter(self.shooter).mobility
        return said(
            "{figure} tries to shoot first: {roll} + {mobility} = {total} against {roll2} + {mobility2} = {total2}",
            figure=self.figure,
            roll2=self.shooter_roll,
            mobility2=theirs,
            total2=self.shooter_roll + theirs,
            **numbers,
        )

    def dice_shown(self, game: MatchRoads) -> tuple[ShownDie, ...]:
        faces = (self.roll, self.shooter_roll) if self.how == "shoot first" else (self.roll,)
        return tuple(
            ShownDie(str(face), whose=name) for face, name in zip(faces, (self.figure, self.shooter), strict=False)
        )
