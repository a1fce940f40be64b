"""The open points of DOOM (2016) as options of the house, the default first (table A9 of the rules facts)."""

from __future__ import annotations

from assistant.rules.options import Option
from assistant.translations.messages import message

OPTIONS = (
    Option(
        "los_corner_touch",
        ("graze", "always_clear", "strict"),
        message(
            "What does a corner do that a line only touches: nothing while barriers lie on one side of the line alone, "
            "never anything, or always stop it?"
        ),
        message("restatement of Rules Reference, “Line of Sight”; one side inferred, so that walls stay opaque"),
        title=message("a corner that a line only touches"),
        choice_titles=(
            message("stops it with barriers on both sides"),
            message("never stops it"),
            message("as strictly as can be"),
        ),
    ),
    Option(
        "los_pinch",
        ("blocked", "open"),
        message("May a slanted line pass through the point where two barriers meet diagonally?"),
        message("not in the sources; as in Imperial Assault"),
        title=message("the point where two barriers meet"),
        choice_titles=(
            message("stops it"),
            message("lets it through"),
        ),
    ),
    Option(
        "los_shared_corner",
        ("same_sector", "needs_length"),
        message("Do two figures see each other through a corner that they share, where no barrier parts them there?"),
        message("not in the sources; inferred"),
        title=message("sight through a shared corner"),
        choice_titles=(
            message("if nothing parts them there"),
            message("never"),
        ),
    ),
    Option(
        "large_los_cells",
        ("any_cell", "outer_corners"),
        message("Which corners count for a large figure: those of every cell under it, or the four of its base?"),
        message("as in Imperial Assault; inferred"),
        title=message("corners of a large figure"),
        choice_titles=(
            message("those of every space"),
            message("the four of its base"),
        ),
    ),
    Option(
        "target_on_obstacle",
        ("ignore_own", "literal"),
        message(
            "For a figure that stands on an obstacle: do the red sides of its own cells stop lines to and from it?"
        ),
        message("as in Imperial Assault; inferred"),
        title=message("red sides under the figure itself"),
        choice_titles=(
            message("do not count"),
            message("count"),
        ),
    ),
    Option(
        "cover_corner",
        ("same_best", "declared", "any"),
        message(
            "From which corner is cover traced: the best one that sees, the one that the attacker names, or "
            "does any corner that sees and is hindered give cover?"
        ),
        message("restatement of Rules Reference, “Cover”; the choice of the best inferred"),
        title=message("the corner that cover is traced from"),
        choice_titles=(
            message("the best one that sees"),
            message("the one that is named"),
            message("any that sees"),
        ),
    ),
    Option(
        "cover_touch",
        ("as_sight", "gives_cover"),
        message("Does a barrier that a line only touches at a corner give cover?"),
        message("not in the sources; inferred"),
        title=message("cover by a corner that is only touched"),
        choice_titles=(
            message("as for sight"),
            message("gives cover"),
        ),
    ),
    Option(
        "cover_doors",
        ("yes", "no"),
        message("Do closed doors give cover?"),
        message("Learn to Play, “Cover”, first sentence"),
        title=message("cover by closed doors"),
        choice_titles=(
            message("yes"),
            message("no"),
        ),
    ),
    Option(
        "cover_difficult_border",
        ("inside", "border"),
        message("Does difficult terrain give cover only to lines that enter it, or also to those on its border?"),
        message("not in the sources; inferred"),
        title=message("cover along the border of difficult ground"),
        choice_titles=(
            message("only inside"),
            message("on the border, too"),
        ),
    ),
    Option(
        "cover_figure_border",
        ("inside", "edge"),
        message("Does a figure give cover only to lines that enter its cell, or also to those along its side?"),
        message("not in the sources; inferred"),
        title=message("cover along a figure's side"),
        choice_titles=(
            message("only inside"),
            message("along its side, too"),
        ),
    ),
    Option(
        "cover_defender_in_difficult",
        ("yes", "no"),
        message("Does the difficult terrain under the defender give it cover?"),
        message("Learn to Play, “Cover”, taken literally"),
        title=message("cover by the ground under the target"),
        choice_titles=(
            message("yes"),
            message("no"),
        ),
    ),
    Option(
        "cover_attacker_in_difficult",
        ("yes", "no"),
        message("Does the difficult terrain under the attacker give the defender cover?"),
        message("Learn to Play, “Cover”, taken literally"),
        title=message("cover by the ground under the shooter"),
        choice_titles=(
            message("yes"),
            message("no"),
        ),
    ),
    Option(
        "range_metric",
        ("adjacency", "obstacles_closed", "chebyshev"),
        message("How is range counted: in steps round walls and closed doors, round obstacles as well, or straight?"),
        message("inferred from Learn to Play, “Terrain and walls”"),
        title=message("how range is counted"),
        choice_titles=(
            message("round walls and closed doors"),
            message("round obstacles, too"),
            message("straight"),
        ),
    ),
    Option(
        "diagonal_at_vertex",
        ("two_l", "free", "strict"),
        message(
            "When is a diagonal step past a corner free: if one of its two detours is, unless four barriers meet "
            "there, or only if none touches the corner?"
        ),
        message("not in the sources; inferred"),
        title=message("diagonal steps past a corner"),
        choice_titles=(
            message("if one detour is free"),
            message("free unless four barriers meet"),
            message("as strictly as can be"),
        ),
    ),
    Option(
        "impassable_movement",
        ("blocks", "free"),
        message("Do impassable lines stop small figures?"),
        message("Learn to Play, “Terrain and walls” (p. 10), against its quick reference"),
        title=message("impassable lines and small figures"),
        choice_titles=(
            message("stop them"),
            message("let them through"),
        ),
    ),
    Option(
        "cost_stacking",
        ("add", "at_most_one"),
        message("Do difficult terrain and an enemy in the same cell cost one point each, or one in all?"),
        message("not in the sources; inferred"),
        title=message("difficult ground and an enemy in one cell"),
        choice_titles=(
            message("a point each"),
            message("one point in all"),
        ),
    ),
    Option(
        "door_reach",
        ("edge", "corner"),
        message("From which cells is a door opened: those along it, or also those that touch its ends?"),
        message("as in Imperial Assault"),
        title=message("from where a door is opened"),
        choice_titles=(
            message("from the cells along it"),
            message("from its ends, too"),
        ),
    ),
    Option(
        "large_vs_large",
        ("pass", "stop"),
        message("May a large figure move through another large one?"),
        message("inferred from Learn to Play, “Large figures and movement”"),
        title=message("a large figure through another"),
        choice_titles=(
            message("may pass"),
            message("may not pass"),
        ),
    ),
    Option(
        "rotate_block",
        ("final_place",),
        message(
            "What must a turn keep clear of: its final place must lie across no wall or door and on no large figure."
        ),
        message("not in the sources; inferred"),
        title=message("what a turn keeps clear of"),
        choice_titles=(message("its final place alone"),),
    ),
    Option(
        "stun_drop_die",
        ("controller", "weakest", "strongest"),
        message(
            "Which die does a stunned attacker leave out: one that its player chooses, the weakest or the strongest?"
        ),
        message("not in the sources; inferred"),
        title=message("the die that a stunned attacker leaves out"),
        choice_titles=(
            message("its player's choice"),
            message("the weakest"),
            message("the strongest"),
        ),
    ),
    Option(
        "stun_thick_skin",
        ("applies", "lost"),
        message("Does a stunned defender keep the shield of its thick skin?"),
        message("inferred: it is no card"),
        title=message("thick skin of a stunned defender"),
        choice_titles=(
            message("holds"),
            message("is lost"),
        ),
    ),
    Option(
        "glory_cost",
        ("normal", "no_extra"),
        message("Does entering the cell of a staggered demon cost the extra point of an enemy's cell?"),
        message("not in the sources; inferred"),
        title=message("entering a staggered demon's cell"),
        choice_titles=(
            message("costs the point more"),
            message("costs nothing more"),
        ),
    ),
    Option(
        "teleport_cost",
        ("step", "free"),
        message("Does going from one active teleporter to another cost a point like a step, or nothing?"),
        message("Learn to Play, “Teleporters”: “without any penalty”"),
        title=message("from teleporter to teleporter"),
        choice_titles=(
            message("costs a step"),
            message("costs nothing"),
        ),
    ),
    Option(
        "event_hand",
        ("6", "7"),
        message("Up to how many event cards does the invader draw?"),
        message("Learn to Play, fuller of two paragraphs"),
        title=message("event cards in the invader's hand"),
        choice_titles=(
            message("6 cards"),
            message("7 cards"),
        ),
    ),
    Option(
        "initiative_types",
        ("at_status", "at_once"),
        message(
            "Does a demon type that arrives during the round add its initiative card with the next status phase, or "
            "at once?"
        ),
        message("not in the sources; inferred"),
        title=message("the initiative card of a new type of demon"),
        choice_titles=(
            message("with the next status phase"),
            message("at once"),
        ),
    ),
)
"""Every option; those of dice, cards and turn order are named here and read by the rooms that need them."""
