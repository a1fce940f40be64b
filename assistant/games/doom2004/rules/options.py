"""The open points of DOOM (2004) as options of the house, the default first (table B8 of the rules facts)."""

from __future__ import annotations

from assistant.rules.options import Option
from assistant.translations.messages import message

SIGHT_OPTIONS = (
    Option(
        "los_touch",
        ("clear", "blocks"),
        message(
            "Is a line stopped by the corner of a figure or an obstacle, or the end of a wall, that it only touches?"
        ),
        message("a published sight calculator and a players' formula for the game"),
        title=message("a corner that a line only touches"),
        choice_titles=(
            message("lets it through"),
            message("stops it"),
        ),
    ),
    Option(
        "los_edge_run",
        ("blocks", "clear"),
        message(
            "Is a line stopped that runs exactly along a wall or the side of a blocking space? "
            "Between centres of spaces no line ever does."
        ),
        message("not in the sources; inferred"),
        title=message("a line along a wall"),
        choice_titles=(
            message("is stopped"),
            message("is free"),
        ),
    ),
    Option(
        "los_pinch",
        ("walls_only", "always_clear", "always_blocked"),
        message(
            "What stops a line exactly through the point where two barriers meet diagonally: two walls alone, nothing, "
            "or two figures or obstacles as well?"
        ),
        message("not in the sources; inferred"),
        title=message("the point where two barriers meet"),
        choice_titles=(
            message("only walls stop it"),
            message("never stops it"),
            message("always stops it"),
        ),
    ),
    Option(
        "los_figures",
        ("all", "enemies"),
        message("Which figures stop a line: all others, or only the attacker's enemies?"),
        message("Rules, “Line of Sight”, taken literally"),
        title=message("figures in the way"),
        choice_titles=(
            message("all others"),
            message("enemies alone"),
        ),
    ),
    Option(
        "oversized_range_origin",
        ("nearest", "sight_space"),
        message(
            "From which space of a large attacker is range counted: its nearest one, or the one that it sees from?"
        ),
        message("not in the sources; inferred"),
        title=message("range from a large figure"),
        choice_titles=(
            message("the nearest space"),
            message("the space that it sees from"),
        ),
    ),
    Option(
        "oversized_target_range",
        ("named", "nearest"),
        message(
            "To which space of a large target is range counted: the one that the attacker names (the nearest unless "
            "one is named), or always the nearest?"
        ),
        message("Rules, attack procedure"),
        title=message("range to a large figure"),
        choice_titles=(
            message("the space that is named"),
            message("the nearest space"),
        ),
    ),
    Option(
        "range_count",
        ("path", "figures_block", "straight"),
        message(
            "How is range counted: on the shortest path whatever figures stand there, round figures too, or straight?"
        ),
        message("inferred from the exception for attacks without sight"),
        title=message("how range is counted"),
        choice_titles=(
            message("the shortest path"),
            message("round figures, too"),
            message("straight"),
        ),
    ),
    Option(
        "diagonal_at_wall",
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
        "adjacent_through_wall",
        ("no", "corner"),
        message("Are spaces adjacent that share a corner although something parts them?"),
        message("not in the sources; inferred"),
        title=message("spaces that only share a corner"),
        choice_titles=(
            message("are not adjacent where something parts them"),
            message("are always adjacent"),
        ),
    ),
)
"""The options that can change a ruling."""

OPTIONS = (
    *SIGHT_OPTIONS,
    Option(
        "spawn_los_marines",
        ("block", "pass"),
        message("When invaders are placed, do other marines still stop a marine's sight?"),
        message("Rules, spawning, taken literally"),
        title=message("other marines when invaders are spawned"),
        choice_titles=(
            message("stop a marine's sight"),
            message("let a marine see past"),
        ),
    ),
    Option(
        "melee_range_roll",
        ("must_reach", "no_check"),
        message("Must the range rolled in melee reach 1, or do only miss faces miss?"),
        message("not in the sources; inferred"),
        title=message("range rolled in melee"),
        choice_titles=(
            message("has to reach 1"),
            message("only miss faces miss"),
        ),
    ),
    Option(
        "zero_armour",
        ("as_one", "each_damage"),
        message("How are wounds counted at armour 0: as with armour 1, or one for each damage?"),
        message("not in the sources; inferred"),
        title=message("wounds at armour 0"),
        choice_titles=(
            message("as with armour 1"),
            message("one for each damage"),
        ),
    ),
    Option(
        "dodge_choice",
        ("dodger", "attacker"),
        message("Who picks the dice that a dodge makes rolled again?"),
        message("Rules p. 11, “Re-rolls”"),
        title=message("who picks the dice of a dodge"),
        choice_titles=(
            message("the dodger"),
            message("the attacker"),
        ),
    ),
    Option(
        "door_cells",
        ("touching", "diagonal"),
        message(
            "From which spaces is a door opened: those along the token, or also their diagonal neighbours at its ends?"
        ),
        message("restatement of the rulebook, “Doors”"),
        title=message("from where a door is opened"),
        choice_titles=(
            message("from the spaces along it"),
            message("diagonally at its ends, too"),
        ),
    ),
    Option(
        "demon_snake_head",
        ("either", "fixed"),
        message("May either half of a demon lead its step, or only the half that the board names first?"),
        message("Rules p. 11, “Oversized Invaders”"),
        title=message("the half of a demon that leads"),
        choice_titles=(
            message("either half"),
            message("always the first one"),
        ),
    ),
    Option(
        "guard_expiry",
        ("marines_turn", "invader_turn"),
        message("Until when does a guard order last: the marine's next turn, or the end of the invader's turn?"),
        message("not in the sources; inferred"),
        title=message("how long a guard order lasts"),
        choice_titles=(
            message("until the marine's next turn"),
            message("until the end of the invader's turn"),
        ),
    ),
)
"""Every option; those of dice and turn order are named here and read by the rooms that need them."""
