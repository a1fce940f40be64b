"""The state of a DOOM 2016 match and the consequences that many steps share: damage, frags, healing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, Self

from msgspec import Struct
from msgspec.structs import replace

from assistant.errors import IllegalStep
from assistant.games.doom2016.match.setup import (
    Ability,
    AttackProfile,
    Card,
    DamageArea,
    DemonSetup,
    MarineLoadout,
    PickupToken,
    Portal,
    Setup2016,
)
from assistant.games.doom2016.rules.ruleset import Doom2016 as Rules
from assistant.match.chance import Chance
from assistant.match.deck import Deck, draw_to_hand
from assistant.match.game import (
    INVADER,
    MARINES,
    Cells,
    GameState,
    KeptRules,
    Mover,
    Piece,
    find_by_name,
    require,
    require_value,
)
from assistant.translations.messages import Said, counted, named, said

STUNNED = "stunned"


CLASS_EXHAUSTED = "class exhausted"
"""The mark of a marine whose class card is exhausted, until his next activation (A6)."""


INVASION = "invasion"
"""The place of argent on the invasion card, before it goes to a demon card."""


NOBODY_ACTS = said("nobody acts; reveal the next initiative card first")


Phase2016 = Literal["setup", "status", "activation", "round over"]


class DemonCard(Struct, frozen=True, kw_only=True):
    """A demon card on the invader's side of the table."""

    face_up: bool = False
    ready: bool = True
    argent: int = 0


class Activation(Struct, frozen=True, kw_only=True):
    """The running activation and its remaining options.

    For an invader's card, ``kind`` is the chosen demon card (None before), ``queue`` the figures that have not acted,
    and ``figure`` the acting one (None between two of them).
    """

    side: str
    figure: str | None = None
    kind: str | None = None
    queue: tuple[str, ...] = ()
    movement: int = 0
    lasting: int = 0
    """The part of the points that came from abilities and may outlast the activation (A9 ``ability_points``)."""
    attacks: tuple[AttackProfile, ...] = ()
    mains_used: int = 0
    in_play: tuple[str, ...] = ()
    glory: tuple[str, ...] = ()
    """Revealed glory kill cards with an unused ability."""
    events: tuple[str, ...] = ()
    """Event cards played in this activation outside an attack."""
    fell: bool = False
    """Whether the marine was fragged in this activation. He returns at the start of his next one."""
    is_reaction: bool = False
    """Whether the figure only uses a reaction's gains, within the activation of another."""

    def spend(self, points: int) -> Self:
        """Return the activation with fewer points. Points from cards go first, since they lapse sooner."""
        left = self.movement - points
        return replace(self, movement=left, lasting=min(self.lasting, left))

    def gain_lasting(self, points: int) -> Self:
        """Return the activation with an ability's points added."""
        return replace(self, movement=self.movement + points, lasting=self.lasting + points)


class ShownCard(Struct, frozen=True, kw_only=True):
    """The icons of a revealed defence card."""

    shields: int = 0
    dodge: bool = False
    special: bool = False


class PendingAttack2016(Struct, frozen=True, kw_only=True):
    """An attack between its roll and its damage, with every number and its source."""

    attacker: str
    defender: str
    dice: tuple[tuple[str, int], ...]
    cover: bool = False
    attacker_stunned: bool = False
    revealed: tuple[str, ...] = ()
    cards: tuple[ShownCard, ...] = ()
    """The icons of the revealed cards in order. The last card counts."""
    reaction_dodge: bool = False
    defended: bool = False
    in_order: bool = False
    """Whether the defence comes before the attacker's effects; false in older matches without that order."""
    effects_begun: bool = False
    """Whether the attacker has added effects (step 4), which ends the defence (step 3)."""
    played: tuple[str, ...] = ()
    """Event cards and abilities in use. No two of them may share a name (A5)."""
    dice_due: Mapping[str, int] = {}
    """Unrolled dice that effects add."""
    rerolls: int = 0
    """The number of dice that the attacker may still roll again."""
    ignores_cover: bool = False
    stuns: bool = False
    areas: tuple[DamageArea, ...] = ()
    """Damage to figures around the defender."""
    changes: tuple[tuple[str, int, int], ...] = ()
    """``(reason, change of damage, change of shields)`` of card effects, in order."""


_RULES = KeptRules(Rules)


class Match2016(GameState, frozen=True, kw_only=True):
    """The whole state of a match of DOOM 2016."""

    hides_box = (INVADER,)

    setup: Setup2016
    phase: Phase2016 = "setup"
    initiative: tuple[str, ...] = ()
    """The hidden initiative cards, in order if the program shuffled them."""
    shuffled_here: bool = True
    turn: Activation | None = None
    interrupted: Activation | None = None
    """The activation that continues when a figure has used a reaction's gains."""
    reactions_due: tuple[Activation, ...] = ()
    """Gains of reactions outside the figure's own activation, used once no attack is open (A9 ``points_outside``)."""
    kept_points: Mapping[str, int] = {}
    """Points of abilities by figure, for its next activation in this round."""
    pending: PendingAttack2016 | None = None
    decks: Mapping[str, Deck] = {}
    """Action decks by marine, the event deck under `INVADER`, and the glory kill cards under ``glory``."""
    demon_cards: Mapping[str, DemonCard] = {}
    invasion_argent: int = 0
    argent_gained: int = 0
    frags: int = 0
    objectives: int = 0
    portals: tuple[Portal, ...] = ()
    faces_shown: tuple[str, ...] = ()
    summons_due: tuple[str, ...] = ()
    threat: int = 0
    events_due: bool | None = None
    """Whether the event hand is filled only after spending threat; None in older rounds without that wait."""
    fired: tuple[str, ...] = ()
    """The mission's triggers that have happened."""
    displaced_from: Mapping[str, Cells] = {}
    """Small figures that a large one has displaced, with their former cells, until their owners place them."""
    teleporters_active: tuple[str, ...] = ()
    items: tuple[PickupToken, ...] = ()
    acted: tuple[str, ...] = ()
    """Marines that have acted in this round, by name, and demons by kind."""

    @property
    def rules(self) -> Rules:
        return _RULES.under(self.options)

    def marine_setup(self, marine_id: str) -> MarineLoadout:
        """Return a marine of the mission.

        Raises:
            UnknownName: there is no such marine.
        """
        unknown = said("there is no marine “{figure}” in this mission; choose one that is listed", figure=marine_id)
        return find_by_name(self.setup.marines, "id", marine_id, unknown)

    def demon_setup(self, kind: str) -> DemonSetup:
        """Return the demon card of a kind.

        Raises:
            UnknownName: there is no such kind.
        """
        unknown = said("there is no demon card “{kind}” in this mission; choose one that is listed", kind=kind)
        return find_by_name(self.setup.demons, "kind", kind, unknown)

    def health_of(self, piece: Piece) -> int:
        """Return the damage that takes a figure off the board."""
        if piece.side == MARINES:
            return self.marine_setup(piece.id).health
        return self.demon_setup(piece.kind).health

    def is_staggered(self, piece: Piece) -> bool:
        """Return whether a demon's remaining health is at most its stagger value (A5)."""
        if piece.side == MARINES or not piece.on_table:
            return False
        demon = self.demon_setup(piece.kind)
        return demon.health - piece.harm <= demon.stagger

    def card(self, card_id: str) -> Card:
        """Return the card of that id; a blank one if people read it at the table instead of the mission."""
        return self.setup.cards.get(card_id) or Card(name=card_id)

    def deck(self, owner: str) -> Deck:
        """Return the deck of a marine, of the invader or of the glory kills, or empty for a printed deck."""
        return self.decks.get(owner, Deck())

    def with_deck(self, owner: str, deck: Deck) -> Self:
        """Return the game with that deck changed."""
        return replace(self, decks={**self.decks, owner: deck})

    def with_demon_card(self, kind: str, card: DemonCard) -> Self:
        """Return the game with that demon card changed."""
        return replace(self, demon_cards={**self.demon_cards, kind: card})

    def kinds_on_table(self) -> tuple[str, ...]:
        """Return the kinds of demons on the board, in the mission's order."""
        there = {piece.kind for piece in self.standing(INVADER)}
        return tuple(demon.kind for demon in self.setup.demons if demon.kind in there)

    def acting(self, side: str | None = None) -> Piece:
        """Return the acting figure.

        Raises:
            IllegalStep: none acts, or not one of that side.
        """
        piece = self.piece(require_value(self.the_turn().figure, NOBODY_ACTS))
        require(
            side in (None, piece.side), said("it is the activation of {figure}; wait for the next one", figure=piece.id)
        )
        return piece

    def the_turn(self) -> Activation:
        """Return the running activation.

        Raises:
            IllegalStep: there is none.
        """
        return require_value(self.turn, NOBODY_ACTS)

    def the_attack(self) -> PendingAttack2016:
        """Return the attack that is being resolved.

        Raises:
            IllegalStep: there is none.
        """
        return require_value(self.pending, said("there is no attack to resolve; attack first"))

    @property
    def is_free(self) -> bool:
        """Whether no attack, summoning or displacement has to be finished first."""
        return self.pending is None and not self.summons_due and not self.to_displace

    @property
    def to_displace(self) -> tuple[str, ...]:
        """The displaced figures that their owners still have to place."""
        displaced = (self.piece(name) for name in self.displaced_from)
        return tuple(piece.id for piece in displaced if piece.on_table and not piece.cells)

    @property
    def free_turn(self) -> Activation | None:
        """The running activation, unless an attack or a summoning has to be finished first."""
        return self.turn if self.is_free else None

    @property
    def own_figure(self) -> Piece | None:
        """The figure that may act now in its own activation, with nothing to finish first."""
        return None if self.turn is None or self.turn.is_reaction else self.free_figure

    @property
    def free_figure(self) -> Piece | None:
        """The figure on the board that may act now, with nothing to finish first."""
        turn = self.free_turn
        piece = None if turn is None or turn.figure is None else self.piece(turn.figure)
        return piece if piece is not None and piece.on_table else None

    @property
    def is_between_turns(self) -> bool:
        """Whether the next initiative card may be revealed."""
        return self.phase in ("status", "activation") and self.turn is None and self.is_free

    def mover(self) -> Mover:
        turn = self.turn
        return Mover() if turn is None or turn.figure is None else Mover(turn.figure, turn.movement)

    def side_to_act(self) -> str | None:
        if self.winner is not None or self.phase == "setup":
            return None
        if self.to_displace:
            return self.piece(self.to_displace[0]).side
        if self.summons_due:
            return INVADER
        return INVADER if self.turn is None else self.turn.side

    def side_awaited(self) -> str | None:
        attack = self.pending
        if attack is None or attack.defended or attack.dice_due or self.summons_due or self.to_displace:
            return self.side_to_act()
        return self.piece(attack.defender).side

    def stage(self) -> Said | None:
        """Return the next stage between two activations: an initiative card, or another round."""
        if self.turn is not None or self.phase == "setup":
            return None
        return said("round {round}", round=self.round + 1) if self.phase == "round over" else said("initiative")

    def turn_name(self) -> str:
        return f"{len(self.initiative)} {self.phase} {self.turn is None}"

    def concluded(self) -> Self:
        if self.winner is not None or self.phase == "setup":
            return self
        goals = self.setup.goals
        needed = goals.frags.get(str(len(self.setup.marines)))
        if needed is not None and self.frags >= needed:
            return self.won_by(INVADER, counted("the invader has {n} frag", "the invader has {n} frags", self.frags))
        if goals.tutorial and self.doors_open and not self.summons_due and not self.standing(INVADER):
            return self.won_by(MARINES, said("a door is open and no demon is left on the board"))
        if goals.objectives and self.objectives >= goals.objectives:
            left = {item.id for item in self.items}
            fetched = [one.id for one in self.setup.items if one.kind == "objective" and one.id not in left]
            what = named(fetched)
            return self.won_by(MARINES, said("the marines have fetched every objective: {what}", what=what))
        return self._with_reaction() if self.is_free else self

    def _with_reaction(self) -> Self:
        """Return the game with the next figure on the board that may use a reaction's gains, if any."""
        due = tuple(one for one in self.reactions_due if self.piece(str(one.figure)).on_table)
        if not due or (self.turn is not None and self.turn.is_reaction):
            return self if due == self.reactions_due else replace(self, reactions_due=due)
        return replace(self, turn=due[0], interrupted=self.turn, reactions_due=due[1:])


def apply_damage(game: Match2016, piece: Piece, amount: int, chance: Chance) -> Match2016:
    """Damage a figure, which is fragged at damage equal to its health (A5)."""
    hurt = replace(piece, harm=piece.harm + amount)
    if hurt.harm < game.health_of(piece):
        return game.with_piece(hurt)
    return frag(game.with_piece(hurt), hurt, chance)


def heal(game: Match2016, piece: Piece, amount: int) -> Match2016:
    """Heal a figure, at most by its damage."""
    return game.with_piece(replace(piece, harm=max(0, piece.harm - amount)))


def frag(game: Match2016, piece: Piece, chance: Chance) -> Match2016:
    """Remove a fragged figure. A marine costs a frag token and renews his deck; a demon may turn its card face down.

    An attack by it or against it ends, and its saved points are lost.
    """
    kept = {name: points for name, points in game.kept_points.items() if name != piece.id}
    game = replace(game, kept_points=kept)
    if game.pending is not None and piece.id in (game.pending.attacker, game.pending.defender):
        game = replace(game, pending=None)
    if piece.side == MARINES:
        return _frag_marine(game, piece, chance)
    game = game.with_piece(piece.gone())
    if piece.kind not in game.kinds_on_table():
        game = game.with_demon_card(piece.kind, replace(game.demon_cards[piece.kind], face_up=False))
    return _in_activations(
        game, lambda turn: replace(turn, queue=tuple(name for name in turn.queue if name != piece.id))
    )


def require_step_of(game: Match2016, side: str) -> None:
    """Require that a side may change the open attack now: the defence comes first, then the attacker's effects.

    Raises:
        IllegalStep: the attacker acts before the defence card, or the defender after the attacker's effects.
    """
    attack = game.pending
    if attack is None or not attack.in_order:
        return
    if side == game.piece(attack.attacker).side:
        require(attack.defended, said("the defence comes first: reveal the defence card"))
    else:
        require(not attack.effects_begun, said("the attacker adds effects now; the defence is over"))


def begin_step_of(game: Match2016, side: str) -> Match2016:
    """Return the game after a side has changed the open attack. The attacker's first change ends the defence."""
    attack = game.pending
    if attack is None or side != game.piece(attack.attacker).side:
        return game
    return replace(game, pending=replace(attack, effects_begun=True))


def find_abilities(game: Match2016, piece: Piece) -> tuple[Ability, ...]:
    """Return the abilities of a marine, or of a demon by its card."""
    return game.marine_setup(piece.id).abilities if piece.side == MARINES else game.demon_setup(piece.kind).abilities


def require_own_activation(game: Match2016) -> None:
    """Refuse options of a figure's own activation while it only uses a reaction's gains.

    Raises:
        IllegalStep: it is the activation of another figure.
    """
    turn, owner = game.turn, game.interrupted
    if turn is not None and turn.is_reaction:
        name = None if owner is None else owner.figure or owner.kind
        text = said("{figure} reacts in the activation of {other}", figure=str(turn.figure), other=str(name))
        raise IllegalStep(text)


def require_free_hands(game: Match2016) -> None:
    """Refuse a step while an attack is open, a summoning is due, or a figure is displaced.

    Raises:
        IllegalStep: one of them is pending.
    """
    require(game.pending is None, said("finish the attack first"))
    require(not game.summons_due, said("the invader has to summon first"))
    waiting = named(game.to_displace)
    require(not game.to_displace, said("{figures}: displaced; their owners choose a cell first", figures=waiting))


def _frag_marine(game: Match2016, piece: Piece, chance: Chance) -> Match2016:
    game = replace(game.with_piece(piece.gone()), frags=game.frags + 1)
    own = [turn for turn in (game.turn, game.interrupted) if turn is not None and turn.figure == piece.id]
    played = [card for turn in own for card in turn.in_play] if piece.id in game.decks else []
    game = _in_activations(game, lambda turn: _fallen(turn) if turn.figure == piece.id else turn)
    if piece.id in game.decks:
        deck = game.deck(piece.id).discarding(*played)  # his freshly played cards count too (A5: all)
        hand = game.marine_setup(piece.id).hand
        game = game.with_deck(piece.id, draw_to_hand(deck.renewed(chance), hand, chance).deck)
    return game


def _fallen(turn: Activation) -> Activation:
    return replace(turn, fell=True, in_play=())


def _in_activations(game: Match2016, change: Callable[[Activation], Activation]) -> Match2016:
    """Apply a change to the running activation, and to one that a reaction has interrupted."""
    turn, interrupted = game.turn, game.interrupted
    return replace(
        game,
        turn=None if turn is None else change(turn),
        interrupted=None if interrupted is None else change(interrupted),
    )
