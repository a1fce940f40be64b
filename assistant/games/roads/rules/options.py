"""The open points of ``roads``, each with its choices, the default first (table C6 of the rules facts).

The last four are not in that table: they settle what the known fragment of the rules does not say at
all, how sight is traced on the table, what gives cover, and how distances count between heights.
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.rules.options import Option, chosen

FORMULA = "formula of the section on close combat (seed 003)"
UNSAID = "not in the known fragment of the rules; inferred"

OPTIONS: tuple[Option, ...] = (
    Option(
        "seed_example_fix",
        ("formula", "printed"),
        "Is the rule's worked example reckoned by the formula, or as its sum is printed (one too high)?",
        FORMULA,
    ),
    Option("fear_halving_round", ("up", "down"), "How is a die halved by fear rounded?", "a 1 stays 1; inferred"),
    Option(
        "fear_halving_target",
        ("highest_die", "each_die"),
        "Does fear halve the chosen highest die after re-rolls, or each die (then no die is a critical six)?",
        UNSAID,
    ),
    Option(
        "crit_scope",
        ("all_dice", "two_base_dice"),
        "Do sixes count as critical with any two dice, or only if the profile itself has two?",
        "“Критический удар”: two or more dice (seed 003)",
    ),
    Option(
        "confusion_counts",
        ("final_dice", "ever_rolled"),
        "Which ones confuse: those that lie there in the end, or also those that were re-rolled?",
        UNSAID,
    ),
    Option(
        "confusion_all_dice",
        ("every_die", "chosen_die"),
        "Does a one on any attack die confuse, or only on the die that counts?",
        "“Замешательство”: on any attack die (seed 003)",
    ),
    Option("block_reroll_all_equal", ("one", "all"), "How many of equal highest dice does a block re-roll?", UNSAID),
    Option(
        "outnumber_excess",
        ("difference", "others_in_contact"),
        "What is the excess of the larger side: the difference of the numbers, or the others in contact?",
        "“Многосторонние бои”: three against one gives +2 (seed 003)",
    ),
    Option(
        "frenzy_outnumber_dice",
        ("base_only", "all_but_second_weapon"),
        "Does frenzy double the dice of the profile only, or all but the second weapon's?",
        UNSAID,
    ),
    Option(
        "tie_hits",
        ("one", "one_plus_weapon"),
        "Is a tie that mobility breaks worth exactly one hit, or also the weapon's effects?",
        "“Количество попаданий” (seed 003)",
    ),
    Option(
        "rout_third",
        ("exact_third", "percent_33"),
        "Is the rout test due from exactly a third out, or from 33 hundredths?",
        "“Тест на Разгром”: a third (33%) (seed 003)",
    ),
    Option(
        "distance_ref",
        ("base_edges", "centers"),
        "Are radii measured between the edges of the bases, or between their middles?",
        UNSAID,
    ),
    Option(
        "natural_six",
        ("fails", "compares"),
        "Does a rolled six fail every characteristic test, or is it only compared?",
        "public restatement of the game (studopedya)",
    ),
    Option(
        "jump_height_partial",
        ("floor_tests", "floor_both"),
        "Does a started step of a fall count for the damage, or only full steps as for the tests?",
        "“Прыжок вниз”: a test for each full step; “Падение”: D3 a step (seed 003)",
    ),
    Option(
        "climb_limit",
        ("both", "mobility_only"),
        "May a climb rise half the Mobility a turn up to a height of the whole, or up to the whole at once?",
        "“Лазание” (seed 003)",
    ),
    Option(
        "half_mobility_round",
        ("keep", "up"),
        "Is half an odd Mobility kept as a fraction, or rounded up?",
        UNSAID,
    ),
    Option(
        "watch_minus1",
        ("named_cases", "always"),
        "Does a shot on watch suffer -1 only at fleeting targets and chargers, or always?",
        "“Стрельба в дозоре” (seed 003)",
    ),
    Option(
        "charge_bonus_after_advance",
        ("none",),
        "Does an advance into contact give the bonus of a charge?",
        "“Продвижение”: no modifiers (seed 003)",
    ),
    Option(
        "step_length",
        ("dimensionless", "2_inches", "5_cm"),
        "How long is a step: as the table's document says, or a length of the house?",
        "the length is not in the known fragment of the rules",
    ),
    Option(
        "sight_lines",
        ("center_and_edges", "center"),
        "Is one free line from the middle of a base to the middle or an outermost point of the other enough, "
        "or must the line between the middles be free?",
        UNSAID,
    ),
    Option("sight_figures", ("pass", "block"), "May a figure see through others that stand between?", UNSAID),
    Option(
        "cover_height",
        ("any_crossing", "hides_foot"),
        "Does low cover count wherever a sight line passes over it, or only where it hides the foot of the target?",
        UNSAID,
    ),
    Option(
        "distance_height",
        ("plan", "slant"),
        "Do distances count as seen from above, or along the slope between different heights?",
        UNSAID,
    ),
)

DEFAULTS: Mapping[str, str] = chosen("roads", OPTIONS, {})
"""What holds when the house says nothing."""
