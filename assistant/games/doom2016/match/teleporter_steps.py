"""Teleporters: coming back, going from one to another, telefrags (rules A4, A5)."""

from __future__ import annotations

from msgspec.structs import replace

from assistant.games.doom2016.match.marine_steps import ActivationStep
from assistant.games.doom2016.match.setup import CellPair, Teleporter
from assistant.games.doom2016.match.state import Match2016, frag, require_free_hands
from assistant.games.doom2016.match.trigger_rules import fire
from assistant.match.game import INVADER, MARINES, Name, Piece, SaltedStep, require, require_value
from assistant.match.ground import require_on_board
from assistant.translations.messages import Said, named, said


class RespawnAtTeleporter(SaltedStep[Match2016], frozen=True, kw_only=True, tag="respawn"):
    """A fragged marine comes back at the start of his activation; a demon in that cell is telefragged."""

    teleporter: Name

    def side(self, game: Match2016) -> str | None:
        """The marines decide."""
        return MARINES

    def check(self, game: Match2016) -> None:
        """He must be fragged, and the teleporter active and free of marines."""
        marine = game.acting(MARINES)
        require(not marine.on_table, said("{figure} is on the board already", figure=marine.id))
        require(
            not game.the_turn().fell, said("{figure} respawns at the start of his next activation", figure=marine.id)
        )
        require_teleporter(game, self.teleporter)

    def apply(self, game: Match2016) -> Match2016:
        """The game with the marine on the teleporter."""
        return teleport(self, game, replace(game.acting(), on_table=True), self.teleporter)

    def title(self, game: Match2016) -> Said:
        """What it does."""
        return said("{figure} respawns", figure=game.acting().id)


class Teleport(SaltedStep[Match2016], frozen=True, kw_only=True, tag="teleport"):
    """A marine moves from one active teleporter to another as if they were neighbours (A9 ``teleport_cost``)."""

    teleporter: Name

    def side(self, game: Match2016) -> str | None:
        """The marines decide."""
        return MARINES

    def check(self, game: Match2016) -> None:
        """He must stand on an active one with a point left, and the other be active and free of marines."""
        marine = game.acting(MARINES)
        require_free_hands(game)
        here = [t for t in game.setup.teleporters if t.cell in marine.cells and t.id in game.teleporters_active]
        require(bool(here), said("{figure} stands on no active teleporter", figure=marine.id))
        require(game.the_turn().movement >= _teleport_cost(game), said("no movement is left"))
        require_teleporter(game, self.teleporter)

    def apply(self, game: Match2016) -> Match2016:
        """The game with the marine there."""
        turn = game.the_turn()
        after = replace(game, turn=replace(turn, movement=turn.movement - _teleport_cost(game)))
        return teleport(self, after, after.acting(), self.teleporter)

    def title(self, game: Match2016) -> Said:
        """What it does."""
        return said("{figure} teleports", figure=game.acting().id)


class ActivateTeleporter(ActivationStep, frozen=True, kw_only=True, tag="activate_teleporter"):
    """A marine who stands on an inactive teleporter turns it over."""

    teleporter: Name

    def check(self, game: Match2016) -> None:
        """He must stand there, and it must be inactive."""
        super().check(game)
        place = teleporter_of(game, self.teleporter)
        require(place.id not in game.teleporters_active, said("{teleporter} is active already", teleporter=place.id))
        require(
            place.cell in game.acting().cells,
            said("{figure} does not stand on {teleporter}", figure=game.acting().id, teleporter=place.id),
        )

    def apply(self, game: Match2016) -> Match2016:
        """The game with the teleporter active."""
        return replace(game, teleporters_active=(*game.teleporters_active, self.teleporter))

    def title(self, game: Match2016) -> Said:
        """What it does."""
        return said("Teleporter {teleporter} is active", teleporter=self.teleporter)


def teleporter_of(game: Match2016, teleporter_id: str) -> Teleporter:
    """The teleporter of that name.

    Raises:
        IllegalStep: there is none.
    """
    found = next((t for t in game.setup.teleporters if t.id == teleporter_id), None)
    return require_value(
        found, said("there is no teleporter “{teleporter}”; choose one that is on the board", teleporter=teleporter_id)
    )


def require_teleporter(game: Match2016, teleporter_id: str) -> None:
    """Makes sure that a marine can appear on a teleporter.

    Raises:
        IllegalStep: it is inactive, or another marine stands there.
    """
    place = teleporter_of(game, teleporter_id)
    require(place.id in game.teleporters_active, said("{teleporter} is not active", teleporter=place.id))
    require_on_board(game, (place.cell,))
    taken = [piece.id for piece in game.standing(MARINES) if place.cell in piece.cells]
    require(not taken, said("{taken} stands on {teleporter}; choose another", taken=named(taken), teleporter=place.id))


def teleport(step: SaltedStep[Match2016], game: Match2016, marine: Piece, teleporter_id: str) -> Match2016:
    """The game with a marine on a teleporter and any demon there fragged."""
    cell: CellPair = teleporter_of(game, teleporter_id).cell
    for demon in game.standing(INVADER):
        if cell in demon.cells:
            game = frag(game, demon, step.chance)
    return fire(game.with_piece(replace(marine, cells=(cell,))), "area_entered", cells=(cell,))


def _teleport_cost(game: Match2016) -> int:
    return 1 if game.rules.options["teleport_cost"] == "step" else 0
