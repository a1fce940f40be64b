"""Stores taught tiles, figures and doors in the named tile sets and rosters of the data folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeVar

from assistant.app.teaching.values import TaughtRoster
from assistant.documents import roster_from_json, tile_set_from_json
from assistant.documents.tiles import SharedAbout
from assistant.errors import CannotDo, PhotoError, UnknownName, Unteachable
from assistant.profiles import ProfileKind, Profiles
from assistant.table.camera import CameraLens, TableMarkers
from assistant.table.roster import BaseShape, DoorSpec, FigureLook, Roster, RosterFigure
from assistant.table.tiles import TileSet
from assistant.translations.messages import said
from calibration.arrays import BgrImage
from calibration.color import gray_from_bgr
from calibration.markers import find_markers
from calibration.pose import CameraView, lens_turned_to, solve_view
from vision.photo.paper_light import paper_light
from vision.teaching.door_sighting import NewDoorSighting, sight_door
from vision.teaching.figure_sighting import AskedBase, NewFigureSighting, from_sides, sight_bases
from vision.teaching.line_up import Company, company
from vision.teaching.roster_entries import empty_roster, free_id, merged_rosters, with_doors, with_figure
from vision.teaching.sighting import CELL_MM, THICKNESS_MM, sight_tile, squared_picture
from vision.teaching.tile_reading import MARGIN_CELLS, SIDE_PX, TileReading, picture_name, read_sighting
from vision.teaching.tile_sets import (
    SharedSet,
    TaughtSide,
    differing_sides,
    lay_out,
    lay_out_merged,
    merged_sets,
    new_tile_set,
    pack_tile_set,
    png_of,
    unpack_tile_set,
    with_sides,
)

_Answer = TypeVar("_Answer")


class MoreThanOneFigure(PhotoError):
    """Several things stand where only one figure was expected."""

    sentence = said("There is more than one thing on the table. Choose the one that is meant, or name them all.")


_TOUCHES = said(
    "Something seems to touch the figure. Stand it alone and take the photo again. If it is alone, name it under “All "
    "figures”."
)


@dataclass(frozen=True)
class TeachingTable:
    """The table under the camera, for teaching: its markers, the lens, and the game's measurements."""

    markers: TableMarkers
    lens: CameraLens | None
    cell_mm: float = CELL_MM
    thickness_mm: float = THICKNESS_MM

    def tile(self, photo: BgrImage) -> TileReading:
        """Read the tile on the table.

        Raises:
            PhotoError: the table or a tile on it was not found.
        """
        sighting = sight_tile(
            photo, self.view(photo), self.markers, cell_mm=self.cell_mm, thickness_mm=self.thickness_mm
        )
        return read_sighting(sighting, squared_picture(photo, sighting, SIDE_PX, MARGIN_CELLS))

    def bases(self, photo: BgrImage, base_shape: BaseShape | None = None) -> list[NewFigureSighting]:
        """Return the figure on the table with each possible base, the likeliest first.

        Args:
            photo: the photo.
            base_shape: the shape of its base, if a person chose one.

        Raises:
            MoreThanOneFigure: several things stand between the markers, or something touches the figure.
            CannotDo: the table or a figure on it was not found.
        """
        beside = self.company(photo)
        if beside.count > 1:
            raise MoreThanOneFigure
        if beside.touches:
            raise MoreThanOneFigure(_TOUCHES)
        return self._bases(photo, AskedBase(base_shape, cell_mm=self.cell_mm))

    def company(self, photo: BgrImage) -> Company:
        """Return whether the figure between the markers has company. Something right behind it counts as a part of it.

        Raises:
            PhotoError: the table was not found.
        """
        view = self.view(photo)
        return company(photo, view, paper_light(photo, view, self.markers), self.markers)

    def figure_from_sides(
        self,
        photos: Sequence[BgrImage],
        base_shape: BaseShape | None = None,
        spaces: tuple[int, int] | None = None,
    ) -> NewFigureSighting:
        """Combine photos of one figure from several sides, without those of another base, another ring or none.

        Args:
            photos: one photo from each side.
            base_shape: the shape of its base, if a person chose one.
            spaces: the spaces along its longer and its shorter side, if a person chose them; if no photo shows such a
                base, the result has other spaces.

        Raises:
            CannotDo: no photo shows the table and a figure on it.
        """
        asked = AskedBase(base_shape, spaces, self.cell_mm)
        try:
            return from_sides(self._sides(photos, asked), needs_one_ring=True)
        except CannotDo:
            if spaces is None:
                raise
            return from_sides(self._sides(photos, replace(asked, spaces=None)), needs_one_ring=True)

    def _sides(self, photos: Sequence[BgrImage], asked: AskedBase) -> list[list[NewFigureSighting]]:
        seen: list[list[NewFigureSighting]] = []
        refused: CannotDo | None = None
        for photo in photos:
            try:
                seen.append(self._bases(photo, asked))
            except CannotDo as problem:
                refused = problem
        if refused is not None and not seen:
            raise refused
        return seen

    def door(self, photo: BgrImage) -> NewDoorSighting:
        """Return the door that lies flat on the table.

        Raises:
            CannotDo: the table or a door on it was not found.
        """
        return sight_door(photo, self.view(photo), self.markers, cell_mm=self.cell_mm)

    def _bases(self, photo: BgrImage, asked: AskedBase) -> list[NewFigureSighting]:
        return sight_bases(photo, self.view(photo), self.markers, asked=asked)

    def view(self, photo: BgrImage) -> CameraView:
        """Locate the camera above the table by its markers.

        Raises:
            PhotoError: too few markers were found.
        """
        gray = gray_from_bgr(photo)
        lens = self.lens and lens_turned_to(gray, self.markers, self.lens)
        ids = [marker.id for marker in self.markers.markers]
        sightings = find_markers(gray, self.markers.marker_family, ids, lens=lens)
        return solve_view(sightings, self.markers, lens, image_wh=(photo.shape[1], photo.shape[0]))


def look_of(seen: NewFigureSighting) -> FigureLook:
    """Return the stored look of a figure."""
    return FigureLook(seen.sides, seen.ring, png_of(seen.look))


def taught_roster(name: str, roster: Roster) -> TaughtRoster:
    """Return the roster as an entry in the page's list."""
    figures = tuple((one.id, one.kind, one.side, one.ring) for one in roster.figures)
    return TaughtRoster(name, figures, roster.doors.count)


ImportWay = Literal["whole", "ask", "add", "replace"]
"""How an import treats an existing set of that name: ``whole`` puts the new one in its place, ``ask`` refuses if sides
differ, ``add`` adds only missing sides, ``replace`` adds all and replaces those of the same name."""


class WouldReplace(CannotDo):
    """Saving would replace tile sides that a person taught."""

    http_status = 409

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(said("The tile set already holds {names}. Replace what is there?", names=", ".join(names)))
        self.names = tuple(names)


class TaughtGames:
    """The tile sets and rosters of a data folder. Each change is a new version.

    Args:
        folder: the data folder.

    Attributes:
        keeping: lock held while saving: a set is read, extended and rewritten, so two savers at once would lose one
            change. Hold it as well from the choice of a name to its saving.
    """

    def __init__(self, folder: Path) -> None:
        self.profiles = Profiles(folder)
        self.keeping = self.profiles.changing

    def tile_set(self, name: str) -> TileSet | None:
        """Return the tile set of that name, or None if there is none yet."""
        return self._if_there("tiles", name, lambda: tile_set_from_json(self.profiles.read("tiles", name), name))

    def roster(self, name: str) -> Roster | None:
        """Return the roster of that name, or None if there is none yet."""
        return self._if_there("roster", name, lambda: roster_from_json(self.profiles.read("roster", name), name))

    def require_new_sides(self, name: str, ids: Sequence[str]) -> None:
        """Check that the set of that name has none of these sides yet.

        Raises:
            WouldReplace: it has some.
            Unteachable: one of them would share a picture file with another side.
        """
        self.require_distinct_sides(name, ids)
        before = self.tile_set(name)
        held = {side.id for side in before.sides} & set(ids) if before is not None else set()
        if held:
            raise WouldReplace(sorted(held))

    def require_distinct_sides(self, name: str, ids: Sequence[str]) -> None:
        """Check that each of these sides would have a picture file of its own in the set of that name.

        Raises:
            Unteachable: a name is too like another side's, or cannot be a tile's name.
        """
        before = self.tile_set(name)
        held = {} if before is None else {side.image.casefold(): side.id for side in before.sides}
        for one in ids:
            if held.get(picture_name(one).casefold(), one) != one:
                raise Unteachable("alike", one, field="id")

    def keep_sides(
        self,
        name: str,
        taught: Sequence[TaughtSide],
        table: TeachingTable,
        *,
        may_replace: bool,
        in_white_light: bool = True,
    ) -> TileSet:
        """Add tile sides to the set of that name, creating it if needed, and return the whole set.

        ``in_white_light`` means that a sheet of paper gave the pictures' white balance.

        Raises:
            WouldReplace: the set already has sides of these names, and ``may_replace`` is off.
            BadValue: the set has pictures of another scale, or the name is not allowed.
            StoreError: it cannot be written; the set is unchanged.
        """
        with self.keeping:
            if not may_replace:
                self.require_new_sides(name, [one.side.id for one in taught])
            before = self.tile_set(name)
            base = before or new_tile_set(name, cell_mm=table.cell_mm, thickness_mm=table.thickness_mm)
            after = replace(with_sides(base, taught), in_white_light=base.in_white_light and in_white_light)
            source = None if before is None else self.profiles.path("tiles", name)
            lay_out(after, taught, source, lambda folder: self.profiles.keep_tiles(name, folder))
        return after

    def keep_figure(self, name: str, figure: RosterFigure) -> Roster:
        """Add a figure to the roster of that name, creating it if needed, and return the whole roster.

        Raises:
            DocumentError: the figure's fields break the format.
            StoreError: it cannot be written; the roster is unchanged.
        """
        return self.keep_figures(name, [figure])

    def keep_figures(self, name: str, figures: Sequence[RosterFigure]) -> Roster:
        """Add several figures at once, as ``keep_figure`` does."""
        with self.keeping:
            document = self._roster_document(name)
            for figure in figures:
                document = with_figure(document, figure)
            self.profiles.keep("roster", name, document)
        return roster_from_json(document, name)

    def keep_doors(self, name: str, doors: DoorSpec, look: BgrImage | None) -> Roster:
        """Add the doors to the roster of that name, as ``keep_figure`` does."""
        with self.keeping:
            document = with_doors(self._roster_document(name), doors, None if look is None else png_of(look))
            self.profiles.keep("roster", name, document)
        return roster_from_json(document, name)

    def free_id(self, name: str, kind: str) -> str:
        """Return an unused name for another figure of a kind in that roster."""
        return free_id(self._roster_document(name), kind)

    def exported(self, name: str, roster_name: str | None = None, made_by: str = "") -> bytes:
        """Export the tile set of that name as a zip, optionally with a roster and the maker's name.

        Raises:
            UnknownName: there is none.
        """
        roster = None if roster_name is None else self.profiles.read("roster", roster_name)
        about = SharedAbout(made_by, self.profiles.version("tiles", name)) if made_by or roster is not None else None
        return pack_tile_set(self.profiles.path("tiles", name), roster=roster, about=about)

    def imported(self, name: str | None, data: bytes, way: ImportWay = "whole") -> tuple[str, TileSet]:
        """Import a tile set and its roster from a zip under a name or its own, and return name and set.

        Raises:
            InputError: the zip, its document or a picture in it is faulty; nothing is changed.
            WouldReplace: sides would be replaced, and ``way`` is ``ask``.
            StoreError: it cannot be written.
        """

        def keep(shared: SharedSet) -> tuple[str, TileSet]:
            chosen = name or shared.tile_set.name
            with self.keeping:
                mine = self.tile_set(chosen)
                if mine is None or way == "whole":
                    self.profiles.keep_tiles(chosen, shared.folder)
                else:
                    self._merge(chosen, mine, shared, way)
                if shared.roster is not None:
                    before = self._if_there("roster", chosen, lambda: self.profiles.read("roster", chosen))
                    theirs_win = way in ("whole", "replace")
                    merged = before and merged_rosters(before, shared.roster, theirs_win=theirs_win)
                    self.profiles.keep("roster", chosen, merged or shared.roster)
                return chosen, self.tile_set(chosen) or shared.tile_set

        return unpack_tile_set(data, keep)

    def about(self, data: bytes) -> SharedAbout | None:
        """Return the maker of the set in a zip, or None if it names none."""
        return unpack_tile_set(data, lambda shared: shared.about)

    def _merge(self, name: str, mine: TileSet, shared: SharedSet, way: ImportWay) -> None:
        mine_at = self.profiles.path("tiles", name)
        differing = differing_sides(mine, mine_at, shared)
        if differing and way == "ask":
            raise WouldReplace(differing)
        whole, pictures = merged_sets(mine, mine_at, shared, theirs_win=way == "replace")
        lay_out_merged(whole, pictures, lambda folder: self.profiles.keep_tiles(name, folder))

    def _roster_document(self, name: str) -> bytes:
        return self._if_there("roster", name, lambda: self.profiles.read("roster", name)) or empty_roster()

    def _if_there(self, kind: ProfileKind, name: str, read: Callable[[], _Answer]) -> _Answer | None:
        try:
            self.profiles.path(kind, name)
        except UnknownName:
            return None
        return read()
