"""The rules that reasons of ``roads`` refer to: table, melee, psychology, manoeuvres and shots.

The source is the known fragment of “Дороги Апокалипсиса” (seed document 003), named by its headings.
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.rules.reasons import Rule, index_rules
from assistant.translations.messages import message


def _rule(rule_id: str, source: str, summary: str, phrase: str | None = None) -> Rule:
    """Return a rule with one phrase, or one that only refusals cite."""
    return Rule(rule_id, source, summary, {} if phrase is None else {"told": phrase})


# The table: distance, sight, cover, and figures near one another.

DISTANCE = Rule(
    "roads/distance",
    message("steps: throughout the rules; edge to edge of the bases: inferred (house option)"),
    message("Distances are measured between the edges of the bases, in steps."),
    {
        "apart": message("{steps} steps ({mm} mm) lie between the bases."),
        "contact": message("The bases touch: {attacker} and {defender} are in base contact."),
    },
)
SIGHT = Rule(
    "roads/line-of-sight",
    message("not in the available part of the rules; inferred (house options)"),
    message(
        "Lines run from the eye above the centre of the viewer's base to the top of the target, above the centre and "
        "both outermost points of its base, or above every point between. A wall stops a line that enters its outline "
        "below its height."
    ),
    {
        "clear": message("{attacker} sees {defender}: free lines {free} of {count}."),
        "part": message("{attacker} sees {defender}: {percent} % of its width, from one outermost point to the other."),
        "blocked": message("{attacker} does not see {defender}: every line is blocked, the first by {blocker}."),
    },
)
COVER = Rule(
    "roads/cover",
    message("rules, “Modifiers of combat results” and “Camouflage” name cover; what gives it: inferred (house option)"),
    message("A target has cover if a sight line passes over low cover, or if a part of it is hidden."),
    {
        "none": message("No cover: no line to {defender} passes over cover, and none is blocked."),
        "low": message("{defender} has cover: a line passes over {blocker}."),
        "part": message("{defender} has cover: {blocker} hides a part of it."),
    },
)
IN_MELEE = _rule(
    "roads/who-fights",
    message("rules, “Who may fight”"),
    message("A model in base contact with an enemy fights and does not shoot, whichever way it faces."),
    message("{attacker} is in melee and does not shoot."),
)
DRAWN_IN = _rule(
    "roads/draw-in",
    message("rules, “Drawing into melee”"),
    message(
        "A model within a step of the fighting is drawn in at the start of a round. One that stays out may not shoot."
    ),
    message("{attacker} is within a step of a fight: drawn in, or unable to shoot."),
)
CAMOUFLAGE = Rule(
    "roads/camouflage",
    message("rules, “Camouflage”"),
    message("Nobody shoots at a camouflaged model, except an enemy within half its own Mobility in steps."),
    {
        "hidden": message("{defender} is camouflaged, and {attacker} finds only what is within {steps} steps."),
        "found": message("{defender} is camouflaged, but within {steps} steps of {attacker}, who finds it."),
        "noticed": message("{attacker} has found the camouflaged {defender}."),
    },
)
LEADER = _rule(
    "roads/leader",
    message("rules, “Squad leaders”"),
    message("Within 3 steps of a leader models may test on his Spirit, unless he is down or fleeing."),
    message("{figure} may test on Spirit {spirit} of a leader within 3 steps."),
)
LONELY = _rule(
    "roads/alone",
    message("rules, “Flight”"),
    message("A model fighting two or more, with no friend within 3 steps, tests at the end of its melee phase."),
    message("{figure} fights alone and must test on Spirit {spirit} at the end of the melee phase."),
)
TERROR = _rule(
    "roads/terror",
    message("rules, “Terror”"),
    message("A model that starts its turn within 3 steps of a terrifying enemy tests on Spirit, or flees."),
    message("{figure} is within 3 steps of {enemies}: Spirit {spirit} at the start of the turn, or flight."),
)
WHAT_IF = Rule(
    "roads/what-if",
    message("follows from the other rules"),
    message("One piece of terrain, or one blocking figure, whose removal would flip the answer."),
    {
        "line_of_sight": message("Without {subject} {attacker} would see {defender}."),
        "cover": message("Without {subject} {defender} would have no cover."),
        "none": message("Taking away any one thing would change neither sight nor cover."),
    },
)
HOUSE = Rule(
    "roads/house-option",
    message("the house options"),
    message("Where the rules are open, the house has chosen."),
    {
        "told": message("This rests on the house option {option} = {choice}; with {other} {outcome}."),
        "majority": message(
            "This rests on the house option {option} = {choice}; with {other} the majority of {fighter} would be "
            "{change}."
        ),
        "spirit": message(
            "This rests on the house option {option} = {choice}; with {other} {figure} would test on {value}."
        ),
        "fallen": message(
            "This rests on the house option {option} = {choice}; with {other} this shot could not end {figure}."
        ),
        "fallen_lives": message(
            "This rests on the house option {option} = {choice}; with {other} a wound would end {figure}."
        ),
    },
)

# Melee.

TOUGHNESS = _rule(
    "roads/current-toughness",
    message("rules, “Current toughness”"),
    message("In melee a fighter counts its toughness less its wounds."),
    message("{fighter}: toughness {full}, wounds {wounds}, so {toughness} now."),
)
UNFELT = _rule(
    "roads/full-toughness",
    message("rules, “Current toughness”; “Frenzy”"),
    message("A painless or frenzied fighter counts its whole toughness."),
    message("{fighter} feels no wounds: toughness {toughness}."),
)
DICE = _rule(
    "roads/attack-dice",
    message("rules, “Attack die”; “Paired weapons”; “Frenzy”"),
    message(
        "The profile's dice, doubled in frenzy, and one for each further weapon, each model in the majority and a jump."
    ),
    message("{fighter} rolls {count} attack dice."),
)
BLOCK = _rule(
    "roads/block",
    message("rules, “Block”"),
    message("A shield forces the enemy to re-roll his highest attack die; two shields cancel each other."),
    message("{enemy} blocks: {fighter} re-rolls the {die}."),
)
HATRED = _rule(
    "roads/hatred",
    message("rules, “Hatred”"),
    message("In the first round against a hated enemy any attack dice may be re-rolled."),
    message("{fighter} may re-roll attack dice."),
)
FEAR_HALVES = _rule(
    "roads/fear-halves",
    message("rules, “Fear”"),
    message("A fighter that failed its fear test counts half its attack die."),
    message("{fighter} is afraid: the {die} counts {halved}."),
)
TERROR_COMBAT = _rule(
    "roads/terror-combat",
    message("rules, “Terror”"),
    message("A fighter drawn into melee in terror has no combat skill."),
    message("{fighter} is in terror: combat skill 0."),
)
CHARGE = _rule(
    "roads/charge",
    message("rules, “Modifiers of combat results”: charge"),
    message("A fighter that charged this turn adds 1."),
    message("{fighter} charged: {change}."),
)
HIGHER = _rule(
    "roads/higher-ground",
    message("rules, “Modifiers of combat results”: on higher ground"),
    message("The higher fighter adds 1."),
    message("{fighter} stands higher: {change}."),
)
ACROSS = _rule(
    "roads/across-cover",
    message("rules, “Modifiers of combat results”: charge across an obstacle"),
    message("A strike at an enemy in cover or across an obstacle subtracts 1."),
    message("{fighter} strikes across cover: {change}."),
)
JUMP_ATTACK = _rule(
    "roads/jump-attack",
    message("rules, “Jump attack”"),
    message("A jump attack adds 1 to the combat result and one attack die in the first round."),
    message("{fighter} attacks out of a jump: {change}."),
)
OUTNUMBER = _rule(
    "roads/outnumber",
    message("rules, “Many-sided fights”"),
    message("Each fighter of the larger side adds 1 and one attack die for each model in the majority."),
    message("{fighter}'s side is larger: {change}."),
)
ABILITY = _rule(
    "roads/ability",
    message("rules, “Attack die”: abilities that add X to the combat result"),
    message("An ability that adds to the combat result does so after the roll."),
    message("{fighter} has an ability: {change}."),
)
CRITICAL = _rule(
    "roads/critical",
    message("rules, “Critical blow”"),
    message("With two or more dice every six after the first adds 1."),
    message("{fighter} lands a critical blow: {change}."),
)
CONFUSION = _rule(
    "roads/confusion",
    message("rules, “Confusion”"),
    message("Every 1 on the enemy's attack dice adds 1."),
    message("{fighter}'s enemy stumbles: {change}."),
)
PRINTED = _rule(
    "roads/printed-example",
    message("rules, “Number of blows”"),
    message("The rule's example prints 2 + 4 + 4 as 11; the house follows the print for exactly these numbers."),
    message("{fighter}: the sum as printed in the example, {change}."),
)
RESULT = _rule(
    "roads/melee-result",
    message("rules, “Determining the winner”"),
    message("The result adds the highest attack die, current toughness, combat skill and all modifiers."),
    message("{fighter}: {die} + {toughness} + {combat} {change} = {result}."),
)
OUTCOME = Rule(
    "roads/melee-outcome",
    message("rules, “Determining the winner”; “Number of blows”"),
    message(
        "The higher result wins, with a hit for each point of difference. In a tie the higher Mobility wins with 1 hit."
    ),
    {
        "hits": message("{fighter} wins {result} to {other}: hits {hits}."),
        "tie": message("{result} to {other}: {fighter} is faster and wins, hits {hits}."),
        "draw": message("{result} to {other} and equally fast: a draw, no hits."),
    },
)
NO_BLOWS = _rule(
    "roads/stupidity-no-blows",
    message("rules, “Stupidity”"),
    message("A fighter that failed its stupidity test strikes no blows."),
    message("{fighter} strikes no blows."),
)
STRIKE_DOWN = _rule(
    "roads/strike-down",
    message("rules, “Attacking the fallen”"),
    message("Every attack on a downed fighter hits; any that gets through and is not saved kills."),
    message("{enemy} is down: all {hits} attacks of {fighter} hit."),
)

# Psychology, manoeuvres and shots.

ROUT = Rule(
    "roads/rout",
    message("rules, “Rout test”"),
    message(
        "A side with a third of its models out tests at the start of its turn: D6 up to the leader's Spirit, "
        "or it loses."
    ),
    {
        "due": message("{out} of {starting} are out: test on Spirit {spirit}, chance {chance}."),
        "not_due": message("{out} of {starting} are out: no rout test yet."),
    },
)
ESCAPE = _rule(
    "roads/escape",
    message("rules, “Flight”; “Fleeing from combat”"),
    message("A model alone against two or more tests D6 up to Spirit, or takes a hit from each and flees D6 steps."),
    message("{figure} tests on Spirit {spirit}, chance {chance}; automatic hits if it breaks: {hits}."),
)
FLIGHT = _rule(
    "roads/flight",
    message("rules, “Flight”"),
    message(
        "A breaking model runs D6 steps straight away from its enemies, later to the nearest table edge, "
        "where it is out."
    ),
)
FREE_HITS = _rule(
    "roads/free-hits",
    message("rules, “Fleeing from combat”"),
    message("A model that breaks and runs turns its back: each opponent hits it once, at once."),
)
FEAR = Rule(
    "roads/fear",
    message("rules, “Fear”"),
    message("Charged by a fearsome enemy: test, or the attack die is halved. Charging one: test, or stand still."),
    {
        "charged": message(
            "{figure} is charged by a fearsome enemy: Spirit {spirit}, chance {chance}, or half the attack die."
        ),
        "charging": message(
            "{figure} wants to charge a fearsome enemy: Spirit {spirit}, chance {chance}, or it stands still."
        ),
    },
)
FRENZY = _rule(
    "roads/frenzy",
    message("rules, “Frenzy”"),
    message("A frenzied model must charge an enemy in its charge range, and then ignores all other psychology."),
)
STUPIDITY = _rule(
    "roads/stupidity",
    message("rules, “Stupidity”"),
    message(
        "A model that fails the test does not charge, shoot or strike until its next turn; it shuffles on or stands."
    ),
)
WITHDRAWAL = _rule(
    "roads/withdrawal",
    message("rules, “Voluntary flight”"),
    message("A side may withdraw only at the start of its turn, and only with a rout test due."),
)
RALLY = _rule(
    "roads/rally",
    message("rules, “Flight”"),
    message("A fleeing model tests at the start of its turn. If it passes, it stops and does nothing else this turn."),
)
CLIMB = Rule(
    "roads/climb",
    message("rules, “Climbing”"),
    message(
        "A climb takes a Mobility test and up to half the Mobility a turn, at double cost; its limit is the Mobility."
    ),
    {
        "too_high": message("{height} steps exceed Mobility {mobility}: too high to climb."),
        "up": message(
            "Up {rise} of {height} steps for {cost} of Mobility {mobility}, chance {chance}, or no move this turn."
        ),
        "down": message("Down {rise} of {height} steps for {cost} of Mobility {mobility}, chance {chance}, or a fall."),
    },
)
GAP = Rule(
    "roads/jump-gap",
    message("rules, “Jumping over gaps”"),
    message("The width of a gap, a step at most, comes off the movement; then a Mobility test decides about a fall."),
    {
        "short": message("{left} steps left for a gap of {width}: a fall without a test."),
        "test": message("A gap of {width} with {left} steps left: chance {chance}."),
    },
)
JUMP_DOWN = _rule(
    "roads/jump-down",
    message("rules, “Jumping down”; “Giant leap”"),
    message("Up to 2 steps: one Mobility test for each full step; any failure is a fall from the top."),
    message("Down {height} steps: tests {tests}, chance {chance}."),
)
LEAP = _rule(
    "roads/giant-leap",
    message("rules, “Giant leap”"),
    message(
        "Only a model with the ability makes a giant leap, up to its steps, with the height of the leap among them."
    ),
)
FALL = _rule(
    "roads/fall",
    message("rules, “Falling”"),
    message("A fall costs D3 damage a step, without armour. The model then neither moves nor hides this turn."),
)
CRAWL = _rule(
    "roads/crawl",
    message("rules, “Many-sided fights”"),
    message("A model of the larger side that is down may crawl one step away from the fighting in its movement phase."),
)
ADVANCE = _rule(
    "roads/advance",
    message("rules, “Advance”"),
    message(
        "A model whose opponents are all out may move a step at once. It fights a new enemy in the next melee phase."
    ),
)
INTO_CONTACT = _rule(
    "roads/into-contact",
    message("rules, “Advance”: otherwise nobody joins a melee without charging; “Drawing into melee”"),
    message("Only a charge, drawing in or an advance ends in contact with an enemy: no walk, run or jump."),
)
MANY_SIDED = _rule(
    "roads/many-sided",
    message("rules, “Many-sided fights”"),
    message("In a many-sided fight every model fights every enemy it touches, in every melee phase."),
)
WEAPONS = _rule(
    "roads/melee-weapons",
    message("rules, “Weapons”"),
    message("Only pistols and melee weapons strike. A model with a bulky weapon fights with one hand."),
)
SWAP = _rule(
    "roads/weapon-swap",
    message("rules, “Fight and change of weapons”"),
    message("A player announces a change of weapons before the fight begins; during the fight there is none."),
)
DUCK = _rule(
    "roads/duck",
    message("rules, “Duck!”"),
    message("The target rolls D6 and Mobility against the shooter's roll."),
)
TAKE_COVER = Rule(
    "roads/take-cover",
    message("rules, “Take cover!”"),
    message("A target may move into cover within a step, or else drop to the ground, and then only shoots this turn."),
    {
        "near": message("{figure} could take cover at {pieces}."),
        "none": message("{figure} has no cover within a step and could only drop to the ground."),
    },
)
SHOOT_FIRST = _rule(
    "roads/shoot-first",
    message("rules, “Shooting first”"),
    message("Both roll D6 and add Mobility. Only a higher target shoots first, with -1 to hit."),
    message("D6 + {target} against D6 + {shooter}: chance {chance} that the target shoots first, with -1 to hit."),
)
WATCH = Rule(
    "roads/watch",
    message("rules, “Overwatch”; “Shooting on overwatch”"),
    message(
        "A model on overwatch shoots at any moment of an enemy's move, at -1 if the enemy appears, hides or charges it."
    ),
    {
        "told": message("{figure} shoots on overwatch: {change} to hit."),
        "free": message("{figure} shoots on overwatch at a steady target: no change."),
    },
)
AMBUSH = _rule(
    "roads/ambush",
    message("rules, “Shooting from ambush”"),
    message(
        "A shooter stays hidden only if a silent weapon kills at once. Then every enemy that saw it and sees the "
        "shooter tests Mobility; one success finds the shooter."
    ),
    message("Witnesses: {count}; the shooter stays hidden with chance {chance}."),
)
MISFIRE = _rule(
    "roads/misfire",
    message("rules, “Grenades and other thrown weapons”"),
    message("Grenades and thrown weapons fail every misfire test: the last one has been thrown."),
)
OUT_OF_RANGE = _rule(
    "roads/out-of-range",
    message("rules, “Out of range”"),
    message("A shot out of range hits nobody. Roll it all the same: the weapon may jam."),
)

RULES: Mapping[str, Rule] = index_rules(rule for rule in list(globals().values()) if isinstance(rule, Rule))
"""Every rule above by its id."""
