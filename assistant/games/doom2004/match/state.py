"""The state of a DOOM 2004 match, its start, and the effects that many steps share: wounds, frags, drawn cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Self

from msgspec import Struct
from msgspec.structs import replace

from assistant.errors import BadValue
from assistant.games.doom2004.match.setup import (
    BULLETS,
    KITS,
    START_HAND,
    BoardToken,
    FaceSetup,
    InvaderSetup,
    Kit,
    MarineSetup,
    Setup2004,
)
from assistant.games.doom2004.rules.ruleset import Doom2004 as Rules
from assistant.match.chance import Chance
from assistant.match.deck import Deck, DrawResult, draw_cards, draw_to_hand
from assistant.match.game import (
    INVADER,
    MARINES,
    SET_UP,
    GameState,
    KeptRules,
    Mover,
    Piece,
    find_by_name,
    require,
    require_names_once,
    require_value,
)
from assistant.table.lattice import Cell
from assistant.translations.messages import Said, counted, named, said, said_in

Phase2004 = Literal["setup", "marine", "draw", "spawn", "activate"]
Waiting = Literal["setup", "area", "attack", "card", "draw", "spawn", "between", "turn"]
Order = Literal["aim", "dodge", "guard", "heal"]

AIM, DODGE, GUARD, HEAL = "aim", "dodge", "guard", "heal"
ORDERS: Mapping[str, Said] = {
    AIM: said_in("order", "aim"),
    DODGE: said_in("order", "dodge"),
    GUARD: said_in("order", "guard"),
    HEAL: said_in("order", "heal"),
}
"""The orders that a marine can place, in words."""


class Equipment(Struct, frozen=True, kw_only=True):
    """A marine's armour, ammunition tokens, weapons, face-up cards, and wounds at full health."""

    wounds: int
    armor: int
    ammo: Mapping[str, int]
    weapons: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()


class Turn2004(Struct, frozen=True, kw_only=True):
    """The running turn of a marine or activation of an invader. ``action`` is None before its declaration."""

    figure: str
    action: str | None = None
    movement: int = 0
    attacks: int = 0
    order_left: bool = False
    placed: str | None = None
    """The order that the marine has placed in this turn."""
    has_moved: bool = False
    took: bool = False
    """Whether the marine's last step was to pick up a token."""
    one_of_both: bool = False
    """With Ready a marine moves *or* attacks: either uses up the other."""
    by_card: bool = False
    """Whether an event card lets the invader act."""
    hurt_by_obstacle: bool = False
    """Whether a large figure has taken its one wound from damaging obstacles in this move."""
    stood: tuple[tuple[int, int], ...] = ()
    """The last empty spaces under the figure, while it stands in a friend's."""


class PendingAttack2004(Struct, frozen=True, kw_only=True):
    """An attack between its roll and its wounds. ``targets`` lists all figures that a hit would wound."""

    attacker: str
    targets: tuple[str, ...]
    weapon: str | None
    range: int
    dice: tuple[tuple[str, FaceSetup], ...]
    blast: int = 0
    aimed: bool = False
    dodger: str | None = None
    rerolled: bool = False
    first_dice: tuple[tuple[str, FaceSetup], ...] = ()
    """The dice before an aimed re-roll that gave the defender no chance to dodge. A dodge brings them back."""
    space: tuple[int, int] | None = None
    """The space under attack, or None if the camera saw no table."""
    scatter_card: str | None = None
    """The card drawn for a missed blast. Its diagram determines where the shot lands."""
    scatters: bool = False
    """Whether a missed blast still has to land. Rolls and changes are over then."""
    went_through: tuple[str, ...] = ()
    """The figures that this attack has already blown through."""
    changes: tuple[tuple[str, int, int], ...] = ()
    """``(reason, change of range, change of damage)`` by cards and abilities, in order."""

    @property
    def first_target(self) -> str | None:
        """The figure on the space under attack, or None for an empty space."""
        return self.targets[0] if self.targets else None

    @property
    def may_reroll(self) -> str | None:
        """The side with an open re-roll, ``attacker`` or ``defender``, or None. Aim and dodge cancel out (B5)."""
        if self.rerolled or self.scatters or (self.aimed and self.dodger is not None):
            return None
        if self.aimed:
            return "attacker"
        return "defender" if self.dodger is not None else None


class Through(Struct, frozen=True, kw_only=True):
    """An attack that blows through: the dice of its last step, and the figures attacked, in order.

    ``last_cells`` are the last figure's cells, since the figure itself may be gone.
    """

    attacker: str
    weapon: str
    dice: Mapping[str, int]
    done: tuple[str, ...]
    last_cells: tuple[tuple[int, int], ...]


_RULES = KeptRules(Rules)


class Match2004(GameState, frozen=True, kw_only=True):
    """The whole state of a running match."""

    setup: Setup2004
    phase: Phase2004 = "setup"
    turn: Turn2004 | None = None
    interrupted: Turn2004 | None = None
    """A marine's turn that continues after an invader's activation by an event card."""
    pending: PendingAttack2004 | None = None
    held: PendingAttack2004 | None = None
    """An invader's attack that a guarding marine interrupts. It continues if its attacker survives."""
    areas_due: tuple[str, ...] = ()
    """The areas behind opened doors that the invader still has to lay out."""
    areas_shown: tuple[str, ...] = ()
    card_activations: int = 0
    """The number of further invaders that an event card lets act at once."""
    card_acted: tuple[str, ...] = ()
    """The invaders that have acted by that card."""
    through: Through | None = None
    """The blow-through that the last attack allows, until another step continues the turn."""
    equipment: Mapping[str, Equipment] = {}
    deck: Deck = Deck()
    marine_deck: Deck = Deck()
    spawned: bool = False
    frags: int = 0
    keys: tuple[str, ...] = ()
    items: tuple[BoardToken, ...] = ()
    acted: tuple[str, ...] = ()
    """The marines that had their turn in this round, and the invaders already activated."""

    @property
    def rules(self) -> Rules:
        return _RULES.under(self.options)

    @property
    def kit(self) -> Kit:
        return KITS[len(self.setup.marines)]

    def marine_setup(self, marine_id: str) -> MarineSetup:
        """Return a marine of the scenario.

        Raises:
            UnknownName: there is no such marine.
        """
        unknown = said("there is no marine “{figure}” in this scenario; choose one that is listed", figure=marine_id)
        return find_by_name(self.setup.marines, "id", marine_id, unknown)

    def invader_setup(self, kind: str) -> InvaderSetup:
        """Return a kind of invader on the reference sheet.

        Raises:
            UnknownName: there is no such kind.
        """
        unknown = said("there is no invader “{kind}” in this scenario; choose one that is listed", kind=kind)
        return find_by_name(self.setup.invaders, "kind", kind, unknown)

    def wounds_of(self, piece: Piece) -> int:
        """Return the number of wounds that takes a figure off the board."""
        if piece.side == MARINES:
            return self.equipment[piece.id].wounds
        return self.invader_setup(piece.kind).wounds

    def armor_of(self, piece: Piece) -> int:
        if piece.side == MARINES:
            return self.equipment[piece.id].armor
        return self.invader_setup(piece.kind).armor

    @property
    def damaging(self) -> frozenset[Cell]:
        """The spaces with damaging obstacles in all areas on the table."""
        shown = (cell for area in self.setup.areas if area.id in self.areas_shown for cell in area.damaging)
        return frozenset((*self.setup.damaging, *shown))

    def with_equipment(self, marine_id: str, equipment: Equipment) -> Self:
        return replace(self, equipment={**self.equipment, marine_id: equipment})

    @property
    def due_by_card(self) -> tuple[str, ...]:
        """The invaders that may act next by an event card, unless the invader declines, or none while one acts."""
        if not self.card_activations or self.winner is not None:
            return ()
        if self.turn is not None and self.turn.by_card:
            return ()
        busy = (*self.card_acted, "" if self.turn is None else self.turn.figure)
        return tuple(piece.id for piece in self.standing(INVADER) if piece.id not in busy)

    def in_passing(self) -> frozenset[str]:
        return frozenset(turn.figure for turn in (self.turn, self.interrupted) if turn is not None)

    def list_shared(self, figure: str) -> tuple[str, ...]:
        """Return the friends whose spaces a figure shares in the middle of its move."""
        own = set(self.piece(figure).cells)
        return tuple(other.id for other in self.standing() if other.id != figure and not own.isdisjoint(other.cells))

    @property
    def moment(self) -> Waiting:
        """The most urgent open decision; “between” means between two activations of the invader."""
        if self.phase == "setup":
            return "setup"
        if self.areas_due:
            return "area"
        if self.pending is not None:
            return "attack"
        if self.due_by_card:
            return "card"
        if self.turn is None and self.phase in ("draw", "spawn"):
            return self.phase
        return "between" if self.turn is None else "turn"

    def free_to_act(self) -> Piece | None:
        """Return the figure that may continue its turn now: on the board, its action declared, nothing more urgent."""
        if self.moment != "turn" or self.the_turn().action is None:
            return None
        return self.acting() if self.acting().on_table else None

    def acting(self) -> Piece:
        """Return the figure whose turn or activation is running.

        Raises:
            IllegalStep: none is running.
        """
        return self.piece(self.the_turn().figure)

    def the_turn(self) -> Turn2004:
        """Return the running turn or activation.

        Raises:
            IllegalStep: there is none.
        """
        return require_value(self.turn, said("nobody is acting now; begin the next turn or activation first"))

    def mover(self) -> Mover:
        # A marine's points are unknown before he declares his action.
        turn = self.turn
        if turn is None:
            return Mover()
        is_open = turn.action is None and self.piece(turn.figure).side == MARINES
        return Mover(turn.figure, None if is_open else turn.movement)

    def side_to_act(self) -> str | None:
        if self.winner is not None or self.phase == "setup":
            return None
        if self.areas_due or self.due_by_card:
            return INVADER
        return MARINES if self.phase == "marine" and self.interrupted is None else INVADER

    def side_awaited(self) -> str | None:
        attack = self.pending
        if attack is None or attack.may_reroll != "defender" or attack.dodger is None or self.winner is not None:
            return self.side_to_act()
        return self.piece(attack.dodger).side

    def turn_name(self) -> str:
        turn = self.interrupted or self.turn
        return turn.figure if self.phase == "marine" and turn is not None else INVADER

    def concluded(self) -> Self:
        goals = self.setup.goals
        if self.winner is None and self.frags >= goals.frags:
            return self.won_by(INVADER, counted("the invader has {n} frag", "the invader has {n} frags", self.frags))
        if goals.escape_door is not None and goals.escape_door in self.doors_open:
            out = named([goals.escape_door])
            return self.won_by(MARINES, said("the exit is open ({exit}): the marines escape", exit=out))
        return self


def apply_wounds(game: Match2004, piece: Piece, wounds: int) -> Match2004:
    """Apply wounds, with armour already counted. A wounded figure loses orders; enough wounds kill it."""
    hurt = replace(piece, harm=piece.harm + wounds)
    if hurt.harm >= game.wounds_of(piece):
        return frag(game, hurt)
    return game.with_piece(hurt.unmarked(AIM, GUARD) if wounds else hurt)


def frag(game: Match2004, piece: Piece) -> Match2004:
    """Remove a killed figure. A marine gives the invader a frag point.

    An invader's figure that comes back is a new invader, which has not acted.
    """
    game = game.with_piece(piece.gone())
    if piece.side == INVADER:
        acted = tuple(name for name in game.acted if name != piece.id)
        game = replace(game, acted=acted, card_acted=tuple(name for name in game.card_acted if name != piece.id))
    return replace(game, frags=game.frags + 1) if piece.side == MARINES else game


def apply_draw(game: Match2004, draw: DrawResult) -> Match2004:
    """Apply a draw from the invader's deck. Its last card is a frag point (B4)."""
    return replace(game, deck=draw.deck, frags=game.frags + draw.last_card_count)


def require_no_attack(game: Match2004) -> None:
    """Refuse a step while an attack is open, an area is due, or invaders act by an event card.

    Raises:
        IllegalStep: one of the three is pending.
    """
    require(not game.areas_due, said("the invader has to lay out the new area first"))
    require(game.pending is None, said("finish the attack first"))
    require_card_done(game)


def require_card_done(game: Match2004) -> None:
    """Refuse a step while an event card lets invaders act: they go first (“inmediatamente”, seed 002).

    Raises:
        IllegalStep: invaders still act by the card.
    """
    left = min(game.card_activations, len(game.due_by_card))
    require(
        not left,
        counted(
            "the invader activates {n} invader by the card first, or lets it be",
            "the invader activates up to {n} invaders by the card first, or lets it be",
            left,
        ),
    )


def start(setup: Setup2004, options: Mapping[str, str], seed: str) -> Match2004:
    """Return the match before its first event.

    Raises:
        BadValue: the scenario has no marine or more than three, no figure of any invader, or two figures of one name.
    """
    if len(setup.marines) not in KITS:
        raise BadValue(said("a match has one to three marines"), document=SET_UP, field="marines")
    if setup.invaders and not any(invader.figures for invader in setup.invaders):
        empty = said("the box holds no figure of any invader; name them, each with its colour")
        raise BadValue(empty, document=SET_UP, field="invaders[0].figures")
    chance = Chance(f"{seed}/0")
    kit = KITS[len(setup.marines)]
    deck = draw_to_hand(Deck(pile=chance.shuffled(tuple(setup.cards))), START_HAND, chance, eager=True).deck
    marine_deck, equipment = Deck(pile=chance.shuffled(setup.marine_cards)), {}
    for marine in setup.marines:
        dealt = draw_cards(marine_deck, kit.cards, chance)
        marine_deck = dealt.deck
        equipment[marine.id] = Equipment(
            wounds=kit.wounds,
            armor=kit.armor,
            ammo={BULLETS: kit.bullets},
            weapons=(*(name for name, weapon in setup.weapons.items() if weapon.always), *marine.weapons),
            cards=dealt.cards,
        )
    pieces = (*_marines(setup), *_invaders(setup))
    require_names_once(piece.id for piece in pieces)
    return Match2004(
        setup=setup,
        options=dict(options),
        pieces={piece.id: piece for piece in pieces},
        equipment=equipment,
        deck=deck,
        marine_deck=marine_deck,
        items=setup.items,
    )


def _marines(setup: Setup2004) -> list[Piece]:
    return [
        Piece(id=marine.id, kind="marine", side=MARINES, cells=tuple(sorted(marine.cells))) for marine in setup.marines
    ]


def _invaders(setup: Setup2004) -> list[Piece]:
    """Return the invaders in play. Those of an absent marine's colour stay in the box (B4)."""
    playing = {marine.color for marine in setup.marines}
    return [
        Piece(
            id=name,
            kind=invader.kind,
            side=INVADER,
            cells=tuple(sorted(invader.cells.get(name, ()))),
            on_table=name in invader.cells,
        )
        for invader in setup.invaders
        for name, color in invader.figures.items()
        if color in playing
    ]


def may_use_order(game: Match2004, figure: str, order: str) -> bool:
    """Return whether a marine may use one of his placed orders.

    “Estas órdenes otorgan a los marines acciones/habilidades especiales más adelante en la ronda” (seed 002). A house
    option decides whether he may also use it at once (``order_at_once``).
    """
    if order not in game.piece(figure).marks:
        return False
    turns = [turn for turn in (game.turn, game.interrupted) if turn is not None and turn.figure == figure]
    return game.rules.options["order_at_once"] == "allowed" or all(turn.placed != order for turn in turns)
