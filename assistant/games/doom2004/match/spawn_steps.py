"""New invaders from the box: by spawn cards, out of the marines' sight, and with later areas (rules B4; seed 002)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Self

from msgspec import field
from msgspec.structs import replace

from assistant.games.doom2004.match.invader_steps import InvaderStep, require_idle
from assistant.games.doom2004.match.setup import HAND_LIMIT, AreaSetup, word_group
from assistant.games.doom2004.match.state import Match2004
from assistant.games.doom2004.rules.areas import find_hidden_spaces
from assistant.match.asks import Ask, Asks, Draft, Pick, ask_card, ask_thing, hide_cards
from assistant.match.chance import Chance
from assistant.match.game import INVADER, MARINES, Cells, Count, Name, Prompt, find_by_name, require
from assistant.match.ground import board_of, require_on_board
from assistant.match.ways import shape_of
from assistant.rules.reasons import Rule
from assistant.table.board import Figure
from assistant.table.lattice import Cell, is_rectangle
from assistant.translations.messages import Said, counted, message, named, said

SPAWN_RULE = Rule(
    "doom2004/spawn-card",
    message("Rules, “Step 2: spawn”"),
    message("One spawn card a turn; its invaders come from the box, out of sight of every marine."),
)
AREA_RULE = Rule(
    "doom2004/areas",
    message("Rules, “Building the board”"),
    message("The start area is laid out first; a later one comes with its invaders and tokens when it is revealed."),
)


class Spawn(InvaderStep, frozen=True, kw_only=True, tag="spawn"):
    """Step 2: play one spawn card and place its invaders out of sight of every marine.

    ``group`` chooses between the card's halves. ``cells`` places each figure by name: all on the card, as far as the
    box has them. A figure stays in the box only if it finds no space (“Si el jugador invasor no puede encontrar un
    espacio legal”, seed 002). ``removed`` names invaders taken off the board to free their figures.
    """

    rule = SPAWN_RULE
    on_card = said("Play")
    is_secret = True
    card: Annotated[Name, Asks(_which_spawn_card)]
    group: Annotated[Count, Asks(_which_group)] = 0
    cells: Annotated[Mapping[str, Cells], Asks(_where_next)] = field(default_factory=dict)
    removed: tuple[Name, ...] = ()

    @classmethod
    def prompts(cls, game: Match2004) -> Iterator[Prompt]:
        if game.moment == "spawn" and len(game.deck.hand) <= HAND_LIMIT and not game.spawned:
            yield cls.prompt(said("Play a spawn card"), side=INVADER)

    def settle(self, game: Match2004, chance: Chance) -> Self:
        card = game.setup.cards.get(self.card)
        if not game.ground and not self.cells and card is not None and self.group < len(card.spawns):
            # Nobody has drawn this table: people place the whole group.
            return replace(self, cells={name: () for name in _still_to_come(game, card.spawns[self.group], {})})
        # No spaces means that the player found none for the invader.
        return replace(self, cells={name: cells for name, cells in self.cells.items() if cells})

    def check(self, game: Match2004) -> None:
        require(game.phase == "spawn", said("spawning is the second step of the invader's turn"))
        require(
            len(game.deck.hand) <= HAND_LIMIT,
            counted("discard down to {n} card first", "discard down to {n} cards first", HAND_LIMIT),
        )
        require(not game.spawned, said("play only one spawn card a turn"))
        require_idle(game)
        game.deck.taken(self.card)
        card = game.setup.cards[self.card]
        require(self.group < len(card.spawns), said("“{card}” has no such group to spawn", card=card.name))
        require_figures(game, card.spawns[self.group], self.cells, self.removed)
        require_bases(game, self.cells)
        freed = remove_figures(game, self.removed)
        require(freed.has_room(self.cells), said("spawned invaders need empty spaces"))
        seen = self._seen(freed)
        require(not seen, said("a marine sees where {seen} would stand; choose spaces out of sight", seen=named(seen)))
        self._require_all(freed, card.spawns[self.group])

    def _require_all(self, game: Match2004, group: Mapping[str, int]) -> None:
        """Refuse to leave out an invader that still finds a space."""
        if not game.ground:
            return
        game = game.with_piece(
            *(replace(game.piece(name), cells=tuple(sorted(c)), on_table=True) for name, c in self.cells.items())
        )
        for name in _still_to_come(game, group, self.cells):
            room = next(list_places(game, name), None)
            require(room is None, said("{figure} still finds a space out of sight; place it, too", figure=name))

    def _seen(self, game: Match2004) -> list[str]:
        """Return the new invaders with a space in a marine's sight, or none without a table."""
        if not game.ground:
            return []
        hidden = _find_hidden(game, {cell for cells in self.cells.values() for cell in cells})
        return [name for name, cells in self.cells.items() if not hidden.issuperset(cells)]

    def apply(self, game: Match2004) -> Match2004:
        game = replace(remove_figures(game, self.removed), deck=game.deck.without(self.card), spawned=True)
        return game.with_piece(
            *(replace(game.piece(name), cells=tuple(sorted(c)), on_table=True) for name, c in self.cells.items())
        )

    def title(self, game: Match2004) -> Said:
        if not self.cells:
            return said("The invader spawns nobody")
        return said("The invader spawns {figures}", figures=named(sorted(self.cells)))


def _find_hidden(game: Match2004, spaces: Iterable[Cell]) -> frozenset[Cell]:
    """Return the given spaces that no marine sees."""
    board = board_of(game)
    marines = [figure for figure in board.figures if figure.side == MARINES]
    return find_hidden_spaces(game.rules.on(board), marines, spaces)


def list_places(game: Match2004, name: str) -> Iterator[Cells]:
    """Yield every legal place for a new invader, row by row, with its base either way round.

    Raises:
        IllegalStep: the match has not seen the table.
    """
    board, setup = board_of(game), game.invader_setup(game.piece(name).kind)
    free = _find_hidden(game, board.cells - board.blocking - board.figure_at.keys())
    size = setup.size or _measure(shape_of(game, name))
    shapes = [[(x, y) for x in range(wide) for y in range(high)] for wide, high in dict.fromkeys((size, size[::-1]))]
    for column, row in sorted(free, key=lambda cell: (cell[1], cell[0])):
        for shape in shapes:
            cells = tuple((column + x, row + y) for x, y in shape)
            if free.issuperset(cells) and game.rules.may_stand(board, Figure(name, name, INVADER, cells)):
                yield cells


def require_figures(
    game: Match2004, wanted: Mapping[str, int], placed: Mapping[str, Cells], removed: tuple[str, ...]
) -> None:
    """Require that placed figures come from the box, fit the group, and that none is taken back without need.

    “Si el jugador invasor desea generar una figura en el tablero, pero ya está usando todas sus figuras disponibles,
    puede optar por eliminar una figura invasora del tablero, para que esa figura esté disponible para su colocación
    inmediata” (seed 002): a player takes a figure back only if the box has none left, and places it at once.

    Raises:
        IllegalStep: a condition fails.
    """
    for name in removed:
        piece = game.piece(name)
        require(piece.side == INVADER and piece.on_table, said("{figure} is not an invader on the board", figure=name))
        spare = [p.id for p in game.pieces.values() if p.kind == piece.kind and not p.on_table and p.id not in placed]
        require(not spare, said("the box still has {spare}; use that figure first", spare=named(spare)))
        require(name in placed, said("{figure} goes back to the board at once; say where", figure=name))
    allowed, freed = dict(wanted), remove_figures(game, removed)
    for name in placed:
        piece = freed.piece(name)
        require(not piece.on_table, said("{figure} is on the board; remove it first to use it", figure=name))
        allowed[piece.kind] = allowed.get(piece.kind, 0) - 1
        require(allowed[piece.kind] >= 0, said("this group has no more of {kind}", kind=piece.kind))


def require_bases(game: Match2004, placed: Mapping[str, Cells]) -> None:
    """Refuse a figure on spaces that do not fit its base, or on ground where it cannot stand.

    “Demons occupy 2 spaces.” “Other oversized figures … each occupy 4 spaces” (seed 004).

    Raises:
        IllegalStep: a figure does not fit.
    """
    for name, cells in placed.items():
        require_on_board(game, cells)
        size = game.invader_setup(game.piece(name).kind).size
        require(
            size is None or (not game.ground and not cells) or _measure(cells) in (size, size[::-1]),
            said("{figure} needs {size} spaces; choose as many", figure=name, size="×".join(map(str, size or ()))),
        )
        if game.ground and is_rectangle(frozenset(cells)):
            figure = Figure(name, name, INVADER, tuple(sorted(cells)))
            fits = game.rules.may_stand(board_of(game), figure)
            require(fits, said("{figure} cannot stand on this ground; choose other spaces", figure=name))


def remove_figures(game: Match2004, names: tuple[str, ...]) -> Match2004:
    """Take these figures off the board."""
    return game.with_piece(*(game.piece(name).gone() for name in names)) if names else game


def _measure(cells: Cells) -> tuple[int, int]:
    """Return the columns and rows of a base; ``(0, 0)`` for anything but a rectangle."""
    if not cells or not is_rectangle(frozenset(cells)) or len(set(cells)) != len(cells):
        return (0, 0)
    return (len({column for column, _ in cells}), len({row for _, row in cells}))


class RevealArea(InvaderStep, frozen=True, kw_only=True, tag="reveal_area"):
    """Lay out an area with its tokens, and with its invaders as far as the box has them.

    ``removed`` names invaders taken off the board because the box has none of their kind left. The program fills in
    ``cells``. The camera shows the board with the new pieces, before or after this step.
    """

    rule = AREA_RULE
    label = said("Lay out an area")
    area: Annotated[Name, Asks(_which_area)]
    removed: tuple[Name, ...] = ()
    cells: Mapping[str, Cells] = {}

    @classmethod
    def prompts(cls, game: Match2004) -> Iterator[Prompt]:
        for area in game.areas_due if game.moment == "area" else ():
            task = said("lay out the area {area}", area=area)
            yield cls.prompt(said("Lay out the new area: {area}", area=area), side=INVADER, task=task, area=area)

    def settle(self, game: Match2004, chance: Chance) -> Self:
        freed = remove_figures(game, tuple(name for name in self.removed if name in game.pieces))
        return replace(self, cells=_place_invaders(freed, find_area(game, self.area)))

    def check(self, game: Match2004) -> None:
        area = find_area(game, self.area)
        require(area.id not in game.areas_shown, said("that area is already on the table"))
        due = area.id in game.areas_due or area.door is None
        require(due and game.pending is None, said("that area is revealed when its door is opened"))
        for name in self.removed:
            piece = game.piece(name)
            require(
                piece.side == INVADER and piece.on_table, said("{figure} is not an invader on the board", figure=name)
            )
            require(name in self.cells, said("the box has enough of {kind}; take no figure back", kind=piece.kind))
            spare = [p.id for p in game.pieces.values() if p.kind == piece.kind and not p.on_table]
            left = [each for each in spare if each not in self.cells]
            require(not left, said("the box still has {spare}; use that figure first", spare=named(left)))
        has_room = remove_figures(game, self.removed).has_room(self.cells)
        require(has_room, said("a figure stands where an invader of the new area begins"))

    def apply(self, game: Match2004) -> Match2004:
        area, game = find_area(game, self.area), remove_figures(game, self.removed)
        placed = (replace(game.piece(name), cells=tuple(sorted(c)), on_table=True) for name, c in self.cells.items())
        return replace(
            game.with_piece(*placed),
            items=(*game.items, *area.items),
            areas_shown=(*game.areas_shown, area.id),
            areas_due=tuple(name for name in game.areas_due if name != area.id),
        )

    def title(self, game: Match2004) -> Said:
        if not self.cells:
            return said("A new area: {area}", area=self.area)
        return said("A new area: {area}, with {figures}", area=self.area, figures=named(sorted(self.cells)))


def find_area(game: Match2004, name: str) -> AreaSetup:
    """Return the area of that name.

    Raises:
        UnknownName: the scenario has no such area.
    """
    unknown = said("there is no area “{area}” in this scenario; choose another one", area=name)
    return find_by_name(game.setup.areas, "id", name, unknown)


def _place_invaders(game: Match2004, area: AreaSetup) -> dict[str, Cells]:
    """Return a figure for each invader of the area, in the order of the roster, while figures last (seed 002).

    If its spaces are taken, it goes to the nearest ones with room, or stays in the box.
    """
    placed: dict[str, Cells] = {}
    for invader in area.invaders:
        free = (p.id for p in game.pieces.values() if p.kind == invader.kind and not p.on_table and p.id not in placed)
        name = next(free, None)
        cells = None if name is None else _find_room(game, {**placed, name: invader.cells}, name)
        if name is not None and cells is not None:
            placed[name] = cells
    return placed


def _find_room(game: Match2004, wanted: Mapping[str, Cells], name: str) -> Cells | None:
    """Return the wanted spaces of a figure, or the nearest ones with room beside the others', or None without any."""
    if game.has_room(wanted):
        return wanted[name]
    board = board_of(game) if game.ground else None
    if board is None or not wanted[name]:
        return None
    left, top = min(wanted[name])
    shifts = sorted((max(abs(x - left), abs(y - top)), x - left, y - top) for x, y in board.cells)
    for _, right, down in shifts:
        cells = tuple((x + right, y + down) for x, y in wanted[name])
        is_free = board.cells.issuperset(cells) and game.has_room({**wanted, name: cells})
        if is_free and game.rules.may_stand(board, Figure(name, name, INVADER, tuple(sorted(cells)))):
            return cells
    return None


def _which_spawn_card(draft: Draft[Match2004]) -> Ask:
    """Ask for a spawn card of the hand with its invaders. A card with two groups appears twice."""
    if not draft.audience.sees(INVADER):
        return hide_cards("card", INVADER)
    cards = draft.game.setup.cards
    picks = tuple(
        Pick(
            value=card,
            text=said("{card_name}: {parts}", card_name=named([cards[card].name]), parts=word_group(group)),
            fills={"group": place},
        )
        for card in dict.fromkeys(draft.game.deck.hand)
        for place, group in enumerate(cards[card].spawns)
    )
    return replace(ask_card("card", ()), picks=picks)


def _which_group(draft: Draft[Match2004]) -> Ask:
    if not draft.audience.sees(INVADER):
        return hide_cards("group", INVADER)
    card = draft.game.setup.cards.get(str(draft.fields.get("card")))
    groups = () if card is None else card.spawns
    shown = ((place, word_group(group)) for place, group in enumerate(groups))
    return ask_thing("group", said("Which invaders come?"), shown)


def _where_next(draft: Draft[Match2004]) -> Ask | None:
    """Ask for the spaces of the card's next invader, one question after the other; skip one without space."""
    game, fields = draft.game, draft.fields
    card = game.setup.cards.get(str(fields.get("card")))
    if card is None or "group" not in fields or not draft.audience.sees(INVADER) or not game.ground:
        return None
    placed = dict(fields.get("cells", {}))
    name = next(_still_to_come(game, card.spawns[fields["group"]], placed), None)
    if name is None:
        return None
    standing = (
        replace(game.piece(one), cells=tuple(sorted((c, r) for c, r in cells)), on_table=True)
        for one, cells in placed.items()
        if cells
    )
    places = list_places(game.with_piece(*standing), name)
    picks = tuple(Pick(value={**placed, name: [list(cell) for cell in cells]}, cells=cells) for cells in places)
    return Ask(
        field="cells",
        kind="spaces",
        text=said("Where is {figure} placed?", figure=name),
        picks=picks,
        goes_on=True,
        may_skip=not picks,
        skipped={**placed, name: []},
        skip_text=said("{figure} finds no space", figure=name),
    )


def _still_to_come(game: Match2004, group: Mapping[str, int], placed: Mapping[str, Any]) -> Iterator[str]:
    """Yield the box's figures that the card brings besides those already placed."""
    for kind, count in group.items():
        left = count - sum(game.piece(name).kind == kind for name in placed)
        box = [p.id for p in game.pieces.values() if p.kind == kind and not p.on_table and p.id not in placed]
        yield from box[: max(0, left)]


def _which_area(draft: Draft[Match2004]) -> Ask:
    hidden = [area.id for area in draft.game.setup.areas if area.id not in draft.game.areas_shown]
    return ask_thing("area", said("Which area?"), ((area, named([area])) for area in hidden))
