"""The rules of hand-to-hand fighting in ``roads`` that reasons refer to, and their sentences.

The source is the known fragment of “Дороги Апокалипсиса” (seed document 003), named by its headings.
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.rules.reasons import Rule, index_rules
from assistant.translations.messages import message


def _change(rule_id: str, source: str, summary: str, said: str) -> Rule:
    """A rule that adds something to the result, told in one phrase."""
    return Rule(rule_id, source, summary, {"told": said})


TOUGHNESS = _change(
    "roads/current-toughness",
    message("source 003, “Current toughness”"),
    message("In melee a fighter counts his toughness less the wounds he has taken."),
    message("{fighter}: toughness {full}, wounds {wounds}, so {toughness} now."),
)
UNFELT = _change(
    "roads/full-toughness",
    message("source 003, “Current toughness”; “Frenzy”"),
    message("Who feels no pain, or is in frenzy, counts his whole toughness."),
    message("{fighter} feels no wounds: toughness {toughness}."),
)
CHARGE = _change(
    "roads/charge",
    message("source 003, “Modifiers of combat results”: charge"),
    message("Who charged this turn adds 1."),
    message("{fighter} charged: {change}."),
)
HIGHER = _change(
    "roads/higher-ground",
    message("source 003, “Modifiers of combat results”: on higher ground"),
    message("Who stands higher adds 1."),
    message("{fighter} stands higher: {change}."),
)
ACROSS = _change(
    "roads/across-cover",
    message("source 003, “Modifiers of combat results”: charge across an obstacle"),
    message("Who strikes at an enemy in cover or across an obstacle takes 1 away."),
    message("{fighter} strikes across cover: {change}."),
)
JUMP_ATTACK = _change(
    "roads/jump-attack",
    message("source 003, “Jump attack”"),
    message("An attack out of a jump adds 1 and one attack die in the first round."),
    message("{fighter} attacks out of a jump: {change}."),
)
OUTNUMBER = _change(
    "roads/outnumber",
    message("source 003, “Many-sided fights”"),
    message("Each fighter of the larger side adds 1 and one attack die for each one it has more."),
    message("{fighter}'s side is larger: {change}."),
)
CRITICAL = _change(
    "roads/critical",
    message("source 003, “Critical blow”"),
    message("With two or more dice every six after the first adds 1."),
    message("{fighter} lands a critical blow: {change}."),
)
CONFUSION = _change(
    "roads/confusion",
    message("source 003, “Confusion”"),
    message("Every one on the enemy's attack dice adds 1."),
    message("{fighter}'s enemy stumbles: {change}."),
)
PRINTED = _change(
    "roads/printed-example",
    message("source 003, “Number of blows”"),
    message("The rule's example prints 2 + 4 + 4 as 11; the house follows the print for exactly these numbers."),
    message("{fighter}: the sum as printed in the example, {change}."),
)
FEAR_HALVES = _change(
    "roads/fear-halves",
    message("source 003, “Fear”"),
    message("Who failed the test of fear counts half of his attack die."),
    message("{fighter} is afraid: the {die} counts {halved}."),
)
TERROR_COMBAT = _change(
    "roads/terror-combat",
    message("source 003, “Terror”"),
    message("Who is drawn into melee in terror has no combat skill."),
    message("{fighter} is in terror: combat skill 0."),
)
DICE = _change(
    "roads/attack-dice",
    message("source 003, “Attack die”; “Paired weapons”; “Frenzy”"),
    message("The profile's dice (twice as many in frenzy), one for each further weapon, each fighter more and a jump."),
    message("{fighter} rolls {count} attack dice."),
)
RESULT = _change(
    "roads/melee-result",
    message("source 003, “Determining the winner”"),
    message("The result is the highest attack die, current toughness, combat skill and all changes together."),
    message("{fighter}: {die} + {toughness} + {combat} {change} = {result}."),
)
OUTCOME = Rule(
    "roads/melee-outcome",
    message("source 003, “Determining the winner”; “Number of blows”"),
    message(
        "The higher result wins and hits as often as it is higher; of equal ones the higher Mobility wins with 1 hit."
    ),
    {
        "hits": message("{fighter} wins {result} to {other}: hits {hits}."),
        "tie": message("{result} to {other}: {fighter} is faster and wins, hits {hits}."),
        "draw": message("{result} to {other} and equally fast: a draw, no hits."),
    },
)
NO_BLOWS = _change(
    "roads/stupidity-no-blows",
    message("source 003, “Stupidity”"),
    message("Who failed his test of stupidity strikes no blows."),
    message("{fighter} strikes no blows."),
)
STRIKE_DOWN = _change(
    "roads/strike-down",
    message("source 003, “Attacking the fallen”"),
    message("Every attack on a fighter who is down hits; one that gets through and is not saved kills."),
    message("{enemy} is down: all {hits} attacks of {fighter} hit."),
)
BLOCK = _change(
    "roads/block",
    message("source 003, “Block”"),
    message("A shield forces the enemy to re-roll his highest attack die; two shields cancel each other."),
    message("{enemy} blocks: {fighter} re-rolls the {die}."),
)
HATRED = _change(
    "roads/hatred",
    message("source 003, “Hatred”"),
    message("In the first round against a hated enemy any attack dice may be re-rolled."),
    message("{fighter} may re-roll attack dice."),
)
MELEE_RULES: Mapping[str, Rule] = index_rules(
    (
        TOUGHNESS, UNFELT, DICE, BLOCK, HATRED, FEAR_HALVES, TERROR_COMBAT, CHARGE, HIGHER, ACROSS, JUMP_ATTACK,
        OUTNUMBER, CRITICAL, CONFUSION, PRINTED, RESULT, OUTCOME, NO_BLOWS, STRIKE_DOWN,
    )
)  # fmt: skip
