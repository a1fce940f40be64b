"""The open points of DOOM (2004) as options of the house, the default first (table B8 of the rules facts)."""

from __future__ import annotations

from assistant.rules.options import Option

_INFERRED = "not in the sources; inferred"

SIGHT_OPTIONS = (
    Option(
        "los_touch",
        ("clear", "blocks"),
        "Is a line stopped by the corner of a figure or an obstacle, or the end of a wall, that it only touches?",
        "a published sight calculator and a players' formula for the game",
        title="a corner that a line only touches",
        choice_titles={"clear": "is free", "blocks": "stops it"},
    ),
    Option(
        "los_edge_run",
        ("blocks", "clear"),
        "Is a line stopped that runs exactly along a wall or the side of a blocking space? "
        "Between centres of spaces no line ever does.",
        _INFERRED,
        title="a line along a wall",
        choice_titles={"blocks": "stops it", "clear": "is free"},
    ),
    Option(
        "los_pinch",
        ("walls_only", "always_clear", "always_blocked"),
        "What stops a line exactly through the point where two barriers meet diagonally: two walls alone, nothing, "
        "or two figures or obstacles as well?",
        _INFERRED,
        title="the point where two barriers meet",
        choice_titles={
            "walls_only": "only walls stop it",
            "always_clear": "never stops it",
            "always_blocked": "always stops it",
        },
    ),
    Option(
        "los_figures",
        ("all", "enemies"),
        "Which figures stop a line: all others, or only the attacker's enemies?",
        "Rules, “Line of Sight” (seed 002), taken literally",
        title="figures in the way",
        choice_titles={"all": "all others", "enemies": "enemies alone"},
    ),
    Option(
        "oversized_range_origin",
        ("nearest", "sight_space"),
        "From which space of a large attacker is range counted: its nearest one, or the one that it sees from?",
        _INFERRED,
        title="range from a large figure",
        choice_titles={"nearest": "the nearest space", "sight_space": "the space that it sees from"},
    ),
    Option(
        "oversized_target_range",
        ("named", "nearest"),
        "To which space of a large target is range counted: the one that the attacker names (the nearest unless one is "
        "named), or always the nearest?",
        "Rules, attack procedure (seed 002)",
        title="range to a large figure",
        choice_titles={"named": "the space that is named", "nearest": "the nearest space"},
    ),
    Option(
        "range_count",
        ("path", "figures_block", "straight"),
        "How is range counted: on the shortest path whatever figures stand there, round figures too, or straight?",
        "inferred from the exception for attacks without sight",
        title="how range is counted",
        choice_titles={"path": "the shortest path", "figures_block": "round figures, too", "straight": "straight"},
    ),
    Option(
        "diagonal_at_wall",
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
        "adjacent_through_wall",
        ("no", "corner"),
        "Are spaces adjacent that share a corner although something parts them?",
        _INFERRED,
        title="spaces that only share a corner",
        choice_titles={"no": "no", "corner": "yes"},
    ),
)
"""The options that can change a ruling."""

OPTIONS = (
    *SIGHT_OPTIONS,
    Option(
        "spawn_los_marines",
        ("block", "pass"),
        "When invaders are placed, do other marines still stop a marine's sight?",
        "Rules, spawning (seed 002), taken literally",
    ),
    Option(
        "melee_range_roll",
        ("must_reach", "no_check"),
        "Must the range rolled in melee reach 1, or do only miss faces miss?",
        _INFERRED,
    ),
    Option(
        "zero_armour",
        ("as_one", "each_damage"),
        "How are wounds counted at armour 0: as with armour 1, or one for each damage?",
        _INFERRED,
    ),
    Option(
        "dodge_choice",
        ("dodger", "attacker"),
        "Who picks the dice that a dodge makes rolled again?",
        "Rules p. 11, “Re-rolls” (seed 004)",
    ),
    Option(
        "door_cells",
        ("touching", "diagonal"),
        "From which spaces is a door opened: those along the token, or also their diagonal neighbours at its ends?",
        "restatement of the rulebook, “Doors”",
    ),
    Option(
        "demon_snake_head",
        ("either", "fixed"),
        "May either half of a demon lead its step, or only the half that the board names first?",
        "Rules p. 11, “Oversized Invaders” (seed 004)",
    ),
    Option(
        "guard_expiry",
        ("marines_turn", "invader_turn"),
        "Until when does a guard order last: the marine's next turn, or the end of the invader's turn?",
        _INFERRED,
    ),
)
"""Every option; those of dice and turn order are named here and read by the rooms that need them."""
