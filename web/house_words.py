"""What the options of the house are called on a card: short names for the questions that rulings can rest on."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.translations.messages import message
from assistant.translations.speech import Speech

OPTION_WORDS: Mapping[str, str] = {
    "los_corner_touch": message("a corner that a line only touches"),
    "los_touch": message("a corner that a line only touches"),
    "los_edge_run": message("a line along a wall"),
    "los_pinch": message("the point where two barriers meet"),
    "los_shared_corner": message("sight through a shared corner"),
    "los_figures": message("figures in the way"),
    "large_los_cells": message("corners of a large figure"),
    "target_on_obstacle": message("red sides under the figure itself"),
    "cover_corner": message("the corner that cover is traced from"),
    "cover_touch": message("cover by a corner that is only touched"),
    "cover_doors": message("cover by closed doors"),
    "cover_difficult_border": message("cover along the border of difficult ground"),
    "cover_figure_border": message("cover along a figure's side"),
    "cover_defender_in_difficult": message("cover by the ground under the target"),
    "cover_attacker_in_difficult": message("cover by the ground under the shooter"),
    "range_metric": message("how range is counted"),
    "range_count": message("how range is counted"),
    "diagonal_at_vertex": message("diagonal steps past a corner"),
    "diagonal_at_wall": message("diagonal steps past a corner"),
    "oversized_range_origin": message("range from a large figure"),
    "oversized_target_range": message("range to a large figure"),
    "adjacent_through_wall": message("spaces that only share a corner"),
}

CHOICE_WORDS: Mapping[str, str] = {
    "graze": message("stops it with barriers on both sides"),
    "always_clear": message("never stops it"),
    "always_blocked": message("always stops it"),
    "strict": message("as strictly as can be"),
    "clear": message("is free"),
    "blocks": message("stops it"),
    "blocked": message("stops it"),
    "open": message("lets it through"),
    "walls_only": message("only walls stop it"),
    "same_sector": message("if nothing parts them there"),
    "needs_length": message("never"),
    "all": message("all others"),
    "enemies": message("enemies alone"),
    "any_cell": message("those of every space"),
    "outer_corners": message("the four of its base"),
    "ignore_own": message("do not count"),
    "literal": message("count"),
    "same_best": message("the best one that sees"),
    "declared": message("the one that is named"),
    "any": message("any that sees"),
    "as_sight": message("as for sight"),
    "gives_cover": message("gives cover"),
    "yes": message("yes"),
    "no": message("no"),
    "inside": message("only inside"),
    "border": message("on the border, too"),
    "edge": message("along its side, too"),
    "adjacency": message("round walls and closed doors"),
    "obstacles_closed": message("round obstacles, too"),
    "chebyshev": message("straight"),
    "path": message("the shortest path"),
    "figures_block": message("round figures, too"),
    "straight": message("straight"),
    "two_l": message("if one detour is free"),
    "free": message("free unless four barriers meet"),
    "nearest": message("the nearest space"),
    "sight_space": message("the space that it sees from"),
    "named": message("the space that is named"),
    "corner": message("yes"),
}


def option_word(name: str, speech: Speech) -> str:
    """What an option is called; one that no ruling rests on keeps its name."""
    return _quoted(OPTION_WORDS[name], speech) if name in OPTION_WORDS else name


def choice_word(name: str, speech: Speech) -> str:
    """What a choice of an option is called."""
    return _quoted(CHOICE_WORDS[name], speech) if name in CHOICE_WORDS else name


def _quoted(text: str, speech: Speech) -> str:
    return speech.text("“{words}”", words=speech.text(text))
