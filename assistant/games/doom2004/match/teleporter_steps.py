"""Teleporters and telefrags (seed 004, p. 11 “Telefrags”); what a teleport costs is told, the seeds do not say."""

from __future__ import annotations

from msgspec.structs import replace

from assistant.games.doom2004.match.board_steps import ActingStep, spend_movement
from assistant.games.doom2004.match.setup import TeleporterSpace
from assistant.games.doom2004.match.state import AIM, Match2004, frag
from assistant.match.game import INVADER, MARINES, Count, Name, require, require_value
from assistant.match.ground import require_on_board
from assistant.translations.messages import Said, named, said


class TeleportMarine(ActingStep, frozen=True, kw_only=True, tag="teleport"):
    """A marine on a teleporter appears on another one; an invader there, or with a part of it there, is killed."""

    teleporter: Name
    cost: Count = 0

    def check(self, game: Match2004) -> None:
        """He must stand on another teleporter, have the points, and no marine stand there."""
        super().check(game)
        marine, there = game.acting(), _find(game, self.teleporter)
        require(marine.side == MARINES, said("only marines teleport"))
        here = [other for other in game.setup.teleporters if other.cell in marine.cells and other.id != there.id]
        require(bool(here), said("{figure} does not stand on another teleporter", figure=marine.id))
        left = game.the_turn()
        require(left.movement > 0 and self.cost <= left.movement, said("there is not so much movement left"))
        require_on_board(game, (there.cell,))
        mates = [piece.id for piece in game.standing(MARINES) if there.cell in piece.cells]
        require(
            not mates, said("{taken} stands on {teleporter}; choose another", taken=named(mates), teleporter=there.id)
        )

    def apply(self, game: Match2004) -> Match2004:
        """The game with the marine there, and whoever he has materialized in dead."""
        there, turn = _find(game, self.teleporter), spend_movement(game.the_turn(), self.cost)
        for invader in _find_inside(game, there):
            game = frag(game, game.piece(invader))
        game = replace(game, turn=replace(turn, has_moved=True), through=None)
        return game.with_piece(replace(game.acting(), cells=(there.cell,)).unmarked(AIM))

    def title(self, game: Match2004) -> Said:
        """What it does."""
        killed = _find_inside(game, _find(game, self.teleporter))
        if killed:
            return said("{figure} teleports and telefrags {killed}", figure=game.acting().id, killed=named(killed))
        return said("{figure} teleports", figure=game.acting().id)


def _find(game: Match2004, name: str) -> TeleporterSpace:
    """The teleporter of that name.

    Raises:
        IllegalStep: there is none.
    """
    found = next((each for each in game.setup.teleporters if each.id == name), None)
    unknown = said("there is no teleporter “{teleporter}”; choose one that is on the board", teleporter=name)
    return require_value(found, unknown)


def _find_inside(game: Match2004, place: TeleporterSpace) -> list[str]:
    return [piece.id for piece in game.standing(INVADER) if place.cell in piece.cells]
