"""The open points of DOOM (2016) as options of the house, the default first (table A9 of the rules facts)."""

from __future__ import annotations

from assistant.rules.options import Option

_FANDOM = "restatement of Rules Reference, “Line of Sight”"
_INFERRED = "not in the sources; inferred"

OPTIONS = (
    Option(
        "los_corner_touch",
        ("graze", "always_clear", "strict"),
        "What does a corner do that a line only touches: nothing while barriers lie on one side of the line alone, "
        "never anything, or always stop it?",
        _FANDOM + "; one side inferred, so that walls stay opaque",
        title="a corner that a line only touches",
        choice_titles={
            "graze": "stops it with barriers on both sides",
            "always_clear": "never stops it",
            "strict": "as strictly as can be",
        },
    ),
    Option(
        "los_pinch",
        ("blocked", "open"),
        "May a slanted line pass through the point where two barriers meet diagonally?",
        "not in the sources; as in Imperial Assault",
        title="the point where two barriers meet",
        choice_titles={"blocked": "stops it", "open": "lets it through"},
    ),
    Option(
        "los_shared_corner",
        ("same_sector", "needs_length"),
        "Do two figures see each other through a corner that they share, where no barrier parts them there?",
        _INFERRED,
        title="sight through a shared corner",
        choice_titles={"same_sector": "if nothing parts them there", "needs_length": "never"},
    ),
    Option(
        "large_los_cells",
        ("any_cell", "outer_corners"),
        "Which corners count for a large figure: those of every cell under it, or the four of its base?",
        "as in Imperial Assault; inferred",
        title="corners of a large figure",
        choice_titles={"any_cell": "those of every space", "outer_corners": "the four of its base"},
    ),
    Option(
        "target_on_obstacle",
        ("ignore_own", "literal"),
        "For a figure that stands on an obstacle: do the red sides of its own cells stop lines to and from it?",
        "as in Imperial Assault; inferred",
        title="red sides under the figure itself",
        choice_titles={"ignore_own": "do not count", "literal": "count"},
    ),
    Option(
        "cover_corner",
        ("same_best", "declared", "any"),
        "From which corner is cover traced: the best one that sees, the one that the attacker names, or "
        "does any corner that sees and is hindered give cover?",
        "restatement of Rules Reference, “Cover”; the choice of the best inferred",
        title="the corner that cover is traced from",
        choice_titles={
            "same_best": "the best one that sees",
            "declared": "the one that is named",
            "any": "any that sees",
        },
    ),
    Option(
        "cover_touch",
        ("as_sight", "gives_cover"),
        "Does a barrier that a line only touches at a corner give cover?",
        _INFERRED,
        title="cover by a corner that is only touched",
        choice_titles={"as_sight": "as for sight", "gives_cover": "gives cover"},
    ),
    Option(
        "cover_doors",
        ("yes", "no"),
        "Do closed doors give cover?",
        "Learn to Play, “Укрытие”, first sentence",
        title="cover by closed doors",
        choice_titles={"yes": "yes", "no": "no"},
    ),
    Option(
        "cover_difficult_border",
        ("inside", "border"),
        "Does difficult terrain give cover only to lines that enter it, or also to those on its border?",
        _INFERRED,
        title="cover along the border of difficult ground",
        choice_titles={"inside": "only inside", "border": "on the border, too"},
    ),
    Option(
        "cover_figure_border",
        ("inside", "edge"),
        "Does a figure give cover only to lines that enter its cell, or also to those along its side?",
        _INFERRED,
        title="cover along a figure's side",
        choice_titles={"inside": "only inside", "edge": "along its side, too"},
    ),
    Option(
        "cover_defender_in_difficult",
        ("yes", "no"),
        "Does the difficult terrain under the defender give it cover?",
        "Learn to Play, “Укрытие”, taken literally",
        title="cover by the ground under the target",
        choice_titles={"yes": "yes", "no": "no"},
    ),
    Option(
        "cover_attacker_in_difficult",
        ("yes", "no"),
        "Does the difficult terrain under the attacker give the defender cover?",
        "Learn to Play, “Укрытие”, taken literally",
        title="cover by the ground under the shooter",
        choice_titles={"yes": "yes", "no": "no"},
    ),
    Option(
        "range_metric",
        ("adjacency", "obstacles_closed", "chebyshev"),
        "How is range counted: in steps round walls and closed doors, round obstacles as well, or straight?",
        "inferred from Learn to Play, “Местность и стены”",
        title="how range is counted",
        choice_titles={
            "adjacency": "round walls and closed doors",
            "obstacles_closed": "round obstacles, too",
            "chebyshev": "straight",
        },
    ),
    Option(
        "diagonal_at_vertex",
        ("two_l", "free", "strict"),
        "When is a diagonal step past a corner free: if one of its two detours is, unless four barriers meet there, "
        "or only if none touches the corner?",
        _INFERRED,
        title="diagonal steps past a corner",
        choice_titles={
            "two_l": "if one detour is free",
            "free": "free unless four barriers meet",
            "strict": "as strictly as can be",
        },
    ),
    Option(
        "impassable_movement",
        ("blocks", "free"),
        "Do impassable lines stop small figures?",
        "Learn to Play, “Местность и стены” (p. 10), against its quick reference",
    ),
    Option(
        "cost_stacking",
        ("add", "at_most_one"),
        "Do difficult terrain and an enemy in the same cell cost one point each, or one in all?",
        _INFERRED,
    ),
    Option(
        "door_reach",
        ("edge", "corner"),
        "From which cells is a door opened: those along it, or also those that touch its ends?",
        "as in Imperial Assault",
    ),
    Option(
        "large_vs_large",
        ("pass", "stop"),
        "May a large figure move through another large one?",
        "inferred from Learn to Play, “Большие фигуры и движение”",
    ),
    Option(
        "rotate_block",
        ("final_place",),
        "What must a turn keep clear of: its final place must lie across no wall or door and on no large figure.",
        _INFERRED,
    ),
    Option(
        "stun_drop_die",
        ("controller", "weakest", "strongest"),
        "Which die does a stunned attacker leave out: one that its player chooses, the weakest or the strongest?",
        _INFERRED,
    ),
    Option(
        "stun_thick_skin",
        ("applies", "lost"),
        "Does a stunned defender keep the shield of its thick skin?",
        "inferred: it is no card",
    ),
    Option(
        "glory_cost",
        ("normal", "no_extra"),
        "Does entering the cell of a staggered demon cost the extra point of an enemy's cell?",
        _INFERRED,
    ),
    Option(
        "teleport_cost",
        ("step", "free"),
        "Does going from one active teleporter to another cost a point like a step, or nothing?",
        "Learn to Play, “Телепорты”: “without any penalty”",
    ),
    Option(
        "event_hand",
        ("6", "7"),
        "Up to how many event cards does the invader draw?",
        "Learn to Play, fuller of two paragraphs",
    ),
    Option(
        "initiative_types",
        ("at_status", "at_once"),
        "Does a demon type that arrives during the round add its initiative card with the next status phase, or "
        "at once?",
        _INFERRED,
    ),
)
"""Every option; those of dice, cards and turn order are named here and read by the rooms that need them."""
