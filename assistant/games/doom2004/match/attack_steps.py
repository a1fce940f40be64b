"""An attack of DOOM 2004 step by step (rules B2, B5): roll, re-roll, hit, wounds, ammunition, scatter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, Self

from msgspec.structs import replace

from assistant.games.doom2004.match.attack_rules import (
    DROPPED,
    EMPTY_SPACE,
    Dropped,
    aim_at,
    count_wounds,
    damage_of,
    find_blow_through,
    find_hit,
    find_space,
    form_of,
    leave_out_die,
    require_attack,
    require_blow_through,
    require_next,
    resolve_attack,
    word_result,
)
from assistant.games.doom2004.match.moments import ask_after_token, ask_in_attack
from assistant.games.doom2004.match.setup import CellPair, FaceSetup
from assistant.games.doom2004.match.state import (
    AIM,
    GUARD,
    Match2004,
    PendingAttack2004,
    apply_draw,
    apply_wounds,
    may_use_order,
    require_no_attack,
)
from assistant.games.doom2004.rules import attack as rules
from assistant.games.doom2004.rules.areas import scatter, turn_direction
from assistant.match.asks import Ask, Asks, Draft, Pick, ask_figure, ask_range, ask_thing
from assistant.match.chance import Chance
from assistant.match.deck import draw_cards
from assistant.match.game import (
    INVADER,
    MARINES,
    Cells,
    Count,
    Moment,
    Name,
    Piece,
    Prompt,
    SaltedStep,
    ShownDie,
    Step,
    require,
    roll_face,
)
from assistant.match.ground import board_of
from assistant.rules.reasons import Rule
from assistant.translations.messages import Said, color_in_words, counted, dice_in_words, message, named, said, said_in

TypedFace = tuple[Name, FaceSetup]


ATTACK_RULE = Rule(
    "doom2004/attack",
    message("Rules, “Aggressor”"),
    message("An attack names a space in sight, with a weapon that is at hand and has ammunition."),
)
SCATTER_RULE = Rule(
    "doom2004/missed-blast",
    message("Rules, “Scatter”"),
    message("The drawn card, laid by the compass, says where a missed blast lands."),
)


class Attack2004(Step[Match2004], frozen=True, kw_only=True, tag="attack"):
    """The acting figure attacks a space, or a marine on guard interrupts the invader's turn.

    ``space`` names the space, which may be empty. Alternatively, ``targets`` names the figure, and all others in a
    blast; on a seen table the program finds those. ``aimed`` uses up the order to aim. People type ``range`` if the
    camera sees no table, and the faces of real dice as ``[colour, {range, damage, ammo, miss}]`` with ``rolled_here``
    false. ``drop`` continues an attack that blows through: it leaves out one die of that colour, and the next space is
    beside the last one.
    """

    rule = ATTACK_RULE
    label = said("Shoot on guard")
    reveals = True
    targets: Annotated[tuple[Name, ...], Asks(_whom)] = ()
    space: CellPair | None = None
    weapon: Annotated[str | None, Asks(_which_weapon)] = None
    guard: Annotated[str | None, Asks(_who_guards)] = None
    aimed: Annotated[bool, Asks(_whether_aimed)] = False
    drop: Annotated[Dropped | None, Asks(_which_die_to_drop)] = None
    rolled_here: bool = True
    dice: tuple[TypedFace, ...] = ()
    range: Annotated[Count | None, Asks(_how_far)] = None
    needs_sight: bool = True
    ruling: dict[str, Any] | None = None

    @classmethod
    def moments(cls, game: Match2004) -> Iterator[Moment]:
        return ask_after_token(game)

    @classmethod
    def prompts(cls, game: Match2004) -> Iterator[Prompt]:
        piece = game.free_to_act()
        if piece is not None and game.through is not None:
            yield cls.prompt(said("Blow through into an adjacent space"), side=MARINES, weapon=game.through.weapon)
        if piece is not None and game.the_turn().attacks:
            yield cls.prompt(said_in("command", "Attack"), side=piece.side)
        if _may_guard(game):
            for guard in game.standing(MARINES):
                if GUARD in guard.marks:
                    text = said("{figure} guards: attack first", figure=guard.id)
                    yield cls.prompt(text, side=MARINES, urgency=-1, guard=guard.id)

    def rests_on_people(self, game: Match2004) -> bool:
        return not self.needs_sight

    @classmethod
    def word_nothing(cls, game: Match2004) -> Said | None:
        return said("No target in sight and in range.")

    def side(self, game: Match2004) -> str | None:
        if self.guard is not None or self.drop is not None:
            return MARINES
        return None if game.turn is None else game.piece(game.turn.figure).side

    def settle(self, game: Match2004, chance: Chance) -> Self:
        step, attacker = self, self._attacker(game)
        names_each_once = len(set(self.targets)) == len(self.targets)
        if game.ground and attacker.on_table and names_each_once and (self.targets or self.space is not None):
            first = self.targets[0] if self.targets else None
            aim = aim_at(game, attacker.id, first, self.space, form_of(game, attacker, self.weapon).blast)
            step = replace(step, ruling=aim.ruling, range=aim.range, targets=aim.targets)
        if not self.rolled_here:
            return step
        colors = sorted(Counter(dict(self._dice(game, attacker))).elements())
        return replace(step, dice=tuple((color, roll_face(game.setup.dice, color, chance)) for color in colors))

    def check(self, game: Match2004) -> None:
        attacker = self._attacker(game)
        if not self._interrupts(game):
            require_no_attack(game)
        require(attacker.on_table, said("{figure} is not on the board", figure=attacker.id))
        require(bool(self.targets) or self.space is not None, said("say which space or figure is attacked"))
        require_each_once(self.targets)
        if self.drop is not None:
            through = require_blow_through(game)
            require(
                self.weapon == through.weapon and self.guard is None,
                said("blow through with {weapon}, without a guard", weapon=through.weapon),
            )
            require_next(game, through, self.targets[0] if self.targets else None, self._cells(game))
        elif self.guard is None:
            require(
                game.the_turn().action is not None, said("declare the action first: sprint, unload, advance or ready")
            )
            require(game.the_turn().attacks > 0, said("no attack is left in this turn"))
        else:
            require(
                game.phase != "marine" and GUARD in attacker.marks,
                said("{attacker} does not guard now", attacker=attacker.id),
            )
        for name in self.targets:
            require(game.piece(name).on_table, said("{figure} is not on the board", figure=name))
        self._check_weapon(game, attacker)
        self._check_sight(game, attacker)

    def apply(self, game: Match2004) -> Match2004:
        attacker = self._attacker(game)
        if self.guard is not None:
            game = game.with_piece(attacker.unmarked(GUARD))
        elif self.drop is None:
            turn = game.the_turn()
            movement = 0 if turn.one_of_both else turn.movement
            game = replace(game, turn=replace(turn, attacks=turn.attacks - 1, movement=movement, took=False))
        if self.aimed:
            game = game.with_piece(game.piece(attacker.id).unmarked(AIM))
        pending = PendingAttack2004(
            attacker=attacker.id,
            targets=self.targets,
            weapon=self.weapon,
            range=0 if self.space is not None and self.space in attacker.cells else self.range or 1,
            dice=self.dice,
            blast=form_of(game, attacker, self.weapon).blast,
            aimed=self.aimed,
            went_through=() if self.drop is None else require_blow_through(game).done,
            space=self._space(game),
        )
        held = game.pending if self._interrupts(game) else game.held
        return replace(game, pending=pending, held=held, through=None)

    def title(self, game: Match2004) -> Said:
        attacker = self._attacker(game).id
        targets = named(self.targets) if self.targets else said("the space {space}", space=str(list(self.space or ())))
        if self.weapon:
            return said(
                "{attacker} attacks {targets} with {weapon}", attacker=attacker, targets=targets, weapon=self.weapon
            )
        return said("{attacker} attacks {targets}", attacker=attacker, targets=targets)

    def dice_shown(self, game: Match2004) -> tuple[ShownDie, ...]:
        return tuple(ShownDie(face.text, color, face.words) for color, face in self.dice)

    def _interrupts(self, game: Match2004) -> bool:
        """Return whether a marine on guard goes before an invader's announced attack, even after its roll.

        “the event card always receives precedence as long as the invader player declares his intent to play the event
        card in a timely fashion. This is also true for the marine guard order.” (seed 004)
        """
        attack = game.pending
        if self.guard is None or attack is None or game.held is not None or attack.scatters:
            return False
        return game.piece(attack.attacker).side != MARINES

    def _space(self, game: Match2004) -> CellPair | None:
        """Return the space under attack, if known."""
        if self.space is not None or self.ruling is None:
            return self.space
        return find_space(game, self.ruling)

    def _cells(self, game: Match2004) -> Cells:
        """Return the spaces of the target, or the empty space."""
        return game.piece(self.targets[0]).cells if self.targets else (self.space,) if self.space else ()

    def _dice(self, game: Match2004, attacker: Piece) -> Mapping[str, int]:
        if self.drop is not None:
            return leave_out_die(require_blow_through(game), self.drop)
        return form_of(game, attacker, self.weapon).dice

    def _attacker(self, game: Match2004) -> Piece:
        if self.drop is not None:
            return game.piece(require_blow_through(game).attacker)
        return game.acting() if self.guard is None else game.piece(self.guard)

    def _check_weapon(self, game: Match2004, attacker: Piece) -> None:
        form = form_of(game, attacker, self.weapon)
        require(len(self.targets) <= 1 or form.blast > 0, said("only a blast hits more than one figure"))
        enemy = not self.targets or game.piece(self.targets[0]).side != attacker.side
        may = enemy or form.blast > 0 or game.rules.options["friendly_fire"] == "allowed"
        require(may, said("attack an enemy; the house rules allow no attack on a friend"))
        require(not self.aimed or AIM in attacker.marks, said("{attacker} has no order to aim", attacker=attacker.id))
        late = said("{figure} has placed that order in this turn; the house lets him use it later", figure=attacker.id)
        require(not self.aimed or may_use_order(game, attacker.id, AIM), late)
        rolled = Counter(color for color, _ in self.dice)
        dice = self._dice(game, attacker)
        require(rolled == Counter(dict(dice)), said("roll these dice: {dice}", dice=dice_in_words(dice)))
        if form.ammo is not None:
            left = game.equipment[attacker.id].ammo.get(form.ammo, 0)
            require(
                left > 0,
                said(
                    "{attacker} has no {ammo} left for {weapon}",
                    attacker=attacker.id,
                    ammo=form.ammo,
                    weapon=self.weapon,
                ),
            )

    def _check_sight(self, game: Match2004, attacker: Piece) -> None:
        target = self.targets[0] if self.targets else EMPTY_SPACE
        require(
            self.range is not None,
            said(
                "no path leads from {attacker} to {target}; the range is unknown", attacker=attacker.id, target=target
            ),
        )
        if self.ruling is not None and self.needs_sight and self.drop is None:  # it follows the shot before it
            require(
                bool(self.ruling["line_of_sight"]),
                said("{attacker} does not see {target}", attacker=attacker.id, target=target),
            )
        melee = form_of(game, attacker, self.weapon).melee
        require(not melee or self.range == 1, said("a melee attack needs an adjacent target"))


def require_each_once(figures: tuple[str, ...]) -> None:
    """Refuse a figure named twice: an attack hits each figure once (B5).

    Raises:
        IllegalStep: a figure is named twice.
    """
    require(len(set(figures)) == len(figures), said("an attack hits each figure once; name each figure once"))


class ResolveWounds(SaltedStep[Match2004], frozen=True, kw_only=True, tag="resolve"):
    """Apply the result: wounds on a hit, and a token of ammunition if a bullet shows.

    A missed blast draws the top card of the invader's deck (``draws``), and the step ``scatter`` lands it. Older
    matches have ``scatters`` instead, and ``hit`` names the figures beforehand.
    """

    rule = ATTACK_RULE
    hit: tuple[Name, ...] = ()
    scatters: bool = False
    draws: bool = False
    renews: bool | None = None
    """Whether the discards become the new deck at once after its last card; None in older matches."""

    filled_later = frozenset({"renews"})

    @classmethod
    def moments(cls, game: Match2004) -> Iterator[Moment]:
        return ask_in_attack(game)

    @classmethod
    def prompts(cls, game: Match2004) -> Iterator[Prompt]:
        attack = game.pending
        if game.moment == "attack" and attack is not None and not attack.scatters:
            yield cls.prompt(_word_hit(game, attack), note=word_result(game, attack))

    def has_revealed(self) -> bool:
        return self.scatters or self.draws  # wounds alone reveal nothing, so they can be undone

    def settle(self, game: Match2004, chance: Chance) -> Self:
        attack, salted = game.pending, super().settle(game, chance)
        is_blast = attack is not None and attack.blast > 0
        misses = is_blast and not resolve_attack(game, require_attack(game)).outcome.hits
        # An older match's event with “scatters” keeps it in a replay.
        return salted if self.scatters and misses else replace(salted, scatters=False, draws=misses, renews=misses)

    def check(self, game: Match2004) -> None:
        attack = require_attack(game)
        require(not attack.scatters, said("the card is drawn; say where the shot lands"))
        require(
            attack.may_reroll is None or attack.dodger is None,
            said("{figure} has to choose dice first", figure=attack.dodger),
        )
        require(not self.hit or self.scatters, said("draw the card first: it says which figures the shot hits"))
        require_each_once(self.hit)
        for name in self.hit:
            require(game.piece(name).on_table, said("{figure} is not on the board", figure=name))

    def apply(self, game: Match2004) -> Match2004:
        attack = require_attack(game)
        outcome = resolve_attack(game, attack).outcome
        game = _spend_ammo(game, attack) if outcome.spends_ammo else game
        if not (self.scatters or self.draws):
            return end_attack(game, attack, attack.targets if outcome.hits else ())
        draw = draw_cards(game.deck, 1, self.chance)
        deck = draw.deck.discarding(*draw.cards)
        if self.renews and not deck.pile:
            # “The drawn invader card is discarded after use. If this was the last card in the deck, the invader player
            # scores an automatic frag point, and then reshuffles the discard pile into a new invader deck.” (seed 004)
            deck = replace(deck, pile=self.chance.shuffled(deck.discard), discard=())
        game = apply_draw(game, draw._replace(deck=deck))
        if self.scatters:
            return end_attack(game, attack, self.hit)
        card = draw.cards[0] if draw.cards else None
        return replace(game, pending=replace(attack, scatters=True, scatter_card=card))

    def title(self, game: Match2004) -> Said:
        attack = require_attack(game)
        outcome = resolve_attack(game, attack).outcome
        if not outcome.hits:
            sum_ = word_result(game, attack)
            return said("The attack of {attacker} misses: {sum}", attacker=attack.attacker, sum=sum_)
        if not attack.targets:
            return said("{attacker} hits the empty space", attacker=attack.attacker)
        sum_, targets = word_result(game, attack), named(attack.targets)
        return said("{attacker} hits {targets}: {sum}", attacker=attack.attacker, targets=targets, sum=sum_)


def _word_hit(game: Match2004, attack: PendingAttack2004) -> Said:
    """Return the effect of the attack on its targets, in words."""
    if not resolve_attack(game, attack).outcome.hits:
        return said("The attack misses: go on")
    wounds = [count_wounds(game, attack, name) for name in attack.targets]
    if not wounds:
        return said("The attack hits for {damage} damage: apply it", damage=damage_of(game, attack))
    if not any(wounds):
        return said("A hit, but the armour of {targets} holds: go on", targets=named(attack.targets))
    if len(wounds) > 1:
        return said("The attack hits {targets}: apply it", targets=named(attack.targets))
    target = attack.targets[0]
    return counted(
        "{target} takes {n} wound: apply it", "{target} takes {n} wounds: apply it", wounds[0], target=target
    )


def end_attack(game: Match2004, attack: PendingAttack2004, hit: tuple[str, ...]) -> Match2004:
    """Return the game after an attack that damages these figures, each by its own armour (B5)."""
    stood: Cells = (attack.space,) if attack.space is not None else ()
    if attack.first_target is not None:
        stood = game.piece(attack.first_target).cells
    held = game.held
    game = replace(game, pending=None, held=None)
    for name in hit:
        piece = game.piece(name)
        if piece.on_table:
            game = apply_wounds(game, piece, rules.count_wounds(damage_of(game, attack), game.armor_of(piece)))
    if held is not None and game.piece(held.attacker).on_table:
        return replace(game, pending=held, through=None)
    return replace(game, through=find_blow_through(game, attack, stood))


def _spend_ammo(game: Match2004, attack: PendingAttack2004) -> Match2004:
    attacker = game.piece(attack.attacker)
    form = form_of(game, attacker, attack.weapon)
    assert form.ammo is not None, "only weapons with ammunition use it up"
    carried = game.equipment[attacker.id]
    ammo = {**carried.ammo, form.ammo: max(0, carried.ammo.get(form.ammo, 0) - 1)}
    return game.with_equipment(attacker.id, replace(carried, ammo=ammo))


Direction = Literal["up", "up-right", "right", "down-right", "down", "down-left", "left", "up-left"]

DIRECTIONS: Mapping[Direction, CellPair] = {
    "up": (0, -1),
    "up-right": (1, -1),
    "right": (1, 0),
    "down-right": (1, 1),
    "down": (0, 1),
    "down-left": (-1, 1),
    "left": (-1, 0),
    "up-left": (-1, -1),
}
"""The eight directions on the board; up is towards row 0."""


class LandShot(Step[Match2004], frozen=True, kw_only=True, tag="scatter"):
    """The shot lands by the drawn card and hits the figures there.

    The program aligns the card with the compass and counts on the table. If the mission lacks the diagram, people type
    ``direction`` and ``distance`` from the aligned card (nothing for the miss icon). If the camera sees no table,
    ``hit`` names the figures.
    """

    rule = SCATTER_RULE
    label = said("Where the shot lands")
    direction: Direction | None = None
    distance: Count = 0
    hit: tuple[Name, ...] = ()
    lands: CellPair | None = None

    @classmethod
    def prompts(cls, game: Match2004) -> Iterator[Prompt]:
        if game.moment == "attack" and game.pending is not None and game.pending.scatters:
            yield cls.prompt(word_landing(game, game.pending))

    def settle(self, game: Match2004, chance: Chance) -> Self:
        attack = game.pending
        if attack is None or not attack.scatters:
            return self
        step = self
        if not is_diagram_typed(game, attack):
            arrow = game.setup.cards[str(attack.scatter_card)].arrow
            turned = None if arrow is None else _lay_by_compass(arrow[0], game.setup.compass)
            step = replace(self, direction=turned, distance=0 if arrow is None else arrow[1])
        if step.direction is None:
            return replace(step, hit=(), lands=None)
        if not game.ground or attack.space is None:
            return replace(step, lands=None)
        lands = scatter(game.rules.on(board_of(game)), attack.space, DIRECTIONS[step.direction], step.distance)
        return replace(step, lands=lands, hit=() if lands is None else find_hit(game, lands, attack.blast))

    def check(self, game: Match2004) -> None:
        require(require_attack(game).scatters, said("no shot has to land now; apply the attack first"))
        require_each_once(self.hit)
        for name in self.hit:
            require(game.piece(name).on_table, said("{figure} is not on the board", figure=name))

    def apply(self, game: Match2004) -> Match2004:
        return end_attack(game, require_attack(game), self.hit)

    def title(self, game: Match2004) -> Said:
        if self.hit:
            return said("The shot lands elsewhere and hits {figures}", figures=named(self.hit))
        return said("The shot explodes harmlessly")


def is_diagram_typed(game: Match2004, attack: PendingAttack2004) -> bool:
    """Return whether people read the diagram off the card: none was drawn here, or the mission's diagram is faulty."""
    card = game.setup.cards.get(attack.scatter_card or "")
    return card is None or (card.scatter is not None and card.arrow is None)


def _lay_by_compass(direction: CellPair, quarter_turns: int) -> Direction:
    turned = turn_direction(direction, quarter_turns)
    return next(name for name, step in DIRECTIONS.items() if step == turned)


def word_landing(game: Match2004, attack: PendingAttack2004) -> Said:
    """Return the prompt for the card drawn for a missed blast."""
    if attack.scatter_card is None:
        return said("Say where the shot lands")
    return said("The shot lands by the card {card}", card=game.setup.cards[attack.scatter_card].name)


def _may_guard(game: Match2004) -> bool:
    """Return whether marines on guard may attack now: in the invader's activations, and before his attacks."""
    if game.phase == "marine":
        return False
    attack = game.pending
    if game.moment == "attack" and attack is not None:
        return game.piece(attack.attacker).side == INVADER and game.held is None and not attack.scatters
    return game.moment in ("between", "turn")


def _whom(draft: Draft[Match2004]) -> Ask | None:
    # People choose an empty space in the attack assistant.
    game, fields = draft.game, draft.fields
    if fields.get("targets") or fields.get("space") is not None:
        return None
    guard = fields.get("guard")
    attacker = game.pieces.get(str(guard)) if guard or game.turn is None else game.piece(game.turn.figure)
    side = MARINES if attacker is None else attacker.side
    others = [piece for piece in game.standing() if attacker is None or piece.id != attacker.id]
    if game.rules.options["friendly_fire"] == "refused":
        others = [piece for piece in others if piece.side != side]
    names = [piece.id for piece in sorted(others, key=lambda piece: piece.side == side)]
    picks = tuple(Pick(value=[name], text=named([name]), figure=name) for name in names)
    return Ask(field="targets", kind="figure", text=said("Whom?"), picks=picks)


def _who_guards(draft: Draft[Match2004]) -> Ask | None:
    # During a turn, a marine on guard has a prompt of his own.
    if draft.game.turn is not None:
        return None
    guards = (piece.id for piece in draft.game.standing(MARINES) if GUARD in piece.marks)
    return ask_figure("guard", said("Who shoots on guard?"), guards)


def _which_weapon(draft: Draft[Match2004]) -> Ask | None:
    # Invaders have one attack each.
    game = draft.game
    attacker = draft.fields.get("guard") or (None if game.turn is None else game.turn.figure)
    if attacker not in game.equipment:
        return None
    carried, piece = game.equipment[str(attacker)], game.piece(str(attacker))
    picks = []
    for name in carried.weapons:
        ammo = form_of(game, piece, name).ammo
        left = None if ammo is None else said("{kind}: {count}", kind=ammo, count=carried.ammo.get(ammo, 0))
        picks.append(Pick(value=name, text=named([name]), note=left))
    return Ask(field="weapon", kind="thing", text=said("With which weapon?"), picks=tuple(picks))


def _whether_aimed(draft: Draft[Match2004]) -> Ask | None:
    turn = draft.game.turn
    if turn is None or not may_use_order(draft.game, turn.figure, AIM):
        return None
    return ask_thing("aimed", said("Use the order to aim?"), ((True, said("yes")), (False, said("no"))))


def _which_die_to_drop(draft: Draft[Match2004]) -> Ask | None:
    through, fields = draft.game.through, draft.fields
    if through is None or fields.get("weapon") != through.weapon or "drop" in fields:
        return None
    left = [color for color in DROPPED if through.dice.get(color)]
    return ask_thing("drop", said("Die to leave out"), ((color, color_in_words(color)) for color in left))


def _how_far(draft: Draft[Match2004]) -> Ask | None:
    return ask_range(draft.game)
