"""Steps of the acting figure on the board: moves, doors, tokens, teleporters (B3; seed 004, p. 11 “Telefrags”)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Self

from msgspec.structs import replace

from assistant.games.doom2004.match.moments import ask_after_token
from assistant.games.doom2004.match.passing import list_stops, require_way_on
from assistant.games.doom2004.match.setup import BoardToken, TeleporterSpace
from assistant.games.doom2004.match.state import AIM, Match2004, Turn2004, apply_wounds, frag, require_no_attack
from assistant.games.doom2004.rules.areas import count_obstacle_wounds, find_fewest_wounds
from assistant.match.asks import Ask, Asks, Draft, Pick, ask_item, ask_token
from assistant.match.chance import Chance
from assistant.match.game import (
    INVADER,
    MARINES,
    Cells,
    Count,
    Moment,
    Name,
    Piece,
    Prompt,
    Step,
    require,
    require_points,
    require_value,
)
from assistant.match.ground import board_of, door_in_words, door_of, require_on_board, word_move
from assistant.match.rulings import find_move_cost, stands_at_door
from assistant.rules.reasons import Rule
from assistant.translations.messages import Said, counted, message, named, said

DOOR_POINTS = 2


MOVE_RULE = Rule(
    "doom2004/moving",
    message("Rules, “Movement”"),
    message("A figure moves space by space, past friends, and ends on empty spaces."),
)
TELEFRAG_RULE = Rule(
    "doom2004/telefrag",
    message("Rules, “Telefrags”"),
    message("A marine who teleports into an invader kills it."),
)
TOKEN_RULE = Rule(
    "doom2004/equipment",
    message("Rules, “Setting up the marine team”"),
    message("Tokens that marines pick up go into their equipment."),
)


class ActingStep(Step[Match2004], frozen=True, kw_only=True):
    """A step of the acting figure, after the declaration of its action."""

    @classmethod
    def moments(cls, game: Match2004) -> Iterator[Moment]:
        return ask_after_token(game)

    def side(self, game: Match2004) -> str | None:
        return None if game.turn is None else game.piece(game.turn.figure).side

    def check(self, game: Match2004) -> None:
        require(game.the_turn().action is not None, said("declare the action first: sprint, unload, advance or ready"))
        require(game.acting().on_table, said("{figure} is not on the board", figure=game.acting().id))
        require_no_attack(game)


class MoveFigure(ActingStep, frozen=True, kw_only=True, tag="move"):
    """Move the acting figure to these cells. The program fills in the ``cost`` if it knows the table.

    The program also fills in the ``wounds`` from damaging obstacles: the fewest on any shortest path. For a longer way
    round an obstacle, a player moves in parts.
    """

    rule = MOVE_RULE
    figure: Name
    cells: Annotated[Cells, Asks(_where_to)]
    cost: Count = 0
    wounds: Count = 0

    @classmethod
    def prompts(cls, game: Match2004) -> Iterator[Prompt]:
        piece = game.free_to_act()
        if piece is not None and game.the_turn().movement:
            left = counted("Move: {n} point left", "Move: {n} points left", game.the_turn().movement)
            yield cls.prompt(left, side=piece.side, figure=piece.id)

    def settle(self, game: Match2004, chance: Chance) -> Self:
        turn, where_it_is = game.turn, game.piece(self.figure).cells
        if not (game.ground and where_it_is):
            has_had = not where_it_is or (turn is not None and turn.hurt_by_obstacle)
            wounds = 0 if has_had else count_obstacle_wounds((where_it_is, self.cells), game.damaging)
            return replace(self, cost=max(self.cost, _count_straight(where_it_is, self.cells)), wounds=wounds)
        if turn is None or turn.action is None or turn.figure != self.figure:
            return self
        cost = _find_cost(game, self.figure, self.cells, turn.movement)
        wounds = 0 if turn.hurt_by_obstacle else count_move_wounds(game, self.figure, self.cells, cost)
        return replace(self, cost=cost, wounds=wounds)

    def check(self, game: Match2004) -> None:
        super().check(game)
        require(game.acting().id == self.figure, said("it is the turn of {figure}", figure=game.acting().id))
        require(bool(self.cells), said("choose the cells where the figure ends"))
        known = not game.ground or bool(game.acting().cells)
        require(
            known, said("nobody knows where {figure} stands; put it on the board by hand first", figure=self.figure)
        )
        stays = set(self.cells) == set(game.acting().cells)
        require(not stays, said("{figure} stands there already; choose another place", figure=self.figure))
        require_points(self.cost, game.the_turn().movement)
        if not game.has_room({self.figure: self.cells}):
            self._check_stop(game)

    def _check_stop(self, game: Match2004) -> None:
        """Refuse a stop on the spaces of an enemy, or on a friend's without the movement to go on."""
        stopped = game.with_piece(replace(game.acting(), cells=tuple(sorted(self.cells))))
        friends = all(game.piece(name).side == game.acting().side for name in stopped.list_shared(self.figure))
        require(bool(game.ground) and friends, said("a move ends on empty cells"))
        require_way_on(stopped, self.figure, game.the_turn().movement - self.cost)

    def apply(self, game: Match2004) -> Match2004:
        # A move removes the order to aim, and with Ready it takes the attack's place (B4).
        stood = game.the_turn().stood if game.list_shared(self.figure) else game.acting().cells
        # “oversized figures only take 1 wound from damaging obstacles per move” (seed 004), in one part or in several.
        hurt = game.the_turn().hurt_by_obstacle or (len(self.cells) > 1 and self.wounds > 0)
        turn = replace(spend_movement(game.the_turn(), self.cost), has_moved=True, stood=stood, hurt_by_obstacle=hurt)
        after = replace(game, turn=turn, through=None)
        piece = replace(game.acting(), cells=tuple(sorted(self.cells))).unmarked(AIM)
        return apply_wounds(after, piece, self.wounds)

    def title(self, game: Match2004) -> Said:
        moved = word_move(game, self.figure, self.cells)
        if not self.wounds:
            return moved
        return counted(
            "{moved}: {n} wound from obstacles", "{moved}: {n} wounds from obstacles", self.wounds, moved=moved
        )


class Take(ActingStep, frozen=True, kw_only=True, tag="take"):
    """A marine picks up the token in his space. People type the ``cost``, which the sources do not give (B3)."""

    rule = TOKEN_RULE
    label = said("Pick up a token")
    item: Annotated[Name, Asks(_which_item)]
    cost: Count = 0

    def rests_on_people(self, game: Match2004) -> bool:
        return self.cost > 0

    @classmethod
    def prompts(cls, game: Match2004) -> Iterator[Prompt]:
        for item in game.items if game.free_to_act() else ():
            if cls(item=item.id).is_allowed(game):
                yield cls.prompt(said("Take {item}", item=item.id), side=MARINES, urgency=1, item=item.id)

    def check(self, game: Match2004) -> None:
        super().check(game)
        marine = game.acting()
        require(marine.side == MARINES, said("only marines pick up tokens"))
        require(
            _item(game, self.item).cell in marine.cells,
            said("{figure} does not stand on {item}", figure=marine.id, item=self.item),
        )
        require(self.cost <= game.the_turn().movement, said("not enough movement is left"))
        if self.cost:
            require_way_on(game, marine.id, game.the_turn().movement - self.cost)

    def apply(self, game: Match2004) -> Match2004:
        item, marine = _item(game, self.item), game.acting()
        game = replace(game, items=tuple(other for other in game.items if other.id != item.id))
        turn = spend_movement(game.the_turn(), self.cost) if self.cost else game.the_turn()
        game = replace(game, turn=replace(turn, took=True))
        return _give(game, marine, item)

    def title(self, game: Match2004) -> Said:
        return said("{figure} takes {item}", figure=game.acting().id, item=self.item)


class SetDoor(ActingStep, frozen=True, kw_only=True, tag="door"):
    """Open or close a door beside the acting figure for two points. Security doors need their key."""

    rule = MOVE_RULE
    label = said("Open or close a door")
    door: Name
    open: bool

    @classmethod
    def prompts(cls, game: Match2004) -> Iterator[Prompt]:
        piece = game.free_to_act()
        for door in board_of(game).doors if piece is not None and game.ground else ():
            if cls(door=door.id, open=True).is_allowed(game):
                words = door_in_words(game, door)
                text = counted("Open {door}: {n} point", "Open {door}: {n} points", DOOR_POINTS, door=words)
                yield cls.prompt(text, side=game.acting().side, urgency=1, door=door.id, open=True)
        if _lacks_points_for_exit(game):
            text = said("Open {door}", door=str(game.setup.goals.escape_door))
            yield cls.prompt(text, side=MARINES, door=game.setup.goals.escape_door, open=True)

    @classmethod
    def word_nothing(cls, game: Match2004) -> Said | None:
        left = game.the_turn().movement
        return counted(
            "The exit: opening costs {cost}, {n} point is left",
            "The exit: opening costs {cost}, {n} points are left",
            left,
            cost=DOOR_POINTS,
        )

    def check(self, game: Match2004) -> None:
        super().check(game)
        piece = game.acting()
        require(
            (self.door in game.doors_open) != self.open,
            said("{door} is open already", door=self.door)
            if self.open
            else said("{door} is closed already", door=self.door),
        )
        require(
            game.the_turn().movement >= DOOR_POINTS,
            counted("a door costs {n} point of movement", "a door costs {n} points of movement", DOOR_POINTS),
        )
        key = game.setup.locks.get(self.door)
        if key is not None:
            require(piece.side == MARINES, said("invaders neither open nor close security doors"))
            require(
                key in game.keys,
                said(
                    "{door} is locked; a marine has to pick up “{key}” first",
                    door=self.door,
                    key=game.setup.name_key(key),
                ),
            )
        if game.ground:
            require(
                stands_at_door(game.rules, game, piece, self.door),
                said("{figure} does not stand beside {door}", figure=piece.id, door=self.door),
            )
            blocking = [] if self.open else _find_in_doorway(game, self.door)
            require(
                not blocking, said("{blocking} stands in the door, so it cannot be closed", blocking=named(blocking))
            )
            require_way_on(self._set(game), piece.id, game.the_turn().movement - DOOR_POINTS)

    def _set(self, game: Match2004) -> Match2004:
        doors = tuple(door for door in game.doors_open if door != self.door)
        return replace(game, doors_open=(*doors, self.door) if self.open else doors)

    def apply(self, game: Match2004) -> Match2004:
        after = self._set(game)
        if self.open:
            after = replace(after, areas_due=(*after.areas_due, *list_areas_behind(game, self.door)))
        return replace(after, turn=spend_movement(game.the_turn(), DOOR_POINTS))

    def title(self, game: Match2004) -> Said:
        figure = game.acting().id
        if self.open:
            return said("{figure} opens {door}", figure=figure, door=self.door)
        return said("{figure} closes {door}", figure=figure, door=self.door)


def _lacks_points_for_exit(game: Match2004) -> bool:
    """Return whether the acting marine lacks only the points to open the exit and win."""
    exit_id, piece = game.setup.goals.escape_door, game.free_to_act()
    if exit_id is None or piece is None or piece.side != MARINES or not game.ground or exit_id in game.doors_open:
        return False
    key = game.setup.locks.get(exit_id)
    has_key = key is None or key in game.keys
    is_short = game.turn is not None and game.turn.movement < DOOR_POINTS
    return has_key and is_short and stands_at_door(game.rules, game, piece, exit_id)


def list_areas_behind(game: Match2004, door: str) -> tuple[str, ...]:
    """Return the areas that this door reveals, without those already on the table or due."""
    known = (*game.areas_shown, *game.areas_due)
    return tuple(area.id for area in game.setup.areas if area.door == door and area.id not in known)


def _find_in_doorway(game: Match2004, door_id: str) -> list[str]:
    """Return the oversized figures that stand on both sides of a door (B3)."""
    sides = [set(edge.cells) for edge in door_of(game, door_id).edges]
    return [piece.id for piece in game.standing() if any(cells <= set(piece.cells) for cells in sides)]


def spend_movement(turn: Turn2004, cost: int) -> Turn2004:
    """Return the turn after a move. With Ready, the move replaces an attack."""
    attacks = 0 if turn.one_of_both else turn.attacks
    return replace(turn, movement=turn.movement - cost, attacks=attacks, took=False)


def _item(game: Match2004, item_id: str) -> BoardToken:
    found = next((item for item in game.items if item.id == item_id), None)
    return require_value(found, said("there is no token “{item}” on the board; choose another one", item=item_id))


def _give(game: Match2004, marine: Piece, item: BoardToken) -> Match2004:
    carried = game.equipment[marine.id]
    if item.kind == "key":
        return replace(game, keys=(*game.keys, item.what))
    if item.kind == "weapon":
        return game.with_equipment(marine.id, replace(carried, weapons=(*carried.weapons, item.what)))
    if item.kind == "ammo":
        ammo = {**carried.ammo, item.what: carried.ammo.get(item.what, 0) + item.count}
        return game.with_equipment(marine.id, replace(carried, ammo=ammo))
    if item.kind == "armor":
        return game.with_equipment(marine.id, replace(carried, armor=carried.armor + item.count))
    return game.with_piece(replace(marine, harm=max(0, marine.harm - item.count)))


def _find_cost(game: Match2004, figure: str, cells: Cells, points: int) -> int:
    """Return the fewest points to empty cells, or to a stop in a friend's.

    Raises:
        IllegalStep: the figure cannot get there.
    """
    wanted = tuple(sorted(cells))
    stop = next((stop.cost for stop in list_stops(game, figure, points) if stop.cells == wanted), None)
    return find_move_cost(game.rules, game, figure, cells, points) if stop is None else stop


def _count_straight(start: Cells, end: Cells) -> int:
    """Return the fewest points that any path between two places costs, or 0 if one is unknown."""
    if not start or not end:
        return 0
    (left, top), (column, row) = min(start), min(end)
    return max(abs(left - column), abs(top - row))


def count_move_wounds(game: Match2004, figure: str, cells: Cells, cost: int) -> int:
    """Return the fewest wounds from damaging obstacles on a move there for ``cost`` points."""
    damaging = game.damaging
    if not damaging:
        return 0
    board = board_of(game)
    ground = game.rules.move_ground(board, figure)
    start = game.piece(figure).cells
    found = find_fewest_wounds(ground, start, cells, cost, damaging)
    return count_obstacle_wounds((start, cells), damaging) if found is None else found


class TeleportMarine(ActingStep, frozen=True, kw_only=True, tag="teleport"):
    """A marine on a teleporter goes to another one and kills every invader there, even one with only a part there.

    People type the ``cost``: the seeds do not give it.
    """

    rule = TELEFRAG_RULE
    label = said("Teleport")
    teleporter: Annotated[Name, Asks(_which_teleporter)]
    cost: Count = 0
    wounds: Count | None = None
    """Wounds from a damaging obstacle there; None in older matches."""

    filled_later = frozenset({"wounds"})

    def rests_on_people(self, game: Match2004) -> bool:
        return True  # seed 004 describes the arrival, not the price or a teleporter's destination

    @classmethod
    def prompts(cls, game: Match2004) -> Iterator[Prompt]:
        piece, places = game.free_to_act(), game.setup.teleporters
        if piece is None or piece.side != MARINES or not game.the_turn().movement:
            return
        if any(place.cell in piece.cells for place in places):
            for place in places:
                if place.cell not in piece.cells:
                    text = said("Teleport to {teleporter}", teleporter=place.id)
                    yield cls.prompt(text, side=MARINES, teleporter=place.id)

    def settle(self, game: Match2004, chance: Chance) -> Self:
        if game.turn is None:
            return self
        path = (game.acting().cells, (_find(game, self.teleporter).cell,))
        return replace(self, wounds=count_obstacle_wounds(path, game.damaging) if path[0] else 0)

    def check(self, game: Match2004) -> None:
        super().check(game)
        marine, there = game.acting(), _find(game, self.teleporter)
        require(marine.side == MARINES, said("only marines teleport"))
        here = [other for other in game.setup.teleporters if other.cell in marine.cells and other.id != there.id]
        require(bool(here), said("{figure} does not stand on another teleporter", figure=marine.id))
        left = game.the_turn()
        require(left.movement > 0 and self.cost <= left.movement, said("not enough movement is left"))
        require_on_board(game, (there.cell,))
        mates = [piece.id for piece in game.standing(MARINES) if there.cell in piece.cells]
        require(
            not mates, said("{taken} stands on {teleporter}; choose another", taken=named(mates), teleporter=there.id)
        )

    def apply(self, game: Match2004) -> Match2004:
        there, turn = _find(game, self.teleporter), spend_movement(game.the_turn(), self.cost)
        for invader in _find_inside(game, there):
            game = frag(game, game.piece(invader))
        game = replace(game, turn=replace(turn, has_moved=True), through=None)
        return apply_wounds(game, replace(game.acting(), cells=(there.cell,)).unmarked(AIM), self.wounds or 0)

    def title(self, game: Match2004) -> Said:
        killed = _find_inside(game, _find(game, self.teleporter))
        if killed:
            return said("{figure} teleports and telefrags {killed}", figure=game.acting().id, killed=named(killed))
        return said("{figure} teleports", figure=game.acting().id)


def _find(game: Match2004, name: str) -> TeleporterSpace:
    """Return the teleporter of that name, or refuse the name."""
    found = next((each for each in game.setup.teleporters if each.id == name), None)
    unknown = said("there is no teleporter “{teleporter}”; choose one on the board", teleporter=name)
    return require_value(found, unknown)


def _find_inside(game: Match2004, place: TeleporterSpace) -> list[str]:
    return [piece.id for piece in game.standing(INVADER) if place.cell in piece.cells]


def _where_to(draft: Draft[Match2004]) -> Ask | None:
    """Ask for an empty place in reach or a stop in a friend's space; without a table people type the cells."""
    game, mover = draft.game, draft.game.mover()
    acts = game.ground and mover.figure is not None and mover.movement and draft.fields.get("figure") == mover.figure
    if not acts or not game.acting().cells:
        return None
    ends = game.rules.reach(board_of(game), game.acting().id, mover.movement or 0).ends
    places = [(end.cells, end.cost) for end in ends if end.cost and game.has_room({game.acting().id: end.cells})]
    places += [(stop.cells, stop.cost) for stop in list_stops(game, game.acting().id, mover.movement or 0)]
    picks = tuple(Pick(value=[list(cell) for cell in cells], cells=cells, cost=cost) for cells, cost in places)
    return Ask(field="cells", kind="spaces", text=said("Where to?"), picks=picks)


def _which_item(draft: Draft[Match2004]) -> Ask:
    return ask_item(draft.game.items)


def _which_teleporter(draft: Draft[Match2004]) -> Ask:
    return ask_token("teleporter", said("Which teleporter?"), draft.game.setup.teleporters)
