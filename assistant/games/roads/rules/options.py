"""The open points of ``roads``, each with its choices, the default first (table C6 of the rules facts).

The last four are not in that table: they settle what the known fragment of the rules does not say at
all, how sight is traced on the table, what gives cover, and how distances count between heights.
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.rules.options import Option, choose_options
from assistant.translations.messages import message

OPTIONS: tuple[Option, ...] = (
    Option(
        "seed_example_fix",
        ("formula", "printed"),
        message("Is the rule's worked example reckoned by the formula, or as its sum is printed (one too high)?"),
        message("formula of the section on close combat"),
        title=message("the rule's worked example"),
        choice_titles=(
            message("by the formula"),
            message("as printed"),
        ),
    ),
    Option(
        "fear_halving_round",
        ("up", "down"),
        message("How is a die halved by fear rounded?"),
        message("a 1 stays 1; inferred"),
        title=message("rounding of a die halved by fear"),
        choice_titles=(
            message("rounded up"),
            message("rounded down"),
        ),
    ),
    Option(
        "fear_halving_target",
        ("highest_die", "each_die"),
        message("Does fear halve the chosen highest die after re-rolls, or each die (then no die is a critical six)?"),
        message("not in the known fragment of the rules; inferred"),
        title=message("the dice that fear halves"),
        choice_titles=(
            message("the highest one"),
            message("each one"),
        ),
    ),
    Option(
        "crit_scope",
        ("all_dice", "two_base_dice"),
        message("Do sixes count as critical with any two dice, or only if the profile itself has two?"),
        message("source 003, “Critical blow”: two or more dice"),
        title=message("when sixes are critical"),
        choice_titles=(
            message("with any two dice"),
            message("with two dice of the profile"),
        ),
    ),
    Option(
        "confusion_counts",
        ("final_dice", "ever_rolled"),
        message("Which ones confuse: those that lie there in the end, or also those that were re-rolled?"),
        message("not in the known fragment of the rules; inferred"),
        title=message("the ones that confuse"),
        choice_titles=(
            message("those that lie there in the end"),
            message("re-rolled ones, too"),
        ),
    ),
    Option(
        "confusion_all_dice",
        ("every_die", "chosen_die"),
        message("Does a one on any attack die confuse, or only on the die that counts?"),
        message("source 003, “Confusion”: on any attack die"),
        title=message("the dice that confuse"),
        choice_titles=(
            message("any attack die"),
            message("only the die that counts"),
        ),
    ),
    Option(
        "block_reroll_all_equal",
        ("one", "all"),
        message("How many of equal highest dice does a block re-roll?"),
        message("not in the known fragment of the rules; inferred"),
        title=message("equal highest dice at a block"),
        choice_titles=(
            message("one is re-rolled"),
            message("all are re-rolled"),
        ),
    ),
    Option(
        "outnumber_excess",
        ("difference", "others_in_contact"),
        message("What is the excess of the larger side: the difference of the numbers, or the others in contact?"),
        message("source 003, “Many-sided fights”: three against one gives +2"),
        title=message("the excess of the larger side"),
        choice_titles=(
            message("the difference of the numbers"),
            message("the others in contact"),
        ),
    ),
    Option(
        "frenzy_outnumber_dice",
        ("base_only", "all_but_second_weapon"),
        message("Does frenzy double the dice of the profile only, or all but the second weapon's?"),
        message("not in the known fragment of the rules; inferred"),
        title=message("the dice that frenzy doubles"),
        choice_titles=(
            message("those of the profile"),
            message("all but the second weapon's"),
        ),
    ),
    Option(
        "tie_hits",
        ("one", "one_plus_weapon"),
        message("Is a tie that mobility breaks worth exactly one hit, or also the weapon's effects?"),
        message("source 003, “Number of hits”"),
        title=message("hits of a tie that Mobility breaks"),
        choice_titles=(
            message("exactly one"),
            message("one and the weapon's effects"),
        ),
    ),
    Option(
        "rout_third",
        ("exact_third", "percent_33"),
        message("Is the rout test due from exactly a third out, or from 33 hundredths?"),
        message("source 003, “Rout test”: a third (33%)"),
        title=message("when the rout test is due"),
        choice_titles=(
            message("from an exact third"),
            message("from 33 hundredths"),
        ),
    ),
    Option(
        "distance_ref",
        ("base_edges", "centers"),
        message("Are radii measured between the edges of the bases, or between their middles?"),
        message("not in the known fragment of the rules; inferred"),
        title=message("where distances are measured"),
        choice_titles=(
            message("between the edges of the bases"),
            message("between their middles"),
        ),
    ),
    Option(
        "natural_six",
        ("compares", "fails"),
        message("Does a rolled six fail every characteristic test, or is it only compared?"),
        message(
            "“Rout test”, “Flight”: less than the value or equal passes; a failing six: public restatement of the game"
        ),
        title=message("a six in a test"),
        choice_titles=(
            message("is compared like any other"),
            message("always fails"),
        ),
    ),
    Option(
        "fear_meets_terror",
        ("tests_fear", "ignores"),
        message(
            "Does who causes fear test against fear when a terrible creature charges or is charged, or ignore that?"
        ),
        message("source 003, “Terror”: sees the terrible as fearsome; “Fear”: who causes fear may ignore these tests"),
        title=message("who causes fear against the terrible"),
        choice_titles=(
            message("tests against fear"),
            message("ignores it"),
        ),
    ),
    Option(
        "jump_attack_charge",
        ("also_charge", "jump_only"),
        message("Does an attack out of a jump add the bonus of a charge, too, or only that of the jump?"),
        message("source 003, “Modifiers of combat results”: both are listed; “Jump attack” names only its own"),
        title=message("bonus of a charge for an attack out of a jump"),
        choice_titles=(
            message("is added, too"),
            message("is not added"),
        ),
    ),
    Option(
        "jump_height_partial",
        ("floor_tests", "floor_both"),
        message("Does a started step of a fall count for the damage, or only full steps as for the tests?"),
        message("source 003, “Jumping down”: a test for each full step; “Falling”: D3 a step"),
        title=message("a started step of a fall"),
        choice_titles=(
            message("counts for the damage"),
            message("does not count"),
        ),
    ),
    Option(
        "climb_limit",
        ("both", "mobility_only"),
        message("May a climb rise half the Mobility a turn up to a height of the whole, or up to the whole at once?"),
        message("source 003, “Climbing”"),
        title=message("how far a climb goes"),
        choice_titles=(
            message("half the Mobility a turn, the whole in all"),
            message("the whole Mobility at once"),
        ),
    ),
    Option(
        "half_mobility_round",
        ("keep", "up"),
        message("Is half an odd Mobility kept as a fraction, or rounded up?"),
        message("not in the known fragment of the rules; inferred"),
        title=message("half an odd Mobility"),
        choice_titles=(
            message("stays a fraction"),
            message("is rounded up"),
        ),
    ),
    Option(
        "watch_minus1",
        ("named_cases", "always"),
        message("Does a shot on watch suffer -1 only at fleeting targets and chargers, or always?"),
        message("source 003, “Shooting on overwatch”"),
        title=message("-1 for a shot on watch"),
        choice_titles=(
            message("at fleeting targets and chargers"),
            message("always"),
        ),
    ),
    Option(
        "charge_bonus_after_advance",
        ("none",),
        message("Does an advance into contact give the bonus of a charge?"),
        message("source 003, “Advance”: no modifiers"),
        title=message("bonus of a charge after an advance"),
        choice_titles=(message("gives none"),),
    ),
    Option(
        "step_length",
        ("dimensionless", "2_inches", "5_cm"),
        message("How long is a step: as the table's document says, or a length of the house?"),
        message("the length is not in the known fragment of the rules"),
        title=message("the length of a step"),
        choice_titles=(
            message("as the table's document says"),
            message("2 inches"),
            message("5 cm"),
        ),
    ),
    Option(
        "sight_lines",
        ("center_and_edges", "center", "area"),
        message(
            "Is one free line from the middle of a base to the middle or an outermost point of the other enough, "
            "must the line between the middles be free, or is any place between the outermost points enough?"
        ),
        message("not in the known fragment of the rules; inferred"),
        title=message("the lines that sight needs"),
        choice_titles=(
            message("to the middle or an outermost point"),
            message("between the middles"),
            message("to any place of the base"),
        ),
    ),
    Option(
        "sight_figures",
        ("pass", "block"),
        message("May a figure see through others that stand between?"),
        message("not in the known fragment of the rules; inferred"),
        title=message("figures in the way"),
        choice_titles=(
            message("let it see"),
            message("stop its sight"),
        ),
    ),
    Option(
        "cover_height",
        ("any_crossing", "hides_foot"),
        message(
            "Does low cover count wherever a sight line passes over it, or only where it hides the foot of the target?"
        ),
        message("not in the known fragment of the rules; inferred"),
        title=message("when low cover counts"),
        choice_titles=(
            message("wherever a line passes over it"),
            message("only where it hides the target's foot"),
        ),
    ),
    Option(
        "distance_height",
        ("plan", "slant"),
        message("Do distances count as seen from above, or along the slope between different heights?"),
        message("not in the known fragment of the rules; inferred"),
        title=message("distances between heights"),
        choice_titles=(
            message("as seen from above"),
            message("along the slope"),
        ),
    ),
)

DEFAULTS: Mapping[str, str] = choose_options("roads", OPTIONS, {})
"""What holds when the house says nothing."""
