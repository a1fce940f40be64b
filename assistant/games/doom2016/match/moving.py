"""Movement, doors, tokens, glory kills and teleporters (rules A4, A5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Self

from msgspec.structs import replace

from assistant.errors import IllegalStep
from assistant.games.doom2016.match import play_rules
from assistant.games.doom2016.match.effects import fire
from assistant.games.doom2016.match.places import (
    are_neighbours,
    find_displaced_cells,
    find_way,
    kill_by_glory,
    list_killed,
    list_turned_over,
    require_displaced,
    turn_over,
)
from assistant.games.doom2016.match.rounds import find_return_cells, has_to_respawn
from assistant.games.doom2016.match.setup import CellPair, PickupToken, Teleporter
from assistant.games.doom2016.match.state import Match2016, frag, heal, require_free_hands, require_own_activation
from assistant.match.asks import Ask, Asks, Draft, Pick, ask_item, ask_token
from assistant.match.chance import Chance
from assistant.match.game import (
    INVADER,
    MARINES,
    Cells,
    Count,
    Name,
    Piece,
    Prompt,
    SaltedStep,
    Step,
    require,
    require_points,
    require_value,
    unknown_figure,
)
from assistant.match.ground import board_of, door_in_words, door_of, find_difficult_cells, require_on_board, word_move
from assistant.match.rulings import explain_unreached, find_move_cost, stands_at_door
from assistant.rules.reasons import Rule
from assistant.table.lattice import Cell
from assistant.translations.messages import Said, counted, named, said, verbatim

OPEN_DOOR_POINTS = 1
HEALTH_PACK_POINTS = 5

BECAUSE_OF_PLACE = 2
"""Urgency of options that depend on a figure's place, before attacks and movement."""


def require_activation(game: Match2016) -> None:
    """Require that a marine on the board acts, and that nothing else has to be finished first.

    Raises:
        IllegalStep: no marine acts, or something is pending.
    """
    marine = game.acting(MARINES)
    require(marine.on_table, said("{figure} was fragged; respawn on an active teleporter first", figure=marine.id))
    require_free_hands(game)


class ActivationStep(Step[Match2016], frozen=True, kw_only=True):
    """A step of the acting marine."""

    decided_by = MARINES

    def check(self, game: Match2016) -> None:
        require_activation(game)


class MoveAndDisplace(SaltedStep[Match2016], frozen=True, kw_only=True, tag="move"):
    """The acting figure moves to these cells.

    The program fills in the ``cost``; people type it if the match has seen no table. A large figure displaces small
    ones where it ends “по выбору его владельца” (seed 001): ``displaced`` may hold their new places, and the program
    asks the owners about all others (`Displace`). ``via`` names cells that a marine enters on his way, in order: a
    staggered demon there dies at once. The program fills in the dead demons (``kills``) and the teleporters that turn
    over under a marine (``turned``).
    """

    rule = play_rules.MOVE
    figure: Name
    cells: Cells
    cost: Count = 0
    displaced: Mapping[str, Cells] = {}
    via: Cells = ()
    kills: tuple[Name, ...] = ()
    turned: tuple[Name, ...] = ()

    @classmethod
    def prompts(cls, game: Match2016) -> Iterator[Prompt]:
        piece, turn = game.free_figure, game.turn
        if piece is not None and turn is not None and turn.movement:
            points = counted("Move: {n} point left", "Move: {n} points left", turn.movement)
            yield cls.prompt(points, side=turn.side, figure=piece.id)

    def has_revealed(self) -> bool:
        return bool(self.kills)

    def rule_at(self, game: Match2016) -> Rule:
        return play_rules.GLORY if self.kills else play_rules.MOVE

    def side(self, game: Match2016) -> str | None:
        return game.piece(self.figure).side

    def sides_besides(self, game: Match2016) -> frozenset[str]:
        owners = {piece.side for piece in game.standing() if piece.id in self.displaced}
        return frozenset(owners) - {str(self.side(game))}

    def settle(self, game: Match2016, chance: Chance) -> Self:
        turn, piece = game.turn, game.piece(self.figure)
        step = replace(self, kills=(), turned=self._list_turned(game), salt="")
        if turn is None or turn.figure != self.figure:
            return step
        if piece.side == MARINES and len(self.cells) == 1:
            step = step._with_way(game, turn.movement)
        elif game.ground and piece.cells:
            step = replace(step, cost=find_move_cost(game.rules, game, self.figure, self.cells, turn.movement))
        return replace(step, salt=chance.salt()) if step.kills else step

    def check(self, game: Match2016) -> None:
        require(game.acting().id == self.figure, said("it is the activation of {figure}", figure=game.acting().id))
        require(game.acting().on_table, said("{figure} is not on the board", figure=self.figure))
        require_free_hands(game)
        require(bool(self.cells), said("choose the cells where the figure ends"))
        require(not self.via or game.acting().side == MARINES, said("only a marine says which cells he enters"))
        require_points(self.cost, game.the_turn().movement)
        for name in self.displaced:
            if name not in game.pieces or not game.piece(name).on_table:
                raise unknown_figure(name)
        require_on_board(game, tuple(cell for cells in self.displaced.values() for cell in cells))
        require_displaced(game, self.figure, self.cells, self.displaced)
        self._require_room_for_all(game)
        dead: dict[str, Cells] = dict.fromkeys((*self.kills, *self._list_asked(game)), ())
        has_room = game.has_room({**self.displaced, **dead, self.figure: self.cells})
        require(has_room, said("a move ends on empty cells"))

    def apply(self, game: Match2016) -> Match2016:
        for demon in self.kills:
            game = kill_by_glory(game, self.figure, demon, self.chance)
        turn = game.the_turn()
        game = self._moved(game)
        game = replace(game, turn=turn.spend(self.cost))
        game = turn_over(game, self.turned)
        moved = {**self.displaced, self.figure: self.cells}
        entered = tuple(cell for name, cells in moved.items() if game.piece(name).side == MARINES for cell in cells)
        return fire(game, "area_entered", cells=(*self.via, *entered))

    def _moved(self, game: Match2016) -> Match2016:
        """Return the game with the figures in their new places, and without those whose owners still have to choose."""
        asked = {name: game.piece(name).cells for name in self._list_asked(game)}
        moved: dict[str, Cells] = {**dict.fromkeys(asked, ()), **self.displaced, self.figure: self.cells}
        game = replace(game, displaced_from=asked)
        pieces = (replace(game.piece(name), cells=tuple(sorted(cells))) for name, cells in moved.items())
        return game.with_piece(*pieces)

    def title(self, game: Match2016) -> Said:
        moved = word_move(game, self.figure, self.cells)
        return said("{moved}; glory kill: {demons}", moved=moved, demons=named(self.kills)) if self.kills else moved

    def _list_asked(self, game: Match2016) -> tuple[str, ...]:
        """Return the small figures under a large one whose owners still have to choose a place."""
        if len(self.cells) < 2:
            return ()
        under = (one for one in game.standing() if set(one.cells) & set(self.cells) and len(one.cells) == 1)
        return tuple(one.id for one in under if one.id not in self.displaced)

    def _require_room_for_all(self, game: Match2016) -> None:
        """Require that every displaced figure finds a cell, if the house rules demand it (A9 ``displaced_nowhere``)."""
        if game.rules.options["displaced_nowhere"] == "fragged" or not game.ground:
            return
        after = replace(self, salt="", kills=())._moved(game)
        lost = [name for name in self._list_asked(game) if not find_displaced_cells(after, name)]
        require(
            not lost,
            said(
                "{figures} would find no free cell; the house lets no large figure end there",
                figures=named(lost),
            ),
        )

    def _with_way(self, game: Match2016, points: int) -> Self:
        """Return the step with a marine's cheapest path through the cells of ``via``, and the demons that die on it."""
        stops = (*self.via, *self.cells)
        if not (game.ground and game.piece(self.figure).cells):
            return replace(self, kills=list_killed(game, stops))
        require_on_board(game, stops)
        way = find_way(game, self.figure, stops, points)
        if way is None:
            raise IllegalStep(explain_unreached(self.figure, points))
        return replace(self, cost=way.cost, kills=way.kills)

    def _list_turned(self, game: Match2016) -> tuple[str, ...]:
        marines = {name for name in (self.figure, *self.displaced) if name in game.pieces}
        moved = {**self.displaced, self.figure: self.cells}
        cells = (cell for name in marines if game.piece(name).side == MARINES for cell in moved[name])
        return list_turned_over(game, tuple(cells))


class Displace(SaltedStep[Match2016], frozen=True, kw_only=True, tag="displace"):
    """The owner of a displaced figure chooses one of the nearest empty cells that it can enter.

    Without such a cell the figure is fragged, or the large figure may not end there, by house option (A9
    ``displaced_nowhere``).
    """

    rule = play_rules.LARGE
    of_figure = True
    figure: Name
    cells: Annotated[Cells, Asks(_asks_displaced_cells)] = ()
    turned: tuple[Name, ...] = ()
    """The teleporters that turn over under a marine."""

    @classmethod
    def prompts(cls, game: Match2016) -> Iterator[Prompt]:
        for name in game.to_displace:
            side = game.piece(name).side
            if game.ground and not find_displaced_cells(game, name):
                text = said("{figure} finds no free cell and is fragged", figure=name)
            else:
                text = said("{figure} is displaced: choose a cell", figure=name)
            yield cls.prompt(text, side=side, task=text, figure=name)

    def settle(self, game: Match2016, chance: Chance) -> Self:
        is_marine = game.piece(self.figure).side == MARINES
        turned = list_turned_over(game, self.cells) if is_marine else ()
        return replace(super().settle(game, chance), turned=turned)

    def check(self, game: Match2016) -> None:
        require(self.figure in game.to_displace, said("{figure} is not displaced", figure=self.figure))
        require_on_board(game, self.cells)
        nearest = find_displaced_cells(game, self.figure) if game.ground else self.cells
        shown = verbatim(", ".join(str(list(cell)) for cell in nearest)) if nearest else said("none; it is fragged")
        fits = self.cells in {(cell,) for cell in nearest} if nearest else not self.cells
        require(
            fits,
            said("move {figure} to the nearest free cell that it can enter: {shown}", figure=self.figure, shown=shown),
        )
        require(game.has_room({self.figure: self.cells}), said("a move ends on empty cells"))

    def apply(self, game: Match2016) -> Match2016:
        piece = game.piece(self.figure)
        game = replace(game, displaced_from={n: cells for n, cells in game.displaced_from.items() if n != self.figure})
        if not self.cells:
            return frag(game, piece, self.chance)
        game = turn_over(game.with_piece(replace(piece, cells=self.cells)), self.turned)
        return fire(game, "area_entered", cells=self.cells) if piece.side == MARINES else game

    def title(self, game: Match2016) -> Said:
        if not self.cells:
            return said("{figure} finds no free cell and is fragged", figure=self.figure)
        return said("{figure} is displaced", figure=self.figure)


class OpenDoor(Step[Match2016], frozen=True, kw_only=True, tag="open_door"):
    """The acting figure opens a door beside it for one point; doors never close again (A4)."""

    rule = play_rules.DOOR
    label = said("Open a door")
    door: Name

    @classmethod
    def prompts(cls, game: Match2016) -> Iterator[Prompt]:
        piece = game.free_figure
        for door in board_of(game).doors if piece is not None and game.ground else ():
            if piece is not None and cls(door=door.id).is_allowed(game):
                opens = said("Open {door}: 1 point", door=door_in_words(game, door))
                yield cls.prompt(opens, side=piece.side, urgency=BECAUSE_OF_PLACE, door=door.id)

    def side(self, game: Match2016) -> str | None:
        return None if game.turn is None else game.turn.side

    def check(self, game: Match2016) -> None:
        piece = game.acting()
        require(piece.on_table, said("{figure} is not on the board", figure=piece.id))
        require_free_hands(game)
        require(self.door not in game.doors_open, said("{door} is open already", door=self.door))
        require(game.the_turn().movement >= OPEN_DOOR_POINTS, said("no movement is left"))
        if game.setup.goals.tutorial and piece.side == INVADER:
            require(not game.portals, said("in the tutorial no demon opens a door while a portal is on the board"))
        if game.ground:
            require(
                stands_at_door(game.rules, game, piece, self.door),
                said("{figure} does not stand beside {door}", figure=piece.id, door=self.door),
            )

    def apply(self, game: Match2016) -> Match2016:
        turn, piece = game.the_turn(), game.acting()
        first = game.setup.goals.tutorial and piece.side == MARINES and not game.doors_open
        game = replace(
            game,
            doors_open=(*game.doors_open, self.door),
            turn=turn.spend(OPEN_DOOR_POINTS),
            summons_due=tuple(portal.id for portal in game.portals) if first else game.summons_due,
        )
        return fire(game, "door_opened", door=self.door) if piece.side == MARINES else game

    def title(self, game: Match2016) -> Said:
        door = door_in_words(game, door_of(game, self.door)) if game.ground else self.door
        return said("{figure} opens {door}", figure=game.acting().id, door=door)


class TakeItem(SaltedStep[Match2016], frozen=True, kw_only=True, tag="take"):
    """A marine takes the token in his cell: a health pack, a weapon with its cards, an objective."""

    rule = play_rules.ITEM
    label = said("Pick up a token")
    decided_by = MARINES
    item: Annotated[Name, Asks(lambda draft: ask_item(draft.game.items))]

    @classmethod
    def prompts(cls, game: Match2016) -> Iterator[Prompt]:
        piece = game.own_figure
        for item in game.items if piece is not None and piece.side == MARINES else ():
            if cls(item=item.id).is_allowed(game):
                take = said("Take {item}", item=item.id)
                yield cls.prompt(take, side=MARINES, urgency=BECAUSE_OF_PLACE, item=item.id)

    def check(self, game: Match2016) -> None:
        marine = game.acting(MARINES)
        require_free_hands(game)
        require_own_activation(game)
        require(
            item_of(game, self.item).cell in marine.cells,
            said("{figure} does not stand on {item}", figure=marine.id, item=self.item),
        )

    def apply(self, game: Match2016) -> Match2016:
        item, marine = item_of(game, self.item), game.acting()
        game = replace(game, items=tuple(other for other in game.items if other.id != item.id))
        if item.kind == "health":
            return heal(game, marine, HEALTH_PACK_POINTS)
        if item.kind == "objective":
            return replace(game, objectives=game.objectives + 1)
        if marine.id in game.decks:
            return game.with_deck(marine.id, game.deck(marine.id).on_top(self.chance.shuffled(item.cards)))
        return game

    def title(self, game: Match2016) -> Said:
        return said("{figure} takes {item}", figure=game.acting().id, item=self.item)


class GloryKill(SaltedStep[Match2016], frozen=True, kw_only=True, tag="glory_kill"):
    """A marine enters the cell of a staggered demon and kills it, which reveals a glory kill card.

    ``cost`` is the cost of entering the cell (A9 ``glory_cost``); the program fills it in if it knows the table.
    ``cells`` is his final place.
    """

    rule = play_rules.GLORY
    label = said("Glory kill")
    decided_by = MARINES
    reveals = True
    demon: Name
    cost: Count = 2
    cells: Cells = ()
    turned: tuple[Name, ...] = ()
    """The teleporters that turn over under the marine."""

    def settle(self, game: Match2016, chance: Chance) -> Self:
        step = super().settle(game, chance)
        place = tuple(sorted(self.cells)) or self._nearest(game)
        step = replace(step, turned=list_turned_over(game, place))
        if not game.ground or not place:
            return replace(step, cells=place)
        normal = game.rules.options["glory_cost"] == "normal"
        difficult = any(cell in find_difficult_cells(game) for cell in place)
        return replace(step, cells=place, cost=1 + normal + difficult)

    def check(self, game: Match2016) -> None:
        marine, demon = game.acting(MARINES), game.piece(self.demon)
        require(marine.on_table, said("{figure} is not on the board", figure=marine.id))
        require_free_hands(game)
        require(demon.side == INVADER and demon.on_table, said("{demon} is not a demon on the board", demon=self.demon))
        require(game.is_staggered(demon), said("{demon} is not staggered", demon=self.demon))
        require(self.cost >= 1, said("entering a cell costs at least one point"))
        require(
            game.the_turn().movement >= self.cost,
            said("entering costs {cost}, more than the movement left", cost=self.cost),
        )
        if not marine.cells or not demon.cells:
            return  # their places are unknown
        fits = len(self.cells) == 1 and self.cells[0] in demon.cells
        require(fits, said("choose a cell of {demon} for the marine to enter", demon=self.demon))
        require(
            are_neighbours(game, marine, self.cells[0]),
            said("{demon} is not next to {figure}", demon=self.demon, figure=marine.id),
        )

    def apply(self, game: Match2016) -> Match2016:
        turn, marine = game.the_turn(), game.acting()
        game = replace(game, turn=turn.spend(self.cost))
        game = game.with_piece(replace(marine, cells=self.cells))
        game = turn_over(kill_by_glory(game, marine.id, self.demon, self.chance), self.turned)
        return fire(game, "area_entered", cells=self.cells)

    def _nearest(self, game: Match2016) -> Cells:
        """Return the demon's first cell next to the marine, else its first cell."""
        demon = game.piece(self.demon)
        near = (cell for cell in demon.cells if are_neighbours(game, game.acting(), cell))
        return tuple([next(near, demon.cells[0])]) if demon.cells else ()

    def title(self, game: Match2016) -> Said:
        return said("Glory kill: {figure} kills {demon}", figure=game.acting().id, demon=self.demon)


class RespawnAtTeleporter(SaltedStep[Match2016], frozen=True, kw_only=True, tag="respawn"):
    """A fragged marine comes back at the start of his activation; a demon in that cell is telefragged."""

    rule = play_rules.TELEPORT
    decided_by = MARINES
    teleporter: Annotated[Name, Asks(_asks_teleporter)]
    cells: Annotated[Cells, Asks(_asks_return_cells)] = ()

    @classmethod
    def prompts(cls, game: Match2016) -> Iterator[Prompt]:
        turn = game.free_turn
        if turn is None or not has_to_respawn(game):
            return
        yield cls.prompt(said("{figure} respawns on an active teleporter", figure=turn.figure), side=MARINES)

    def check(self, game: Match2016) -> None:
        marine = game.acting(MARINES)
        require(not marine.on_table, said("{figure} is on the board already", figure=marine.id))
        require(
            not game.the_turn().fell, said("{figure} respawns at the start of his next activation", figure=marine.id)
        )
        beside = _list_beside(game, self.teleporter)
        if not beside:
            require(not self.cells, said("{figure} comes back on the teleporter itself", figure=marine.id))
            require_teleporter(game, self.teleporter)
            return
        shown = verbatim(", ".join(str(list(cell)) for cell in beside))
        text = said(
            "marines stand on all active teleporters; choose a cell beside one: {shown}",
            shown=shown,
        )
        require(self.cells in {(cell,) for cell in beside}, text)

    def apply(self, game: Match2016) -> Match2016:
        marine = replace(game.acting(), on_table=True)
        if not self.cells:
            return teleport(self, game, marine, self.teleporter)
        return fire(game.with_piece(replace(marine, cells=self.cells)), "area_entered", cells=self.cells)

    def title(self, game: Match2016) -> Said:
        return said("{figure} respawns", figure=game.acting().id)


class Teleport(SaltedStep[Match2016], frozen=True, kw_only=True, tag="teleport"):
    """A marine moves from one active teleporter to another as if they were adjacent (A9 ``teleport_cost``)."""

    rule = play_rules.TELEPORT
    label = said("Teleport")
    decided_by = MARINES
    teleporter: Annotated[Name, Asks(_asks_teleporter)]

    def check(self, game: Match2016) -> None:
        marine = game.acting(MARINES)
        require_free_hands(game)
        here = [t for t in game.setup.teleporters if t.cell in marine.cells and t.id in game.teleporters_active]
        require(bool(here), said("{figure} stands on no active teleporter", figure=marine.id))
        require(game.the_turn().movement >= _teleport_cost(game), said("no movement is left"))
        require_teleporter(game, self.teleporter)

    def apply(self, game: Match2016) -> Match2016:
        turn = game.the_turn()
        after = replace(game, turn=turn.spend(_teleport_cost(game)))
        return teleport(self, after, after.acting(), self.teleporter)

    def title(self, game: Match2016) -> Said:
        return said("{figure} teleports", figure=game.acting().id)


class ActivateTeleporter(ActivationStep, frozen=True, kw_only=True, tag="activate_teleporter"):
    """A marine who stands on an inactive teleporter turns it over."""

    rule = play_rules.TELEPORT
    label = said("Turn a teleporter over")
    teleporter: Annotated[Name, Asks(_asks_teleporter)]

    def check(self, game: Match2016) -> None:
        super().check(game)
        place = teleporter_of(game, self.teleporter)
        require(place.id not in game.teleporters_active, said("{teleporter} is active already", teleporter=place.id))
        require(
            place.cell in game.acting().cells,
            said("{figure} does not stand on {teleporter}", figure=game.acting().id, teleporter=place.id),
        )

    def apply(self, game: Match2016) -> Match2016:
        return replace(game, teleporters_active=(*game.teleporters_active, self.teleporter))

    def title(self, game: Match2016) -> Said:
        return said("Teleporter {teleporter} is active", teleporter=self.teleporter)


def _asks_displaced_cells(draft: Draft[Match2016]) -> Ask | None:
    """Ask for the nearest free cells of the displaced figure, or None if there are none, or without a seen table."""
    name = str(draft.fields.get("figure"))
    cells = find_displaced_cells(draft.game, name) if draft.game.ground and name in draft.game.to_displace else ()
    picks = tuple(Pick(value=[list(cell)], cells=(cell,)) for cell in cells)
    return Ask(field="cells", kind="spaces", text=said("Where to?"), picks=picks) if picks else None


def _list_beside(game: Match2016, teleporter_id: str) -> tuple[Cell, ...]:
    """Return the cells beside a teleporter where a marine comes back, or none if he comes back on one."""
    found = find_return_cells(game, teleporter_id)
    own = [one.cell for one in game.setup.teleporters if one.id == teleporter_id]
    return () if found == tuple(own) else found


def _asks_return_cells(draft: Draft[Match2016]) -> Ask | None:
    cells = _list_beside(draft.game, str(draft.fields.get("teleporter")))
    picks = tuple(Pick(value=[list(cell)], cells=(cell,)) for cell in cells)
    return Ask(field="cells", kind="spaces", text=said("Where to?"), picks=picks) if picks else None


def _asks_teleporter(draft: Draft[Match2016]) -> Ask:
    return ask_token("teleporter", said("Which teleporter?"), draft.game.setup.teleporters)


def item_of(game: Match2016, item_id: str) -> PickupToken:
    """Return the token of that name on the board.

    Raises:
        IllegalStep: there is no such token.
    """
    found = next((item for item in game.items if item.id == item_id), None)
    return require_value(found, said("there is no item “{item}” on the board; choose one that is", item=item_id))


def teleporter_of(game: Match2016, teleporter_id: str) -> Teleporter:
    """Return the teleporter of that name.

    Raises:
        IllegalStep: there is none.
    """
    found = next((t for t in game.setup.teleporters if t.id == teleporter_id), None)
    return require_value(
        found, said("there is no teleporter “{teleporter}”; choose one on the board", teleporter=teleporter_id)
    )


def require_teleporter(game: Match2016, teleporter_id: str) -> None:
    """Require that a marine can appear on a teleporter.

    Raises:
        IllegalStep: it is inactive, or another marine stands there.
    """
    place = teleporter_of(game, teleporter_id)
    require(place.id in game.teleporters_active, said("{teleporter} is not active", teleporter=place.id))
    require_on_board(game, (place.cell,))
    taken = [piece.id for piece in game.standing(MARINES) if place.cell in piece.cells]
    require(not taken, said("{taken} stands on {teleporter}; choose another", taken=named(taken), teleporter=place.id))


def teleport(step: SaltedStep[Match2016], game: Match2016, marine: Piece, teleporter_id: str) -> Match2016:
    """Put a marine on a teleporter and frag any demon there."""
    cell: CellPair = teleporter_of(game, teleporter_id).cell
    for demon in game.standing(INVADER):
        if cell in demon.cells:
            game = frag(game, demon, step.chance)
    return fire(game.with_piece(replace(marine, cells=(cell,))), "area_entered", cells=(cell,))


def _teleport_cost(game: Match2016) -> int:
    return 1 if game.rules.options["teleport_cost"] == "step" else 0
