"""The teaching page for tiles, figures and doors, with its scripts' sentences."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.translations.messages import message
from web.parts import parts
from web.people.session import framed
from web.serving.routes import Answer, page

TEACH_TEXTS: Mapping[str, str] = {
    "teach_reading": message("Reading the photo… {seconds} s"),
    "teach_reading_of": message("Measuring {done} of {of}… {seconds} s"),
    "teach_keeping": message("Saving…"),
    "teach_edge": message("{place}: {kind}"),
    "teach_edge_doubtful": message("{place}: {kind}, doubtful"),
    "teach_edge_across": message("between row {row} and row {next}, column {column}"),
    "teach_edge_upright": message("between column {column} and column {next}, row {row}"),
    "teach_edge_top": message("upper side of column {column} row {row}"),
    "teach_edge_bottom": message("lower side of column {column} row {row}"),
    "teach_edge_left": message("left side of column {column} row {row}"),
    "teach_edge_right": message("right side of column {column} row {row}"),
    "kind_none": message("nothing printed"),
    "kind_wall": message("wall"),
    "kind_obstacle": message("obstacle"),
    "kind_impassable": message("impassable"),
    "teach_cell": message("Column {column} row {row}"),
    "teach_cell_plain": message("plain ground"),
    "teach_cell_difficult": message("difficult ground"),
    "teach_cell_out": message("not part of the tile"),
    "teach_doubtful": message("Doubtful places: {count}. They are marked with a question mark; check them."),
    "teach_sure": message("Every line was read clearly. Compare it with the tile anyway."),
    "teach_photos": message("Photos read together: {count}"),
    "teach_kept_tile": message("{tile} is in the tile set {set} now. Tile sides in it: {count}."),
    "teach_kept_figure": message("The figure is in {roster} now. Figures in it: {count}."),
    "teach_kept_line_up": message("The figures are in {roster} now. Figures in it: {count}."),
    "line_up_found": message("Figures: {figures}, in {groups} groups. Who are they?"),
    "line_up_sides": message("{fitting} of {photos} photos show the same figures."),
    "line_up_figure": message("Figure {number}"),
    "line_up_who": message("Who is it? For example: imp"),
    "line_up_side": message("Whose side it is on"),
    "line_up_no_size": message("Size still unknown"),
    "line_up_round": message("Round base, {mm} mm."),
    "line_up_rectangle": message("Rectangular base, {longer} x {shorter} mm."),
    "line_up_ring": message("With a painted ring."),
    "line_up_cut_off": message("The edge of the picture cuts it off."),
    "line_up_flat": message("It shows no base: a hand, a door, or a figure that lies down?"),
    "teach_kept_door": message("The doors are in {roster} now."),
    "teach_imported": message("The tile set {set} is imported. Tile sides in it: {count}."),
    "teach_base_diameter": message("Diameter of the base, in millimetres"),
    "teach_base_length": message("Length of the base, in millimetres"),
    "teach_ring": message("Ring colour"),
    "teach_no_ring": message("No coloured ring: the program recognises it by its looks."),
    "teach_one_side": message("With photos from three sides the program also recognises its looks."),
    "teach_figure_sides": message("Sides photographed: {sides}."),
    "teach_figure_sides_of": message(
        "Sides photographed: {sides}. Photos that add none: {others}. "
        "Turn the figure or walk round it for another side."
    ),
    "teach_ring_known": message("The roster already has a ring like this, so that one is used."),
    "teach_ring_shared": message(
        "{kinds} already has a ring like this. It is shared, and their looks tell them apart."
    ),
    "teach_door_size": message("{width} mm wide, {height} mm high; it closes {cells}."),
    "teach_one_edge": message("one edge"),
    "teach_many_edges": message("{count} edges"),
    "teach_sides": message("Tile sides: {count}"),
    "teach_export": message("Download {set}"),
    "teach_no_sets": message("There are no tile sets yet."),
}


BOX_TEXTS: Mapping[str, str] = {
    **TEACH_TEXTS,
    "box_batch": message("Batch {n}: photos of fronts {fronts}, of backs {backs}."),
    "box_reading": message("Reading the photo: {done} of {of} things, {seconds} s. Photos waiting: {waiting}."),
    "box_first": message("Looking for tiles… {seconds} s"),
    "box_count": message("Tile sides: {sides}. Check the {doubtful} with a frame."),
    "box_all_sure": message("Tile sides: {sides}. All were read clearly."),
    "box_card": message("{id}: doubtful places {doubts}"),
    "box_unpaired": message("Check its other side."),
    "box_unnamed": message("Check its name."),
    "box_no_backs": message("Its back is not photographed yet."),
    "box_name": message("My box"),
    "box_no_door": message("This looks like something else: {thing}. Save it only if it is a door."),
    "box_cut": message("The photo cuts it off."),
    "box_missing": message("Still missing: tiles {tiles}, doors {doors}."),
    "box_complete": message("Nothing is missing: tiles {tiles}, doors {doors}."),
    "box_alone": message("none"),
    "box_kept": message("{set} holds {count} tile sides now."),
    "box_door": message("Door, {width} x {height} mm"),
    "box_token": message("Token, {width} x {height} mm"),
    "box_card_thing": message("Card, {width} x {height} mm"),
    "box_unclear": message("Unclear, {width} x {height} mm"),
}


@page("/setup/box", "The page for teaching a whole box from photos of many tiles.")
def teach_box() -> Answer:
    return framed("teach/box", BOX_TEXTS)


@page("/setup/teach", "The page for teaching tiles, figures and doors.")
def teach() -> Answer:
    return framed("teach/teach", TEACH_TEXTS, has_desk=parts().desk is not None)
