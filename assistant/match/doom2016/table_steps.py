"""Movement, doors, portals, the invader's cards, and what people set right by hand (rules A4 to A6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from assistant.match.chance import Chance
from assistant.match.doom2016.round_steps import MAX_INVADER_CARDS, argent_left, discarded_events, with_argent
from assistant.match.doom2016.setup import InvasionGroup, Portal
from assistant.match.doom2016.state import STUNNED, DemonCard, Doom2016, fragged, harmed, healed, require_free_hands
from assistant.match.game import (
    INVADER,
    MARINES,
    Cells,
    Count,
    Name,
    Positive,
    SaltedStep,
    Step,
    require,
    unknown_figure,
)
from assistant.match.ground import door_of, require_on_board
from assistant.match.rulings import cost_of_move, rules_of, stands_beside

OPEN_DOOR_POINTS = 1


class Move(Step[Doom2016], frozen=True, kw_only=True, tag="move"):
    """The acting figure moves to these cells.

    On a table that the camera has shown the program fills in the ``cost``; without one it is typed in.
    ``displaced`` says where small figures go on which a large one ends its move (A4).
    """

    figure: Name
    cells: Cells
    cost: Count = 0
    displaced: Mapping[str, Cells] = {}

    def side(self, game: Doom2016) -> str | None:
        """Whose figure it is."""
        return game.piece(self.figure).side

    def settle(self, game: Doom2016, chance: Chance) -> Self:
        """The step with the cost that the rules count on this table."""
        turn, where_it_is = game.turn, game.piece(self.figure).cells
        if not (game.ground and where_it_is) or turn is None or turn.figure != self.figure:
            return self
        return replace(self, cost=cost_of_move(game, self.figure, self.cells, turn.movement))

    def check(self, game: Doom2016) -> None:
        """It must be its activation, with movement left and free cells to end on."""
        require(game.acting().id == self.figure, f"it is the activation of {game.acting().id}")
        require(game.acting().on_table, f"{self.figure} is not on the board")
        require_free_hands(game)
        require(bool(self.cells), "say which cells the figure ends on")
        left = game.the_turn().movement
        require(self.cost <= left, f"this move costs {self.cost} and {left} points are left")
        for name in self.displaced:
            if name not in game.pieces or not game.piece(name).on_table:
                raise unknown_figure(name)
        require_on_board(game, tuple(cell for cells in self.displaced.values() for cell in cells))
        taken = game.places_after({**self.displaced, self.figure: self.cells})
        require(len(set(taken)) == len(taken), "a move ends on cells that nobody stands on")

    def apply(self, game: Doom2016) -> Doom2016:
        """The game with the figures moved and the points spent."""
        turn = game.the_turn()
        moved = {**self.displaced, self.figure: self.cells}
        pieces = (replace(game.piece(name), cells=tuple(sorted(cells))) for name, cells in moved.items())
        return replace(game.with_piece(*pieces), turn=replace(turn, movement=turn.movement - self.cost))

    def title(self, game: Doom2016) -> str:
        """What it does."""
        return f"{self.figure} moves"


class OpenDoor(Step[Doom2016], frozen=True, kw_only=True, tag="open_door"):
    """The acting figure opens a door beside it for one point; doors never close again (A4)."""

    door: Name

    def side(self, game: Doom2016) -> str | None:
        """Whose activation it is."""
        return None if game.turn is None else game.turn.side

    def check(self, game: Doom2016) -> None:
        """The figure must stand beside the closed door; in the tutorial no demon opens one beside portals."""
        piece = game.acting()
        require(piece.on_table, f"{piece.id} is not on the board")
        require_free_hands(game)
        require(self.door not in game.doors_open, f"{self.door} is open already")
        require(game.the_turn().movement >= OPEN_DOOR_POINTS, "no movement is left")
        if game.setup.goals.tutorial and piece.side == INVADER:
            require(not game.portals, "in the tutorial no demon opens a door while a portal is on the board")
        if game.ground:
            beside = stands_beside(piece, door_of(game, self.door))
            require(beside, f"{piece.id} does not stand beside {self.door}")

    def apply(self, game: Doom2016) -> Doom2016:
        """The game with the door open; the tutorial's first one that a marine opens brings the demons."""
        turn, piece = game.the_turn(), game.acting()
        first = game.setup.goals.tutorial and piece.side == MARINES and not game.doors_open
        return replace(
            game,
            doors_open=(*game.doors_open, self.door),
            turn=replace(turn, movement=turn.movement - OPEN_DOOR_POINTS),
            summons_due=tuple(portal.id for portal in game.portals) if first else game.summons_due,
        )

    def title(self, game: Doom2016) -> str:
        """What it does."""
        return f"{game.acting().id} opens {self.door}"


class Summon(SaltedStep[Doom2016], frozen=True, kw_only=True, tag="summon"):
    """The invader turns a portal over and brings a group of its colour; the token leaves the board.

    ``group`` counts the lines of the invasion card from 0; ``cells`` says where each figure stands;
    ``argent`` spreads the group's argent and what is moved from the invasion card over the demon cards.
    """

    is_secret = True
    portal: Name
    group: Count
    cells: Mapping[str, Cells]
    argent: Mapping[str, Count] = {}

    reveals = True

    def side(self, game: Doom2016) -> str | None:
        """The invader decides."""
        return INVADER

    def check(self, game: Doom2016) -> None:
        """The group must fit the portal, with every figure of it that the box still has, on free cells."""
        portal = _portal(game, self.portal)
        require(portal.id in game.summons_due or not game.setup.goals.tutorial, "nothing summons from this portal now")
        require(self.group < len(game.setup.invasion), "the invasion card has no such group")
        group = game.setup.invasion[self.group]
        require(group.portal == portal.color, "this group belongs to a portal of another colour")
        self._check_figures(game, group)
        require_on_board(game, tuple(cell for cells in self.cells.values() for cell in cells))
        taken = game.places_after(self.cells)
        require(len(set(taken)) == len(taken), "summoned demons need free cells")
        if game.ground:
            far = [name for name, cells in self.cells.items() if not _is_at(portal, cells)]
            require(not far, f"{', '.join(far)} would stand neither on the portal nor next to it")
        spread = group.argent + game.invasion_argent
        placed = sum(self.argent.values())
        require(set(self.argent) <= set(group.demons), "argent goes to the demon cards of this group")
        require(group.argent <= placed <= spread, f"place {group.argent} argent, or up to {spread} with the card's own")
        require(group.argent <= argent_left(game), "there are not so many argent tokens left in the box")

    def apply(self, game: Doom2016) -> Doom2016:
        """The game with the demons on the board and their cards face up."""
        group = game.setup.invasion[self.group]
        there = game.kinds_on_table()
        pieces = (
            replace(game.piece(name), cells=tuple(sorted(cells)), on_table=True) for name, cells in self.cells.items()
        )
        game = game.with_piece(*pieces)
        for kind in group.demons:
            game = game.with_demon_card(kind, replace(game.demon_cards[kind], face_up=True))
        game = replace(
            game,
            portals=tuple(portal for portal in game.portals if portal.id != self.portal),
            summons_due=tuple(name for name in game.summons_due if name != self.portal),
            invasion_argent=0,
        )
        return self._with_cards(with_argent(game, self.argent), len(game.kinds_on_table()) - len(there))

    def title(self, game: Doom2016) -> str:
        """What it does."""
        return f"Demons come out of {self.portal}: {', '.join(sorted(self.cells))}"

    def _with_cards(self, game: Doom2016, new_kinds: int) -> Doom2016:
        """By house rule a kind that arrives in the round has its initiative card shuffled in at once (A9)."""
        if rules_of(game).options["initiative_types"] == "at_status" or game.phase != "activation":
            return game
        room = MAX_INVADER_CARDS - game.initiative.count(INVADER)
        cards = (*game.initiative, *(INVADER,) * min(new_kinds, max(0, room)))
        return replace(game, initiative=self.chance.shuffled(cards) if game.shuffled_here else cards)

    def _check_figures(self, game: Doom2016, group: InvasionGroup) -> None:
        chosen = [game.piece(name) for name in self.cells]
        for piece in chosen:
            require(not piece.on_table, f"{piece.id} is on the board already")
            require(piece.kind in group.demons, f"{piece.id} is not of this group")
        for kind, count in group.demons.items():
            free = [p for p in game.pieces.values() if p.kind == kind and not p.on_table]
            here = sum(piece.kind == kind for piece in chosen)
            wanted = min(count, len(free))
            require(here == wanted, f"this group brings {wanted} of {kind}, and {here} were placed")


class PlayEvent(Step[Doom2016], frozen=True, kw_only=True, tag="play_event"):
    """The invader plays an event card; its text is carried out with the other steps."""

    is_secret = True
    card: Name

    def side(self, game: Doom2016) -> str | None:
        """The invader decides."""
        return INVADER

    def check(self, game: Doom2016) -> None:
        """The card must be in the hand, and no card of its name be in use in this attack (A5)."""
        if INVADER in game.decks:
            game.deck(INVADER).taken(self.card)
        if game.pending is not None:
            used = {game.card(card).name for card in game.pending.played}
            require(game.card(self.card).name not in used, "a card of this name is in use at this moment")

    def apply(self, game: Doom2016) -> Doom2016:
        """The game with the card discarded."""
        after = discarded_events(game, self.card)
        if game.pending is None:
            return after
        return replace(after, pending=replace(game.pending, played=(*game.pending.played, self.card)))

    def title(self, game: Doom2016) -> str:
        """What it does."""
        return f"The invader plays {game.card(self.card).name}"


class SpendArgent(Step[Doom2016], frozen=True, kw_only=True, tag="spend_argent"):
    """The invader pays for an ability with argent from the demon card that has it."""

    kind: Name
    count: Positive = 1

    def side(self, game: Doom2016) -> str | None:
        """The invader decides."""
        return INVADER

    def check(self, game: Doom2016) -> None:
        """The card must be face up and hold as much; the tutorial ignores such abilities."""
        require(not game.setup.goals.tutorial, "the tutorial ignores abilities that cost argent")
        card = game.demon_cards.get(self.kind, DemonCard())
        require(card.face_up and card.argent >= self.count, "there is not enough argent on that card")

    def apply(self, game: Doom2016) -> Doom2016:
        """The game with the tokens back in the box."""
        card = game.demon_cards[self.kind]
        return game.with_demon_card(self.kind, replace(card, argent=card.argent - self.count))

    def title(self, game: Doom2016) -> str:
        """What it does."""
        return f"The invader spends {self.count} argent of {self.kind}"


class Harm(SaltedStep[Doom2016], frozen=True, kw_only=True, tag="damage"):
    """Damage put on a figure by hand: a card's text, or an attack worked out at the table."""

    figure: Name
    amount: Positive

    def check(self, game: Doom2016) -> None:
        """The figure must be on the board."""
        require(game.piece(self.figure).on_table, f"{self.figure} is not on the board")
        require(game.phase != "setup", "the first round has not begun")

    def apply(self, game: Doom2016) -> Doom2016:
        """The game with the damage done."""
        return harmed(game, game.piece(self.figure), self.amount, self.chance)

    def title(self, game: Doom2016) -> str:
        """What it does."""
        return f"{self.figure}: {self.amount} damage"


class Heal(Step[Doom2016], frozen=True, kw_only=True, tag="heal"):
    """Damage taken off a figure by hand."""

    figure: Name
    amount: Positive

    def check(self, game: Doom2016) -> None:
        """The figure must have damage."""
        require(game.piece(self.figure).harm > 0, f"{self.figure} has no damage")

    def apply(self, game: Doom2016) -> Doom2016:
        """The game with the damage gone."""
        return healed(game, game.piece(self.figure), self.amount)

    def title(self, game: Doom2016) -> str:
        """What it does."""
        return f"{self.figure}: {self.amount} damage healed"


class Kill(SaltedStep[Doom2016], frozen=True, kw_only=True, tag="frag"):
    """A figure fragged outright: a card's text, or a displaced figure that has nowhere to go."""

    figure: Name

    def check(self, game: Doom2016) -> None:
        """The figure must be on the board."""
        require(game.piece(self.figure).on_table, f"{self.figure} is not on the board")
        require(game.phase != "setup", "the first round has not begun")

    def apply(self, game: Doom2016) -> Doom2016:
        """The game without it."""
        return fragged(game, game.piece(self.figure), self.chance)

    def title(self, game: Doom2016) -> str:
        """What it does."""
        return f"{self.figure} is fragged"


class Stun(Step[Doom2016], frozen=True, kw_only=True, tag="stun"):
    """A stun token beside a figure, or (``on`` false) taken away; a stunned figure gets no second one (A5)."""

    figure: Name
    on: bool = True

    def check(self, game: Doom2016) -> None:
        """The figure must be on the board and not so already."""
        piece = game.piece(self.figure)
        require(piece.on_table, f"{self.figure} is not on the board")
        require((STUNNED in piece.marks) != self.on, f"{self.figure} is {'' if self.on else 'not '}stunned already")

    def apply(self, game: Doom2016) -> Doom2016:
        """The game with the token placed or taken."""
        piece = game.piece(self.figure)
        return game.with_piece(piece.marked(STUNNED) if self.on else piece.unmarked(STUNNED))

    def title(self, game: Doom2016) -> str:
        """What it does."""
        return f"{self.figure} is {'' if self.on else 'no longer '}stunned"


def _portal(game: Doom2016, portal_id: str) -> Portal:
    found = [portal for portal in game.portals if portal.id == portal_id]
    require(bool(found), f"there is no portal “{portal_id}” on the board; choose one that is")
    return found[0]


def _is_at(portal: Portal, cells: Cells) -> bool:
    x, y = portal.cell
    return any(max(abs(c - x), abs(r - y)) <= 1 for c, r in cells)


STEPS: tuple[type[Struct], ...] = (
    Move,
    OpenDoor,
    Summon,
    PlayEvent,
    SpendArgent,
    Harm,
    Heal,
    Kill,
    Stun,
)
