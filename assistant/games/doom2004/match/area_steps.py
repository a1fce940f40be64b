"""Areas of the scenario that are laid out later (seed 002: “cuando se revela una nueva área del escenario”)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from msgspec.structs import replace

from assistant.games.doom2004.match.invader_steps import InvaderStep
from assistant.games.doom2004.match.setup import AreaSetup
from assistant.games.doom2004.match.spawn_steps import remove_figures
from assistant.games.doom2004.match.state import Match2004
from assistant.match.chance import Chance
from assistant.match.game import INVADER, Cells, Name, find_by_name, require
from assistant.translations.messages import Said, named, said


class RevealArea(InvaderStep, frozen=True, kw_only=True, tag="reveal_area"):
    """The invader lays out an area: its invaders come of the box as far as it has them, and its tokens.

    ``removed`` names invaders taken off the board because the box has none of their kind left. The program fills in
    who stands where (``cells``). The board with the new pieces is shown by the camera, before or after.
    """

    area: Name
    removed: tuple[Name, ...] = ()
    cells: Mapping[str, Cells] = {}

    def settle(self, game: Match2004, chance: Chance) -> Self:
        """The step with a figure of the box for each invader that the scenario shows there."""
        freed = remove_figures(game, tuple(name for name in self.removed if name in game.pieces))
        return replace(self, cells=_place_invaders(freed, find_area(game, self.area)))

    def check(self, game: Match2004) -> None:
        """It must be due (or have no door), its spaces be empty, and nobody be taken back without need."""
        area = find_area(game, self.area)
        require(area.id not in game.areas_shown, said("that area lies on the table already"))
        due = area.id in game.areas_due or area.door is None
        require(due and game.pending is None, said("that area is revealed when its door is opened"))
        for name in self.removed:
            piece = game.piece(name)
            require(piece.side == INVADER and piece.on_table, said("{figure} is no invader on the board", figure=name))
            require(name in self.cells, said("the box has enough of {kind}; nobody is taken back", kind=piece.kind))
            spare = [p.id for p in game.pieces.values() if p.kind == piece.kind and not p.on_table]
            left = [each for each in spare if each not in self.cells]
            require(not left, said("the box still has {spare}; use that figure first", spare=named(left)))
        taken = remove_figures(game, self.removed).places_after(self.cells)
        require(len(set(taken)) == len(taken), said("somebody stands where an invader of the new area begins"))

    def apply(self, game: Match2004) -> Match2004:
        """The game with the area on the table."""
        area, game = find_area(game, self.area), remove_figures(game, self.removed)
        placed = (replace(game.piece(name), cells=tuple(sorted(c)), on_table=True) for name, c in self.cells.items())
        return replace(
            game.with_piece(*placed),
            items=(*game.items, *area.items),
            areas_shown=(*game.areas_shown, area.id),
            areas_due=tuple(name for name in game.areas_due if name != area.id),
        )

    def title(self, game: Match2004) -> Said:
        """What it does."""
        if not self.cells:
            return said("A new area: {area}", area=self.area)
        return said("A new area: {area}, with {figures}", area=self.area, figures=named(sorted(self.cells)))


def find_area(game: Match2004, name: str) -> AreaSetup:
    """The area of that name.

    Raises:
        UnknownName: the scenario has none.
    """
    unknown = said("there is no area “{area}” in this scenario; choose one that it has", area=name)
    return find_by_name(game.setup.areas, "id", name, unknown)


def _place_invaders(game: Match2004, area: AreaSetup) -> dict[str, Cells]:
    """A figure for each invader of the area, in the order of the roster; who finds none stays out (seed 002)."""
    placed: dict[str, Cells] = {}
    for invader in area.invaders:
        free = (p.id for p in game.pieces.values() if p.kind == invader.kind and not p.on_table and p.id not in placed)
        name = next(free, None)
        if name is not None:
            placed[name] = invader.cells
    return placed
