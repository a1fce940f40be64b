"""The rules that reasons of ``roads`` refer to: table, melee, psychology, manoeuvres and shots.

The source is the known fragment of “Дороги Апокалипсиса” (seed document 003), named by its headings.
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.rules.reasons import Rule, index_rules
from assistant.translations.messages import message

ROUT = Rule(
    "roads/rout",
    message("source 003, “Rout test”"),
    message(
        "With a third of the models out, D6 up to the leader's Spirit at the start of the turn, or the side loses."
    ),
    {
        "due": message("{out} of {starting} are out: test on Spirit {spirit}, chance {chance}."),
        "not_due": message("{out} of {starting} are out: no rout test yet."),
    },
)
ESCAPE = Rule(
    "roads/escape",
    message("source 003, “Flight”; “Fleeing from combat”"),
    message("Alone against two or more: D6 up to Spirit, or one automatic hit from each and flight by D6 steps."),
    {"told": message("{figure} tests on Spirit {spirit}, chance {chance}; who breaks takes {hits} automatic hits.")},
)
FEAR = Rule(
    "roads/fear",
    message("source 003, “Fear”"),
    message("Charged by what causes fear: test, or the attack die is halved. Charging it: test, or stand still."),
    {
        "charged": message(
            "{figure} is charged by a terrible enemy: Spirit {spirit}, chance {chance}, or half the attack die."
        ),
        "charging": message(
            "{figure} wants to charge a terrible enemy: Spirit {spirit}, chance {chance}, or it stands still."
        ),
    },
)
CLIMB = Rule(
    "roads/climb",
    message("source 003, “Climbing”"),
    message(
        "Mobility test; up to half the Mobility a turn at double cost; higher than the Mobility cannot be climbed."
    ),
    {
        "too_high": message("{height} steps are higher than Mobility {mobility}: it cannot be climbed."),
        "up": message(
            "Up {rise} of {height} steps for {cost} of Mobility {mobility}, chance {chance}, or no move this turn."
        ),
        "down": message("Down {rise} of {height} steps for {cost} of Mobility {mobility}, chance {chance}, or a fall."),
    },
)
GAP = Rule(
    "roads/jump-gap",
    message("source 003, “Jumping over gaps”"),
    message("Gaps up to a step wide: the width comes off the movement, then a Mobility test, or a fall."),
    {
        "short": message("{left} steps left for a gap of {width}: a fall without a test."),
        "test": message("A gap of {width} of the {left} steps left: chance {chance}."),
    },
)
JUMP_DOWN = Rule(
    "roads/jump-down",
    message("source 003, “Jumping down”; “Giant leap”"),
    message("Up to 2 steps: one Mobility test for each full step; any failure is a fall from the top."),
    {"told": message("Down {height} steps: tests {tests}, chance {chance}.")},
)
DUCK = Rule(
    "roads/duck",
    message("source 003, “Duck!”"),
    message("The target rolls D6 and Mobility against the shooter's roll."),
    {},
)
TAKE_COVER = Rule(
    "roads/take-cover",
    message("source 003, “Take cover!”"),
    message("A target may move into cover within a step, or else drop to the ground, and then only shoots this turn."),
    {
        "near": message("{figure} could take cover at {pieces}."),
        "none": message("{figure} has no cover within a step and could only drop to the ground."),
    },
)

SHOOT_FIRST = Rule(
    "roads/shoot-first",
    message("source 003, “Shooting first”"),
    message("Both roll D6 and Mobility; the target shoots first, at -1, only if it is higher."),
    {"told": message("D6 + {target} against D6 + {shooter}: the target shoots first with chance {chance}, at -1.")},
)
WATCH = Rule(
    "roads/watch",
    message("source 003, “Watch”; “Shooting on watch”"),
    message(
        "Who watches shoots at any moment of the enemy's moves; at who appears, hides or charges him with -1 to hit."
    ),
    {
        "told": message("{figure} shoots on watch: {change} to hit."),
        "free": message("{figure} shoots on watch at a steady target: no change."),
    },
)
AMBUSH = Rule(
    "roads/ambush",
    message("source 003, “Shooting from ambush”"),
    message(
        "A shooter stays hidden only if his weapon is silent and the target dies at once; then every enemy who saw it "
        "and has him in view tests Mobility, and one success finds him."
    ),
    {"told": message("Witnesses: {count}; the shooter stays hidden with chance {chance}.")},
)

FLIGHT = Rule(
    "roads/flight",
    message("source 003, “Flight”"),
    message(
        "Who breaks runs D6 steps straight away from his enemies, later to the nearest edge of the table, where he is "
        "out."
    ),
    {},
)
FREE_HITS = Rule(
    "roads/free-hits",
    message("source 003, “Fleeing from combat”"),
    message("Whoever breaks and runs turns his back: each of his opponents hits him once, at once."),
    {},
)
FRENZY = Rule(
    "roads/frenzy",
    message("source 003, “Frenzy”"),
    message(
        "A model in frenzy must charge any enemy in its charge range, and within that range minds no other psychology."
    ),
    {},
)
STUPIDITY = Rule(
    "roads/stupidity",
    message("source 003, “Stupidity”"),
    message("Who fails the test does not charge, shoot or strike until his next turn; he shuffles on, or stands."),
    {},
)
WITHDRAWAL = Rule(
    "roads/withdrawal",
    message("source 003, “Voluntary flight”"),
    message("A side may give up only at the start of its turn, and only if its rout test is due."),
    {},
)
RALLY = Rule(
    "roads/rally",
    message("source 003, “Flight”"),
    message("Who flees tests at the start of each turn; if he passes, he stops and does nothing else in this turn."),
    {},
)
LEAP = Rule(
    "roads/giant-leap",
    message("source 003, “Giant leap”"),
    message("Only who has the ability leaps so far, up to its steps; the height of the leap counts as part of them."),
    {},
)
FALL = Rule(
    "roads/fall",
    message("source 003, “Falling”"),
    message("A fall is D3 damage a step, without armour; the fallen neither moves nor hides any more in this turn."),
    {},
)
CRAWL = Rule(
    "roads/crawl",
    message("source 003, “Many-sided fights”"),
    message("A model of the larger side that is down may crawl one step away from the fighting in its movement phase."),
    {},
)
ADVANCE = Rule(
    "roads/advance",
    message("source 003, “Advance”"),
    message(
        "With all its opponents out a model may move one step at once; whom it meets it fights in the next melee phase."
    ),
    {},
)
INTO_CONTACT = Rule(
    "roads/into-contact",
    message("source 003, “Advance”: but for it nobody joins a melee without charging; “Drawing into melee”"),
    message("Into contact with an enemy leads a charge, being drawn in, or an advance: no walk, run or jump."),
    {},
)
MANY_SIDED = Rule(
    "roads/many-sided",
    message("source 003, “Many-sided fights”"),
    message("In a fight of several everybody fights every enemy whom he touches, in every melee phase."),
    {},
)
WEAPONS = Rule(
    "roads/melee-weapons",
    message("source 003, “Weapons”"),
    message("Only pistols and melee weapons strike; who carries a bulky weapon fights with one hand."),
    {},
)
SWAP = Rule(
    "roads/weapon-swap",
    message("source 003, “Fight and change of weapons”"),
    message("Weapons are changed before the fight begins, by announcing it, and not until it is over."),
    {},
)
MISFIRE = Rule(
    "roads/misfire",
    message("source 003, “Grenades and other thrown weapons”"),
    message("Grenades and thrown weapons fail every test for a misfire: the last one has been thrown."),
    {},
)
OUT_OF_RANGE = Rule(
    "roads/out-of-range",
    message("source 003, “Out of range”"),
    message("A shot out of range hits nobody; it is rolled all the same, for the weapon may jam."),
    {},
)

DEED_RULES: Mapping[str, Rule] = index_rules(
    (
        ROUT, ESCAPE, FLIGHT, FREE_HITS, FEAR, FRENZY, STUPIDITY, WITHDRAWAL, RALLY, CLIMB, GAP, JUMP_DOWN, LEAP, FALL,
        CRAWL, ADVANCE, INTO_CONTACT, MANY_SIDED, WEAPONS, SWAP, DUCK, TAKE_COVER, SHOOT_FIRST, WATCH, AMBUSH, MISFIRE,
        OUT_OF_RANGE,
    ),
)  # fmt: skip


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


DISTANCE = Rule(
    "roads/distance",
    message("distances between the edges of the bases: inferred (option distance_ref); steps throughout the rules"),
    message("Distances are measured between the edges of the bases, in steps."),
    {
        "apart": message("{steps} steps ({mm} mm) lie between the bases."),
        "contact": message("The bases touch: {attacker} and {defender} are in base contact."),
    },
)

SIGHT = Rule(
    "roads/line-of-sight",
    message("not in the known fragment; inferred (options sight_lines and sight_figures)"),
    message(
        "Lines go from the eye over the middle of the viewer's base to the top of the target, over the middle and both "
        "outermost points of its base, or over every place between these; a wall stops a line that enters its outline "
        "below its height."
    ),
    {
        "clear": message("{attacker} sees {defender}: free lines {free} of {count}."),
        "part": message("{attacker} sees {defender}: {percent} % of its width, from one outermost point to the other."),
        "blocked": message("{attacker} does not see {defender}: every line is stopped, the first by {blocker}."),
    },
)

COVER = Rule(
    "roads/cover",
    message(
        "source 003, “Modifiers of combat results” and “Camouflage” name cover; what gives it: inferred "
        "(option cover_height)"
    ),
    message("A target has cover if a sight line passes over low cover, or if a part of it is hidden."),
    {
        "none": message("No cover: no line to {defender} passes over cover, and none is stopped."),
        "low": message("{defender} has cover: a line passes over {blocker}."),
        "part": message("{defender} has cover: {blocker} hides a part of it."),
    },
)

IN_MELEE = Rule(
    "roads/who-fights",
    message("source 003, “Who may fight”"),
    message("Who touches an enemy's base fights and does not shoot, whichever way he faces."),
    {"told": message("{attacker} is in melee and does not shoot.")},
)

DRAWN_IN = Rule(
    "roads/draw-in",
    message("source 003, “Drawing into melee”"),
    message(
        "Whoever is within a step of the fighting is moved into it at the start of a round; who is not may not shoot."
    ),
    {"told": message("{attacker} is within a step of a fight: drawn in, or unable to shoot.")},
)

CAMOUFLAGE = Rule(
    "roads/camouflage",
    message("source 003, “Camouflage”"),
    message("A camouflaged figure cannot be shot at, except by who is within half of his own Mobility in steps."),
    {
        "hidden": message("{defender} is camouflaged, and {attacker} finds only what is within {steps} steps."),
        "found": message("{defender} is camouflaged, but within {steps} steps of {attacker}, who finds it."),
        "noticed": message("{attacker} has found {defender} in its camouflage."),
    },
)

LEADER = Rule(
    "roads/leader",
    message("source 003, “Squad leaders”"),
    message("Within 3 steps of a leader who is neither down nor in flight his Spirit may be tested on."),
    {"told": message("{figure} may test on Spirit {spirit} of a leader within 3 steps.")},
)

LONELY = Rule(
    "roads/alone",
    message("source 003, “Flight”"),
    message("Who fights two or more with no friend within 3 steps tests at the end of his melee phase."),
    {"told": message("{figure} fights alone and must test on Spirit {spirit} at the end of the melee phase.")},
)

TERROR = Rule(
    "roads/terror",
    message("source 003, “Terror”"),
    message("Who starts his turn within 3 steps of a terrible enemy tests on Spirit, or flees."),
    {"told": message("{figure} is within 3 steps of {enemies}: Spirit {spirit} at the start of the turn, or flight.")},
)

WHAT_IF = Rule(
    "roads/what-if",
    message("follows from the other rules"),
    message("One piece of terrain taken away, or one figure where figures block, that would flip the answer."),
    {
        "line_of_sight": message("Without {subject} {attacker} would see {defender}."),
        "cover": message("Without {subject} {defender} would have no cover."),
        "none": message("Taking away any one thing would change neither sight nor cover."),
    },
)

HOUSE = Rule(
    "roads/house-option",
    message("the options of the house"),
    message("Where the rules are open, the house has chosen."),
    {"told": message("This rests on the house option {option} = {choice}; with {other} {outcome}.")},
)

RULES: Mapping[str, Rule] = {
    **index_rules((DISTANCE, SIGHT, COVER, IN_MELEE, DRAWN_IN, CAMOUFLAGE, LEADER, LONELY, TERROR, WHAT_IF, HOUSE)),
    **MELEE_RULES,
    **DEED_RULES,
}
